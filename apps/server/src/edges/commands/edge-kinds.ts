import { type EdgeCommand, taskMessageOf } from '@pult/contract'
import { AppError } from '#platform/app-error.ts'
import type { TaskText } from '../../tasks/task.ts'
import type { TaskKind } from '../../tasks/task-kind.ts'
import type { EdgeCommands } from './edge-commands.ts'

export interface RestartPayload {
  edgeId: string
  /** The key of an instance in its agent's settings; null for the agent itself. */
  key: string | null
}

/** Rejects a command whose sender may no longer manage the edges of its project, or whose edge has left it. */
export type CheckEdgeTask = TaskKind<{ edgeId: string }>['check']

/** Restarts an agent and finishes when it reconnects, or restarts an instance and finishes when the agent confirms. */
export function createRestartKind(commands: EdgeCommands, check: CheckEdgeTask): TaskKind<RestartPayload> {
  return {
    type: 'edge-restart',
    kind: 'info',
    deadline: 180_000,
    // The agent may already have restarted when the server stopped, so the task cannot be repeated.
    canRestart: false,
    concurrency: 50,
    check,
    async run({ payload: { edgeId, key }, signal, log, progress }) {
      progress(0, 2)
      const asked = { onLine: log, signal }
      if (key !== null) return { info: await commands.run(edgeId, { name: 'restart-instance', key }, asked) }
      await restartWith(commands, edgeId, { name: 'restart' }, { ...asked, onLeaving: () => progress(1, 2) })
      log(taskMessageOf('agent-reconnected'))
      return { info: taskMessageOf('agent-restarted') }
    },
  }
}

export interface ProgramPayload {
  edgeId: string
  key: string
  verb: 'start' | 'stop'
}

/** Starts or stops a program, and finishes when the agent confirms. */
export function createProgramKind(
  verb: ProgramPayload['verb'],
  commands: EdgeCommands,
  check: CheckEdgeTask,
): TaskKind<ProgramPayload> {
  return {
    type: `edge-${verb}`,
    kind: 'info',
    deadline: 180_000,
    canRestart: true,
    concurrency: 50,
    check,
    run: async ({ payload: { edgeId, key }, signal, log }) => ({
      info: await commands.run(edgeId, { name: `${verb}-instance`, key }, { onLine: log, signal }),
    }),
  }
}

/** Executes a command that ends the agent's process, and waits until a new process connects. */
async function restartWith(
  commands: EdgeCommands,
  edgeId: string,
  command: EdgeCommand,
  asked: {
    onLine: (line: TaskText) => void
    signal: AbortSignal
    onLeaving: () => void
    time?: number
  },
): Promise<void> {
  const { onLine, signal, onLeaving, ...time } = asked
  const { run } = await commands.agentOf(edgeId)
  const ended = new AbortController()
  const until = AbortSignal.any([signal, ended.signal])
  const returning = commands.awaitRestart(edgeId, { run, signal: until, ...time })
  returning.catch(() => {})
  try {
    await commands.run(edgeId, command, { onLine, signal })
    onLeaving()
    onLine(taskMessageOf('agent-restarts'))
    await returning
  } finally {
    ended.abort()
  }
}

export interface UpdatePayload {
  edgeId: string
}

/** Milliseconds for two downloads of a minute each, a minute on trial, and the return to the former file. */
const updateTime = 240_000

/** Updates an agent and finishes when its new version is connected. */
export function createUpdateKind(
  commands: EdgeCommands,
  check: CheckEdgeTask,
  version: string,
): TaskKind<UpdatePayload> {
  return {
    type: 'edge-update',
    kind: 'info',
    deadline: 300_000,
    // The agent may already have the new version when the server stopped.
    canRestart: false,
    concurrency: 50,
    check,
    async run({ payload: { edgeId }, signal, log, progress }) {
      progress(0, 2)
      const onLeaving = () => progress(1, 2)
      await restartWith(
        commands,
        edgeId,
        { name: 'update' },
        { onLine: log, signal, onLeaving, time: updateTime },
      )
      const agent = await commands.agentOf(edgeId)
      if (agent.version !== version)
        throw new AppError('EDGE_CANNOT', {
          taskMessage: taskMessageOf('agent-not-updated', { version: agent.version ?? '' }),
        })
      return { info: taskMessageOf('agent-updated') }
    },
  }
}

export interface DiagnosticsPayload {
  edgeId: string
}

/** Runs the diagnostics of an agent. Its findings are in the task's log. */
export function createDiagnosticsKind(
  commands: EdgeCommands,
  check: CheckEdgeTask,
): TaskKind<DiagnosticsPayload> {
  return {
    type: 'edge-diagnostics',
    kind: 'info',
    deadline: 180_000,
    canRestart: true,
    concurrency: 50,
    check,
    run: async ({ payload: { edgeId }, signal, log }) => ({
      info: await commands.run(edgeId, { name: 'diagnostics' }, { onLine: log, signal }),
    }),
  }
}
