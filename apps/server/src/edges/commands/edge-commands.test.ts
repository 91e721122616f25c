import type { EdgeServerMessage } from '@pult/contract'
import type { Kysely } from 'kysely'
import { expect, test } from 'vitest'
import { AppError } from '#platform/app-error.ts'
import type { Database } from '#platform/database/schema.ts'
import type { ReceivedEvent } from '#platform/realtime/event-tail.ts'
import type { Emit, Events } from '#platform/realtime/events.ts'
import type { Agent } from '../agents/agent-gateway.ts'
import { edgeNodeTopic } from '../edge-topic.ts'
import { createEdgeCommands } from './edge-commands.ts'

const edgeId = '018f0000-0000-7000-8000-000000000001'
const agent = { edgeId } as Agent
const asked = { onLine: () => {}, signal: new AbortController().signal }
const done = { ok: true, info: 'obeyed' } as const

/**
 * Nodes of one installation. `outage.failing` is the number of events that the database still rejects, `outage.late`
 * the number of events whose COMMIT has no answer.
 */
function installation() {
  const listeners: ((event: ReceivedEvent) => void)[] = []
  const outage = { failing: 0, late: 0 }
  const published: string[] = []
  const replaced: unknown[] = []
  const events = {
    listen: (listener: (event: ReceivedEvent) => void) => void listeners.push(listener),
    async transaction(work: (trx: never, emit: Emit) => Promise<void>) {
      const written: ReceivedEvent[] = []
      await work(undefined as never, async (...news) => void written.push(...(news as ReceivedEvent[])))
      if (outage.failing > 0) {
        outage.failing -= 1
        throw new AppError('DATABASE_UNAVAILABLE')
      }
      for (const event of written) {
        published.push(event.name)
        for (const listener of listeners) listener(event)
      }
      if (outage.late > 0) {
        outage.late -= 1
        throw new AppError('DATABASE_UNAVAILABLE')
      }
    },
  } as unknown as Events
  /** Creates a node, with or without a connection to the agent. */
  const node = (hasAgent: boolean) => {
    const sent: EdgeServerMessage[] = []
    const send = (_edgeId: string, message: EdgeServerMessage) => {
      if (!hasAgent) return undefined
      sent.push(message)
      return Promise.resolve()
    }
    const replacedElsewhere = (...by: unknown[]) => void replaced.push(by)
    const gateway = { send, replacedElsewhere }
    const commands = createEdgeCommands({ db: {} as Kysely<Database>, events, gateway })
    const answer = async (outcome: typeof done) => {
      const [message] = sent
      if (message?.type !== 'command') throw new Error('no command was sent')
      return commands.onAnswer(agent, { type: 'answer', command: message.id, lines: [], outcome })
    }
    return { commands, sent, answer }
  }
  const emit = (name: string, data: Record<string, unknown>) =>
    events.transaction((_trx, emitEvent) => emitEvent({ topic: edgeNodeTopic, name, data }))
  return { node, outage, published, replaced, emit }
}

test('RULE-80 an agent of the same node executes commands while the database does not answer', async () => {
  const { node, outage } = installation()
  const here = node(true)
  outage.failing = Number.POSITIVE_INFINITY
  const running = here.commands.run(edgeId, { name: 'restart' }, asked)
  await expect.poll(() => here.sent).toHaveLength(1)
  expect(await here.answer(done)).toBe(true)
  expect(await running).toBe('obeyed')
})

test('RULE-80 the answer of an agent of another node is repeated until the database accepts it', async () => {
  const { node, outage } = installation()
  const [here, there] = [node(false), node(true)]
  const running = here.commands.run(edgeId, { name: 'restart' }, asked)
  await expect.poll(() => there.sent).toHaveLength(1)
  outage.failing = 2
  expect(await there.answer(done)).toBe(true)
  expect(await running).toBe('obeyed')
  // The command has ended, so a further answer belongs to no command.
  expect(await there.answer(done)).toBe(false)
})

test('RULE-80 a command for an agent of another node is repeated until the database accepts it', async () => {
  const { node, outage } = installation()
  const [here, there] = [node(false), node(true)]
  outage.failing = 2
  const running = here.commands.run(edgeId, { name: 'restart' }, asked)
  await expect.poll(() => there.sent).toHaveLength(1)
  expect(await there.answer(done)).toBe(true)
  expect(await running).toBe('obeyed')
})

test('RULE-80 an agent receives a command once although its COMMIT had no answer', async () => {
  const { node, outage, published } = installation()
  const [here, there] = [node(false), node(true)]
  outage.late = 1
  const running = here.commands.run(edgeId, { name: 'restart' }, asked)
  await expect.poll(() => published).toEqual(['edge:command', 'edge:command'])
  expect(there.sent).toHaveLength(1)
  expect(await there.answer(done)).toBe(true)
  expect(await running).toBe('obeyed')
})

test('RULE-80 a command is not repeated after its task has ended', async () => {
  const { node, outage, published } = installation()
  const here = node(false)
  const stopping = new AbortController()
  outage.failing = 1
  const running = here.commands.run(edgeId, { name: 'restart' }, { ...asked, signal: stopping.signal })
  await expect.poll(() => outage.failing).toBe(0)
  stopping.abort()
  await expect(running).rejects.toMatchObject({ code: 'TASK_ENDED' })
  expect(published).toEqual([])
})

test('RULE-80 a command is not sent after its task has ended', async () => {
  const { node, published } = installation()
  const here = node(true)
  const ended = { ...asked, signal: AbortSignal.abort() }
  await expect(here.commands.run(edgeId, { name: 'restart' }, ended)).rejects.toMatchObject({
    code: 'TASK_ENDED',
  })
  expect(here.sent).toEqual([])
  expect(published).toEqual([])
})

test('a node closes the connections of edges that have connected to another node, also to one of the previous release', async () => {
  const { node, replaced, emit } = installation()
  node(true)
  const newer = { id: edgeId, run: 'second', number: 7, address: '192.0.2.7' }
  await emit('edge:begun', { edges: [newer, { id: edgeId, run: 'third' }] })
  expect(replaced).toEqual([
    [edgeId, { run: 'second', number: 7, address: '192.0.2.7' }],
    // Its number is older than any, so that it closes nothing.
    [edgeId, { run: 'third', number: 0, address: '' }],
  ])
})
