import { Worker } from 'node:worker_threads'

export interface LoadOrder {
  /** The nodes, which take turns. */
  urls: readonly string[]
  token: string
  projectId: string
  /** Reads of the project per second. */
  reads: number
  /** Changes of notes per second, half of which create one. */
  writes: number
}

/** An acknowledged note. Times are in milliseconds since the epoch. */
interface WrittenNote {
  id: string
  /** The position of the node in `urls`. */
  node: number
  from: number
  to: number
}

export type LoadMessage =
  | ({ kind: 'written' } & WrittenNote)
  | { kind: 'updated'; id: string }
  | { kind: 'failure'; reason: string }
  | { kind: 'end'; answered: number; seconds: number }

/** Calls nodes at a steady rate, whether they answer or not. A thread of its own keeps the rate while the test works. */
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
    /** Waits for the calls that have begun. */
    async stop(): Promise<{ answered: number; seconds: number }> {
      worker.postMessage('stop', [])
      return ended.promise
    },
    async terminate(): Promise<void> {
      await worker.terminate()
    },
  }
}
