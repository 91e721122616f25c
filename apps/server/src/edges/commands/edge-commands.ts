import { randomUUID } from 'node:crypto'
import type { AgentMessage, EdgeCommand } from '@pult/contract'
import type { Kysely } from 'kysely'
import * as z from 'zod'
import { AppError } from '#platform/app-error.ts'
import type { Database } from '#platform/database/schema.ts'
import type { HeardEvent } from '#platform/realtime/event-tail.ts'
import type { Events } from '#platform/realtime/events.ts'
import { whenAnswered } from '#platform/transient.ts'
import type { Agent, AgentDoor } from '../agents/agent-door.ts'
import { edgeNodeTopic } from '../edge-news.ts'

type Answer = Extract<AgentMessage, { type: 'answer' }>

interface EdgeCommandsParts {
  db: Kysely<Database>
  events: Events
  door: Pick<AgentDoor, 'send'>
}

interface Asked {
  /** Receives the lines of the command's output. */
  onLine: (line: string) => void
  signal: AbortSignal
}

/** Milliseconds until an agent must answer, and until a restarting agent must be back. */
const answerTime = 15_000
const restartTime = 60_000

/** Commands of other nodes that a node remembers. */
const toldMost = 1000

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
 * Sends commands to edges and receives their answers. If an edge's agent is connected to another node, both directions
 * use events, which every node receives.
 */
export function createEdgeCommands({ db, events, door }: EdgeCommandsParts) {
  const asked = new Map<string, { edgeId: string; hear: (answer: Answered) => void }>()
  const awaited = new Set<(edgeId: string, run: string) => void>()
  /** Commands of other nodes that were sent to agents of this one; undefined for those with an outcome. */
  const told = new Map<string, string | undefined>()

  events.listen((event) => {
    if (event.topic !== edgeNodeTopic) return
    switch (event.name) {
      case 'edge:command':
        return tell(commandEvent.parse(event.data))
      case 'edge:answer':
        return void hear(answerEvent.parse(event.data))
      case 'edge:begun':
        return begun(event)
    }
  })

  function tell({ id, edgeId, command }: z.infer<typeof commandEvent>): void {
    // The other node repeats a command whose COMMIT had no answer.
    if (told.has(id)) return
    if (door.send(edgeId, { type: 'command', id, command }) === undefined) return
    told.set(id, edgeId)
    const [oldest] = told.keys()
    if (told.size > toldMost && oldest !== undefined) told.delete(oldest)
  }

  /** Returns whether this node has asked. */
  function hear(answer: Answered): boolean {
    const open = asked.get(answer.command)
    if (open?.edgeId !== answer.edgeId) return false
    open.hear(answer)
    return true
  }

  function begun({ data }: HeardEvent): void {
    for (const { id, run } of begunEvent.parse(data).edges) for (const listener of awaited) listener(id, run)
  }

  const emit = (name: string, data: Record<string, unknown>) =>
    events.transaction((_trx, emitEvent) => emitEvent({ topic: edgeNodeTopic, name, data }))

  /** Settles when `begin` resolves, the time has passed, or the signal fires. */
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
    /** Handles the answer of an agent of this node. Returns whether it belongs to an open command of this or another node. */
    async onAnswer({ edgeId }: Agent, { command, lines, outcome }: Answer): Promise<boolean> {
      const answer = { command, edgeId, lines, ...(outcome !== undefined && { outcome }) }
      if (hear(answer)) return true
      if (told.get(command) !== edgeId) return false
      await whenAnswered(() => emit('edge:answer', answer), answerTime)
      if (outcome !== undefined) told.set(command, undefined)
      return true
    },

    /**
     * Executes a command on an edge; returns its result.
     *
     * @throws {AppError} EDGE_DID_NOT_ANSWER, or EDGE_CANNOT with the agent's message.
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
      // The caller awaits it below, unless the event could not be written.
      answered.catch(() => {})
      // Repeated until the command ends.
      const publish = async () => {
        if (asked.has(id)) await emit('edge:command', { id, edgeId, command })
      }
      if (door.send(edgeId, { type: 'command', id, command }) === undefined) await whenAnswered(publish)
      return answered
    },

    /** Waits until the edge's agent reconnects with another process id than `run`. */
    awaitRestart: (
      edgeId: string,
      { run, signal, time = restartTime }: { run: string | undefined; signal: AbortSignal; time?: number },
    ): Promise<void> =>
      within<void>(time, signal, ({ resolve }) => {
        const listener = (id: string, begunRun: string) => {
          if (id === edgeId && begunRun !== run) resolve()
        }
        awaited.add(listener)
        return () => void awaited.delete(listener)
      }),

    /** The process and version of the agent that reported last. */
    async agentOf(edgeId: string): Promise<{ run?: string; version?: string }> {
      const row = await whenAnswered(
        () =>
          db
            .selectFrom('edge_presence')
            .select(['run', 'version'])
            .where('edge_id', '=', edgeId)
            .executeTakeFirst(),
        answerTime,
      )
      return row ?? {}
    },
  }
}
export type EdgeCommands = ReturnType<typeof createEdgeCommands>
