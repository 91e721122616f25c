import { createInterface } from 'node:readline'
import {
  defaultDataFolder,
  startEmbeddedDatabase,
} from '../../apps/server/src/platform/database/embedded/embedded-database.ts'
import { startCluster } from '../../packages/testkit/src/cluster/start-cluster.ts'
import { buildConsole } from '../build-console.ts'
import { buildExtensions } from '../build-extensions.ts'
import { root } from '../steps.ts'

/*
 * npm run demo:cluster: three nodes, one PostgreSQL, one S3-compatible store and one proxy with health checks, on this
 * machine. Enter replaces one node after another, as an update does, while requests continue and failures are counted.
 */

const folder = process.env.PULT_DATA ?? `${defaultDataFolder(root)}-cluster`
const port = Number(process.env.PORT ?? 8080)
const print = (line: string) => process.stdout.write(`${line}\n`)

await buildConsole()
await buildExtensions()
const database = await startEmbeddedDatabase({ dataFolder: folder, log: print })
const { host, port: socketPort, user, database: name } = database.connection
const query = new URLSearchParams({ host, port: String(socketPort), user })
const cluster = await startCluster({
  databaseUrl: `postgresql:///${name}?${query.toString()}`,
  // Constant, because the database contains records of this secret. The store is in memory, so files end with the demo.
  secret: 'the secret of a demonstration on one machine',
  folder,
  port,
  onLine: print,
})

const counts = { answered: 0, failed: 0 }
const requests = setInterval(() => {
  fetch(`${cluster.url}/api/settings/public`).then(
    (answer) => (answer.ok ? (counts.answered += 1) : (counts.failed += 1)),
    () => (counts.failed += 1),
  )
}, 20)
print(`Three nodes behind ${cluster.url}. Enter replaces them one after another, Ctrl+C stops the demo.`)

let rolling: Promise<void> | undefined
const input = createInterface(process.stdin)
input.on('line', () => {
  rolling ??= cluster.roll().then(() => {
    print(`All nodes have been replaced: ${counts.answered} requests succeeded, ${counts.failed} failed.`)
    rolling = undefined
  })
})

let isStopping = false
async function stop(): Promise<void> {
  if (isStopping) return
  isStopping = true
  clearInterval(requests)
  input.close()
  await cluster.stop()
  await database.stop()
  process.exit(0)
}
process.on('SIGINT', () => void stop())
process.on('SIGTERM', () => void stop())
