import { randomUUID } from 'node:crypto'
import type { AgentMessage } from '@pult/contract'
import * as z from 'zod'
import { AppError } from '#platform/app-error.ts'
import type { Events } from '#platform/realtime/events.ts'
import type { Agent, AgentGateway } from '../agents/agent-gateway.ts'
import { edgeNodeTopic } from '../edge-topic.ts'
import { createRecentLines, type LogLines, type RecentLines } from './recent-lines.ts'

type Answer = Extract<AgentMessage, { type: 'log' }>

/** A program on an edge, by its key in the settings of the agent. */
interface Program {
  edgeId: string
  key: string
}

interface Range {
  after: number
  before?: number
  isForward?: boolean
}

interface EdgeLogsParts {
  events: Pick<Events, 'listen' | 'transaction'>
  gateway: Pick<AgentGateway, 'send'>
  /** Milliseconds until an agent must answer. */
  answerTime?: number
}

/** Milliseconds for which the users of this node share the lines of one program. */
const sharedFor = 800

/** Milliseconds after which the lines of a program without readers are dropped. */
const idleFor = 10_000

/** Number of programs whose lines this node caches. */
const heldMost = 40

/** Maximum number of unanswered requests that this node has passed to its agents for other nodes. */
const forwardedMost = 200

const askedEvent = z.object({
  id: z.string(),
  edgeId: z.string(),
  key: z.string(),
  after: z.number(),
  before: z.number().optional(),
  isForward: z.boolean().optional(),
})
const answeredEvent = z.object({
  id: z.string(),
  edgeId: z.string(),
  first: z.number(),
  lines: z.array(z.string()),
  oldest: z.number(),
})

/**
 * Reads logs of programs from their edges. Agents send no line unasked, and a node asks only for calls of users, so
 * no line is sent while no user reads. An agent may be connected to another node; then the request and its answer are
 * events.
 */
export function createEdgeLogs({ events, gateway, answerTime = 5000 }: EdgeLogsParts) {
  const open = new Map<string, { edgeId: string; resolve: (lines: LogLines) => void }>()
  /** Requests of other nodes that were sent to agents of this node. */
  const forwarded = new Map<string, string>()
  const held = new Map<string, { lines: RecentLines; usedAt: number; asking: Promise<void> | undefined }>()
  let sweepTimer: NodeJS.Timeout | undefined

  events.listen(({ topic, name, data }) => {
    if (topic !== edgeNodeTopic) return
    if (name === 'edge:log-asked') {
      const { edgeId, ...question } = askedEvent.parse(data)
      if (gateway.send(edgeId, { type: 'log', ...question }) === undefined) return
      forwarded.set(question.id, edgeId)
      const [oldest] = forwarded.keys()
      if (forwarded.size > forwardedMost && oldest !== undefined) forwarded.delete(oldest)
    }
    if (name === 'edge:log-answered') receive(answeredEvent.parse(data))
  })

  const emit = (name: string, data: Record<string, unknown>) =>
    events.transaction((_trx, emitEvent) => emitEvent({ topic: edgeNodeTopic, name, data }))

  /** Delivers an answer. Returns whether this node has asked. */
  function receive({ id, edgeId, ...lines }: z.infer<typeof answeredEvent>): boolean {
    const asked = open.get(id)
    if (asked?.edgeId !== edgeId) return false
    asked.resolve(lines)
    return true
  }

  /** @throws {AppError} EDGE_DID_NOT_ANSWER */
  async function read({ edgeId, key }: Program, range: Range): Promise<LogLines> {
    const id = randomUUID()
    const { promise, resolve, reject } = Promise.withResolvers<LogLines>()
    // The promise is awaited below, unless the event could not be written.
    promise.catch(() => {})
    const timer = setTimeout(() => reject(new AppError('EDGE_DID_NOT_ANSWER')), answerTime)
    open.set(id, { edgeId, resolve })
    try {
      if (gateway.send(edgeId, { type: 'log', id, key, ...range }) === undefined)
        await emit('edge:log-asked', { id, edgeId, key, ...range })
      return await promise
    } finally {
      clearTimeout(timer)
      open.delete(id)
    }
  }

  function sweep(): void {
    const now = performance.now()
    for (const [name, { usedAt }] of held) if (now - usedAt > idleFor) held.delete(name)
    sweepTimer = held.size === 0 ? undefined : setTimeout(sweep, idleFor).unref()
  }

  function holdingOf({ edgeId, key }: Program, after: number) {
    const name = `${edgeId} ${key}`
    const holding = held.get(name) ?? { lines: createRecentLines(after), usedAt: 0, asking: undefined }
    // Keeps the order of last use.
    held.delete(name)
    held.set(name, holding)
    holding.usedAt = performance.now()
    const [oldest] = held.keys()
    if (held.size > heldMost && oldest !== undefined) held.delete(oldest)
    sweepTimer ??= setTimeout(sweep, idleFor).unref()
    return holding
  }

  return {
    /** Handles the answer of an agent of this node. */
    async onAnswer({ edgeId }: Pick<Agent, 'edgeId'>, { id, first, lines, oldest }: Answer): Promise<void> {
      const answer = { id, edgeId, first, lines, oldest }
      if (receive(answer) || forwarded.get(id) !== edgeId) return
      forwarded.delete(id)
      await emit('edge:log-answered', answer)
    },

    read,

    /** Returns the newest lines after a number. All users of this node share them. */
    async newest(program: Program, after: number): Promise<LogLines> {
      const holding = holdingOf(program, after)
      const { lines } = holding
      const refresh = async () => {
        try {
          const last = lines.lacks(after) ? after : lines.last()
          const answer = await read(program, { after: last })
          // The edge has lost its former log and numbers its lines from 1 again.
          const isReset = answer.lines.length === 0 && answer.first <= last
          lines.add(isReset ? await read(program, { after: 0 }) : answer)
        } finally {
          holding.asking = undefined
        }
      }
      // A shared request for another user may have returned too few lines.
      for (let asked = 0; asked < 2 && (lines.age() > sharedFor || lines.lacks(after)); asked += 1)
        await (holding.asking ??= refresh())
      return lines.after(after)
    },

    /** Returns all lines that the edge has now. Reads the next lines after the previous ones have been sent. */
    async file(program: Program): Promise<AsyncIterable<string>> {
      const newest = await read(program, { after: 0 })
      const last = newest.first + newest.lines.length - 1
      return (async function* () {
        for (let after = 0; after < last; ) {
          const { first, lines } = await read(program, { after, isForward: true })
          if (lines.length === 0) return
          yield `${lines.join('\n')}\n`
          after = first + lines.length - 1
        }
      })()
    },
  }
}
