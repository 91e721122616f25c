import { randomUUID } from 'node:crypto'
import type { AgentMessage, EdgeCommand } from '@pult/contract'
import type { Kysely } from 'kysely'
import * as z from 'zod'
import { AppError } from '#platform/app-error.ts'
import type { Database } from '#platform/database/schema.ts'
import type { ReceivedEvent } from '#platform/realtime/event-tail.ts'
import type { Events } from '#platform/realtime/events.ts'
import { whenAnswered } from '#platform/transient.ts'
import type { Agent, AgentGateway } from '../agents/agent-gateway.ts'
import { edgeNodeTopic } from '../edge-topic.ts'

type Answer = Extract<AgentMessage, { type: 'answer' }>

interface EdgeCommandsParts {
  db: Kysely<Database>
  events: Events
  gateway: Pick<AgentGateway, 'send' | 'replacedElsewhere'>
}

interface Asked {
  /** Receives the lines of the command's output. */
  onLine: (line: string) => void
  signal: AbortSignal
}

/** Timeouts in milliseconds: for the answer of an agent, and for the return of a restarting agent. */
const answerTime = 15_000
const restartTime = 60_000

/** Number of commands of other nodes that this node remembers. */
const forwardedMost = 1000

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
const begunEvent = z.object({
  edges: z.array(
    z.object({
      id: z.string(),
      run: z.string(),
      // Nodes of the previous release do not send these two.
      number: z.number().default(0),
      address: z.string().default(''),
    }),
  ),
})

/**
 * Sends commands to edges and receives their answers. If an edge's agent is connected to another node, both directions
 * use events, which every node receives.
 */
export function createEdgeCommands({ db, events, gateway }: EdgeCommandsParts) {
  const asked = new Map<string, { edgeId: string; receive: (answer: Answered) => void }>()
  const awaited = new Set<(edgeId: string, run: string) => void>()
  /** Commands of other nodes that were sent to agents of this node; undefined after their outcome. */
  const forwarded = new Map<string, string | undefined>()

  events.listen((event) => {
    if (event.topic !== edgeNodeTopic) return
    switch (event.name) {
      case 'edge:command':
        return forward(commandEvent.parse(event.data))
      case 'edge:answer':
        return void receive(answerEvent.parse(event.data))
      case 'edge:begun':
        return begun(event)
    }
  })

  function forward({ id, edgeId, command }: z.infer<typeof commandEvent>): void {
    // The other node repeats a command whose COMMIT had no answer.
    if (forwarded.has(id)) return
    if (gateway.send(edgeId, { type: 'command', id, command }) === undefined) return
    forwarded.set(id, edgeId)
    const [oldest] = forwarded.keys()
    if (forwarded.size > forwardedMost && oldest !== undefined) forwarded.delete(oldest)
  }

  /** Delivers an answer. Returns whether this node has sent the command. */
  function receive(answer: Answered): boolean {
    const open = asked.get(answer.command)
    if (open?.edgeId !== answer.edgeId) return false
    open.receive(answer)
    return true
  }

  function begun({ data }: ReceivedEvent): void {
    for (const { id, ...agent } of begunEvent.parse(data).edges) {
      gateway.replacedElsewhere(id, agent)
      for (const listener of awaited) listener(id, agent.run)
    }
  }

  const emit = (name: string, data: Record<string, unknown>) =>
    events.transaction((_trx, emitEvent) => emitEvent({ topic: edgeNodeTopic, name, data }))

  /** Settles when `begin` settles, after the timeout, or when the signal aborts. */
  function within<Result>(
    time: number,
    signal: AbortSignal,
    begin: (settle: {
      resolve: (result: Result) => void
      reject: (error: Error) => void
      extend: () => void
    }) => () => void,
  ): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    const late = () => reject(new AppError('EDGE_DID_NOT_ANSWER'))
    let timer = setTimeout(late, time)
    const stop = begin({
      resolve,
      reject,
      extend: () => {
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
    /** Handles the answer of an agent of this node. Returns whether it belongs to an open command of any node. */
    async onAnswer({ edgeId }: Agent, { command, lines, outcome }: Answer): Promise<boolean> {
      const answer = { command, edgeId, lines, ...(outcome !== undefined && { outcome }) }
      if (receive(answer)) return true
      if (forwarded.get(command) !== edgeId) return false
      await whenAnswered(() => emit('edge:answer', answer), answerTime)
      if (outcome !== undefined) forwarded.set(command, undefined)
      return true
    },

    /**
     * Executes a command on an edge and returns its result.
     *
     * @throws {AppError} EDGE_DID_NOT_ANSWER, or EDGE_CANNOT with the agent's message.
     */
    async run(edgeId: string, command: EdgeCommand, { onLine, signal }: Asked): Promise<string> {
      // The task may have ended before its command was sent.
      if (signal.aborted) throw new AppError('TASK_ENDED')
      const id = randomUUID()
      const answered = within<string>(answerTime, signal, ({ resolve, reject, extend }) => {
        asked.set(id, {
          edgeId,
          receive({ lines, outcome }) {
            for (const line of lines) onLine(line)
            if (outcome === undefined) extend()
            else if (outcome.ok) resolve(outcome.info)
            else reject(new AppError('EDGE_CANNOT', { message: outcome.error }))
          },
        })
        return () => void asked.delete(id)
      })
      // The caller awaits the promise below, unless the event could not be written.
      answered.catch(() => {})
      // Repeated until the command ends.
      const publish = async () => {
        if (asked.has(id)) await emit('edge:command', { id, edgeId, command })
      }
      if (gateway.send(edgeId, { type: 'command', id, command }) === undefined) await whenAnswered(publish)
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

    /** Returns the process and version of the agent that reported last. */
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
