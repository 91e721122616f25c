// npm start: builds missing parts, starts the server, and restarts it when it is killed or crashes, unless --once is
// set.
import '../apps/server/src/needed-node.mjs'
import '../apps/server/src/thread-pool.mjs'
import '../apps/server/src/compile-cache.mjs'
import '../apps/server/src/runtime-output.mjs'
import { fileURLToPath } from 'node:url'
import { logLine } from '../apps/server/src/platform/log-line.mjs'

// npm stops its shell but not this process, so the server stops when this process loses its parent.
const isOnce = process.argv.includes('--once')
if (isOnce || process.env.npm_lifecycle_event !== undefined) {
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    // A second signal would stop the server without waiting for open requests.
    clearInterval(watch)
    process.kill(process.pid, 'SIGTERM')
  }, 500).unref()
}

if (isOnce) {
  await import('./start.ts')
  await import('../apps/server/src/main.mjs')
} else {
  const { processOneWarning } = await import('./process-one.mjs')
  const warning = processOneWarning(process.env)
  if (warning !== undefined) process.stderr.write(logLine('warn', warning))
  const { supervise } = await import('./supervise.mjs')
  process.exit(await supervise([fileURLToPath(import.meta.url), '--once']))
}
