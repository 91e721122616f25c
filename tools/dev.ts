import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createServer } from 'vite'
import { buildEdgeAgent } from './build-edge-agent.ts'
import { buildExtensions } from './build-extensions.ts'

/*
 * npm run dev: serves the console from its sources on PORT with hot reload. The server behind it restarts when one of
 * its files changes, and prints mails instead of sending them.
 */

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const port = Number(process.env.PORT ?? 8080)
const serverPort = port + 1
const publicUrl = process.env.PULT_URL ?? `http://localhost:${port}`

await buildExtensions()
await buildEdgeAgent()

const server = spawn(process.execPath, ['--watch', '--watch-preserve-output', 'tools/dev-server.ts'], {
  cwd: root,
  stdio: ['ignore', 'inherit', 'inherit'],
  env: { ...process.env, PORT: String(serverPort), HOST: 'localhost', PULT_URL: publicUrl },
})

const vite = await createServer({
  root: join(root, 'apps/console'),
  server: {
    port,
    strictPort: true,
    host: 'localhost',
    proxy: { '/api': { target: `http://localhost:${serverPort}`, ws: true } },
  },
})
await vite.listen()
console.log(`Console with hot reload: ${publicUrl}`)

let isStopping = false
async function stop(code: number): Promise<void> {
  if (isStopping) return
  isStopping = true
  // The server first stops its database.
  const ended = server.exitCode === null ? new Promise((resolve) => server.once('exit', resolve)) : null
  server.kill('SIGTERM')
  await vite.close()
  await ended
  process.exit(code)
}
process.on('SIGINT', () => void stop(0))
process.on('SIGTERM', () => void stop(0))
server.on('exit', (code) => void stop(code ?? 1))
