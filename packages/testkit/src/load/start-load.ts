import { Worker } from 'node:worker_threads'

export interface LoadOrder {
  /** Nodes, which are called in turn. */
  urls: readonly string[]
  token: string
  projectId: string
  /** Reads of the project per second. */
  reads: number
  /** Writes of notes per second, half of which create a note. */
  writes: number
}

/** An acknowledged note. Times are in milliseconds since the epoch. */
interface WrittenNote {
  id: string
  /** Index of the node in `urls`. */
  node: number
  from: number
  to: number
}

export type LoadMessage =
  | ({ kind: 'written' } & WrittenNote)
  | { kind: 'updated'; id: string }
  | { kind: 'failure'; reason: string }
  | { kind: 'end'; answered: number; seconds: number }

/** Calls nodes at a steady rate, regardless of replies. A separate thread maintains the rate while the test runs. */
export function startLoad(order: LoadOrder) {
  const written: WrittenNote[] = []
  const updated = new Set<string>()
  const failures: string[] = []
  const ended = Promise.withResolvers<{ answered: number; seconds: number }>()
  const worker = new Worker(new URL('./load-worker.ts', import.meta.url), { workerData: order })
  worker.on('message', (message: LoadMessage) => {
    if (message.kind === 'written') written.push(message)
    else if (message.kind === 'updated') updated.add(message.id)
    else if (message.kind === 'failure') failures.push(message.reason)
    else ended.resolve(message)
  })
  worker.on('error', ended.reject)
  ended.promise.catch(() => {})
  return {
    written,
    updated,
    failures,
    /** Stops new calls and waits for the open ones. */
    async stop(): Promise<{ answered: number; seconds: number }> {
      worker.postMessage('stop', [])
      return ended.promise
    },
    async terminate(): Promise<void> {
      await worker.terminate()
    },
  }
}
