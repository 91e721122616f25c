import { parentPort, workerData } from 'node:worker_threads'
import { createClient } from './calls.ts'

/*
 * Runs in a separate thread, so that the flood does not delay the measuring thread. Sends all logins concurrently, each
 * on a new connection, and returns the number of responses by status.
 */

export interface Flood {
  url: string
  path: string
  bodies: unknown[]
}

const { url, path, bodies } = workerData as Flood
const client = createClient(url, bodies.length)
const answers = await Promise.all(bodies.map((body) => client.call(path, { body })))
client.close()

const counts: Record<number, number> = {}
for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
parentPort?.postMessage(counts, [])
