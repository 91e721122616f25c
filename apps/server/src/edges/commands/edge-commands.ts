import { randomUUID } from 'node:crypto'
import type { AgentMessage, EdgeCommand } from '@pult/contract'
import type { Kysely } from 'kysely'
import * as z from 'zod'
import { AppError } from '#platform/app-error.ts'
import type { Database } from '#platform/database/schema.ts'
import type { HeardEvent } from '#platform/realtime/event-tail.ts'
import type { Events } from '#platform/realtime/events.ts'
import type { Agent, AgentDoor } from '../agents/agent-door.ts'
import { edgeNodeTopic } from '../edge-news.ts'

type Answer = Extract<AgentMessage, { type: 'answer' }>

interface EdgeCommandsParts {
  db: Kysely<Database>
  events: Events
  door: Pick<AgentDoor, 'send'>
}

interface Asked {
  /** Of its log. */
  onLine: (line: string) => void
  signal: AbortSignal
}

/** Milliseconds until an agent has to say something, and until one that restarts has to be back. */
const answerTime = 15_000
const restartTime = 60_000

/** Commands of this node that agents answer at the same time. */
const openMost = 200

const answerEvent = z.object({
  command: z.string(),
  edgeId: z.string(),
  lines: z.array(z.string()),
  outcome: z
    .union([
      z.object({ ok: z.literal(true), info: z.string() }),
      z.object({ ok: z.literal(false), error: z.string() }),
    ])
    .optional(),
})
type Answered = z.infer<typeof answerEvent>

const commandEvent = z.object({
  id: z.string(),
  edgeId: z.string(),
  command: z.custom<EdgeCommand>((value) => typeof value === 'object' && value !== null),
})
const begunEvent = z.object({ edges: z.array(z.object({ id: z.string(), run: z.string() })) })

/**
 * Tells edges what to do and hears how it goes. An edge's agent is connected to some node, so that both ways lead through
 * events, which every node hears; it is the same where it is this one.
 */
export function createEdgeCommands({ db, events, door }: EdgeCommandsParts) {
  const asked = new Map<string, { edgeId: string; hear: (answer: Answered) => void }>()
  const awaited = new Set<(edgeId: string, run: string) => void>()
  /** What agents of this node were told and have not finished: an answer to anything else is nobody's. */
  const told = new Map<string, string>()

  events.listen((event) => {
    if (event.topic !== edgeNodeTopic) return
    switch (event.name) {
      case 'edge:command':
        return tell(commandEvent.parse(event.data))
      case 'edge:answer':
        return hear(answerEvent.parse(event.data))
      case 'edge:begun':
        return begun(event)
    }
  })

  function tell({ id, edgeId, command }: z.infer<typeof commandEvent>): void {
    if (door.send(edgeId, { type: 'command', id, command }) === undefined) return
    told.set(id, edgeId)
    const [oldest] = told.keys()
    if (told.size > openMost && oldest !== undefined) told.delete(oldest)
  }

  function hear(answer: Answered): void {
    const open = asked.get(answer.command)
    if (open?.edgeId === answer.edgeId) open.hear(answer)
  }

  function begun({ data }: HeardEvent): void {
    for (const { id, run } of begunEvent.parse(data).edges) for (const listener of awaited) listener(id, run)
  }

  const emit = (name: string, data: Record<string, unknown>) =>
    events.transaction((_trx, emitEvent) => emitEvent({ topic: edgeNodeTopic, name, data }))

  /** Settles when `begin` says so, the time is over or the signal fires. */
  function within<Result>(
    time: number,
    signal: AbortSignal,
    begin: (settle: {
      resolve: (result: Result) => void
      reject: (error: Error) => void
      goOn: () => void
    }) => () => void,
  ): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    const late = () => reject(new AppError('EDGE_DID_NOT_ANSWER'))
    let timer = setTimeout(late, time)
    const stop = begin({
      resolve,
      reject,
      goOn: () => {
        clearTimeout(timer)
        timer = setTimeout(late, time)
      },
    })
    const abort = () => reject(new AppError('TASK_ENDED'))
    signal.addEventListener('abort', abort)
    if (signal.aborted) abort()
    return promise.finally(() => {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
      stop()
    })
  }

  return {
    /** An agent of this node has answered. */
    async onAnswer({ edgeId }: Agent, { command, lines, outcome }: Answer): Promise<void> {
      if (told.get(command) !== edgeId) return
      if (outcome !== undefined) told.delete(command)
      await emit('edge:answer', { command, edgeId, lines, ...(outcome !== undefined && { outcome }) })
    },

    /**
     * Has an edge do something; answers what it says at the end.
     *
     * @throws {AppError} EDGE_DID_NOT_ANSWER, or EDGE_CANNOT with what the agent says.
     */
    async run(edgeId: string, command: EdgeCommand, { onLine, signal }: Asked): Promise<string> {
      const id = randomUUID()
      const answered = within<string>(answerTime, signal, ({ resolve, reject, goOn }) => {
        asked.set(id, {
          edgeId,
          hear({ lines, outcome }) {
            for (const line of lines) onLine(line)
            if (outcome === undefined) goOn()
            else if (outcome.ok) resolve(outcome.info)
            else reject(new AppError('EDGE_CANNOT', { message: outcome.error }))
          },
        })
        return () => void asked.delete(id)
      })
      // Somebody waits for it below; where the event could not be written, nobody does.
      answered.catch(() => {})
      await emit('edge:command', { id, edgeId, command })
      return answered
    },

    /** Waits until the agent of an edge is back as another process than the one that `run` tells of. */
    awaitRestart: (edgeId: string, run: string | undefined, signal: AbortSignal): Promise<void> =>
      within<void>(restartTime, signal, ({ resolve }) => {
        const listener = (id: string, begunRun: string) => {
          if (id === edgeId && begunRun !== run) resolve()
        }
        awaited.add(listener)
        return () => void awaited.delete(listener)
      }),

    async runOf(edgeId: string): Promise<string | undefined> {
      const row = await db
        .selectFrom('edge_presence')
        .select('run')
        .where('edge_id', '=', edgeId)
        .executeTakeFirst()
      return row?.run
    },
  }
}
export type EdgeCommands = ReturnType<typeof createEdgeCommands>
