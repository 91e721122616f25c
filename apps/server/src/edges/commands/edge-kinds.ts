import type { Sentence } from '#platform/language.ts'
import type { TaskKind } from '../../tasks/task-kind.ts'
import type { EdgeCommands } from './edge-commands.ts'

const waiting: Sentence = {
  de: 'The agent ends. Waiting until it is back.',
  'de-DE': 'Der Agent beendet sich. Warten, bis er wieder da ist.',
}
const back: Sentence = { de: 'The agent is back.', 'de-DE': 'Der Agent ist wieder da.' }
const restarted: Sentence = { de: 'The agent has restarted.', 'de-DE': 'Der Agent ist neu gestartet.' }

export interface RestartPayload {
  edgeId: string
  /** One of its instances, as its agent's settings name it; null is the agent itself. */
  key: string | null
}

/** Restarts an agent, and ends when it is back; or an instance, and ends when the agent has done it. */
export function createRestartKind(commands: EdgeCommands): TaskKind<RestartPayload> {
  return {
    type: 'edge-restart',
    kind: 'info',
    deadline: 180_000,
    // Whether it was restarted before the server went away cannot be told.
    canRestart: false,
    concurrency: 50,
    async run({ payload: { edgeId, key }, signal, log, progress }) {
      progress(0, 2)
      const asked = { onLine: log, signal }
      if (key !== null) return { info: await commands.run(edgeId, { name: 'restart-instance', key }, asked) }
      const run = await commands.runOf(edgeId)
      const ended = new AbortController()
      const returning = commands.awaitRestart(edgeId, run, AbortSignal.any([signal, ended.signal]))
      returning.catch(() => {})
      try {
        await commands.run(edgeId, { name: 'restart' }, asked)
        progress(1, 2)
        log(waiting)
        await returning
      } finally {
        ended.abort()
      }
      log(back)
      return { info: restarted }
    },
  }
}

export interface DiagnosticsPayload {
  edgeId: string
}

/** What the agent finds stands in the log. */
export function createDiagnosticsKind(commands: EdgeCommands): TaskKind<DiagnosticsPayload> {
  return {
    type: 'edge-diagnostics',
    kind: 'info',
    deadline: 180_000,
    canRestart: true,
    concurrency: 50,
    run: async ({ payload: { edgeId }, signal, log }) => ({
      info: await commands.run(edgeId, { name: 'diagnostics' }, { onLine: log, signal }),
    }),
  }
}
