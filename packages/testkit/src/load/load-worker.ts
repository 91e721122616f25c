import { setInterval } from 'node:timers'
import { parentPort, workerData } from 'node:worker_threads'
import { type Endpoint, noteEndpoints, projectEndpoints } from '@pult/contract'
import { type CallInput, callEndpoint } from '../call.ts'
import type { LoadMessage, LoadOrder } from './start-load.ts'

const { urls, token, projectId, reads, writes } = workerData as LoadOrder
const report = (message: LoadMessage) => parentPort?.postMessage(message, [])
const now = () => performance.timeOrigin + performance.now()

const params = { projectId }
const startedAt = performance.now()
const open = new Set<Promise<void>>()
const sent = { reads: 0, notes: 0 }
let answered = 0
let turn = 0

/** Calls the next node and reports an error. Returns the reply and the node. */
async function call<E extends Endpoint>(endpoint: E, input: CallInput<E>) {
  const node = (turn += 1) % urls.length
  const answer = await callEndpoint(urls[node] ?? '', token, endpoint, input)
  if (answer.code === undefined) answered += 1
  else report({ kind: 'failure', reason: `${answer.status} ${answer.code}` })
  return { ...answer, node }
}
/** Creates and changes a note on different nodes, because the order of their events matters. */
async function writeTwice(label: string): Promise<void> {
  const from = now()
  const { code, body, node } = await call(noteEndpoints.create, { params, body: { label, text: '' } })
  if (code !== undefined) return
  const { _id: id } = body
  report({ kind: 'written', id, node, from, to: now() })
  const input = { params: { projectId, itemId: id }, body: { label: `${label} again` } }
  if ((await call(noteEndpoints.update, input)).code === undefined) report({ kind: 'updated', id })
}

function start(work: Promise<unknown>): void {
  const one = work.then(
    () => {},
    (error: unknown) => report({ kind: 'failure', reason: String(error) }),
  )
  open.add(one)
  void one.finally(() => open.delete(one))
}

/** Starts all calls that are due, so that a late timer does not lower the rate. */
const timer = setInterval(() => {
  const seconds = (performance.now() - startedAt) / 1000
  for (; sent.reads < seconds * reads; sent.reads += 1) start(call(projectEndpoints.read, { params }))
  for (; sent.notes < (seconds * writes) / 2; sent.notes += 1) start(writeTwice(`note ${sent.notes}`))
}, 10)

parentPort?.once('message', () => {
  clearInterval(timer)
  const seconds = (performance.now() - startedAt) / 1000
  void Promise.all(open).then(() => report({ kind: 'end', answered, seconds }))
})
