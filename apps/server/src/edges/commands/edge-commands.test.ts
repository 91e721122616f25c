import type { EdgeServerMessage } from '@pult/contract'
import type { Kysely } from 'kysely'
import { expect, test } from 'vitest'
import { AppError } from '#platform/app-error.ts'
import type { Database } from '#platform/database/schema.ts'
import type { HeardEvent } from '#platform/realtime/event-tail.ts'
import type { Emit, Events } from '#platform/realtime/events.ts'
import type { Agent } from '../agents/agent-door.ts'
import { createEdgeCommands } from './edge-commands.ts'

const edgeId = '018f0000-0000-7000-8000-000000000001'
const agent = { edgeId } as Agent
const asked = { onLine: () => {}, signal: new AbortController().signal }
const done = { ok: true, info: 'obeyed' } as const

/** Nodes of one installation. `outage.failing` is the number of events that the database does not take yet. */
function installation() {
  const listeners: ((event: HeardEvent) => void)[] = []
  const outage = { failing: 0 }
  const events = {
    listen: (listener: (event: HeardEvent) => void) => void listeners.push(listener),
    async transaction(work: (trx: never, emit: Emit) => Promise<void>) {
      const written: HeardEvent[] = []
      await work(undefined as never, async (...news) => void written.push(...(news as HeardEvent[])))
      if (outage.failing > 0) {
        outage.failing -= 1
        throw new AppError('DATABASE_UNAVAILABLE')
      }
      for (const event of written) for (const listener of listeners) listener(event)
    },
  } as unknown as Events
  /** A node to which the agent is connected, or not. */
  const node = (hasAgent: boolean) => {
    const sent: EdgeServerMessage[] = []
    const send = (_edgeId: string, message: EdgeServerMessage) => {
      if (!hasAgent) return undefined
      sent.push(message)
      return Promise.resolve()
    }
    const commands = createEdgeCommands({ db: {} as Kysely<Database>, events, door: { send } })
    const answer = async (outcome: typeof done) => {
      const [message] = sent
      if (message?.type !== 'command') throw new Error('no command was sent')
      return commands.onAnswer(agent, { type: 'answer', command: message.id, lines: [], outcome })
    }
    return { commands, sent, answer }
  }
  return { node, outage }
}

test('RULE-80 an agent of the same node obeys while the database does not answer', async () => {
  const { node, outage } = installation()
  const here = node(true)
  outage.failing = Number.POSITIVE_INFINITY
  const running = here.commands.run(edgeId, { name: 'restart' }, asked)
  await expect.poll(() => here.sent).toHaveLength(1)
  expect(await here.answer(done)).toBe(true)
  expect(await running).toBe('obeyed')
})

test('RULE-80 the answer of an agent of another node is repeated until the database takes it', async () => {
  const { node, outage } = installation()
  const [here, there] = [node(false), node(true)]
  const running = here.commands.run(edgeId, { name: 'restart' }, asked)
  await expect.poll(() => there.sent).toHaveLength(1)
  outage.failing = 2
  expect(await there.answer(done)).toBe(true)
  expect(await running).toBe('obeyed')
  // The command has ended, so another answer belongs to nothing.
  expect(await there.answer(done)).toBe(false)
})
