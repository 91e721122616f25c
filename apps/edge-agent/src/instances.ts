import { join } from 'node:path'
import type { EdgeReport } from '@pult/contract'
import { writeLog } from './agent-log.ts'
import type { ConfiguredInstance } from './config.ts'
import { createAdopted } from './programs/adopted.ts'
import { createLogStore, type FoundLines } from './programs/log-store.ts'
import { createLogText } from './programs/log-text.ts'
import { createProgramNotes } from './programs/program-notes.ts'
import { createSupervised } from './programs/supervised.ts'
import { runProgram } from './run-program.ts'
import { reasonOf } from './state.ts'

type Reported = EdgeReport['instances'][number]

const statusEvery = 20_000
const statusTimeout = 5000
const restartTimeout = 120_000

interface InstancesParts {
  stateFolder: string
  /** Text that matches these patterns must not reach a log. */
  redact: readonly RegExp[]
  /** Variables of all programs. */
  environment?: Readonly<Record<string, string>>
}

/** Reads the state of this edge's instances, and starts, stops and restarts them. */
export function createInstances(
  configured: readonly ConfiguredInstance[],
  { stateFolder, redact, environment = {} }: InstancesParts,
) {
  const states = new Map<string, Reported['state']>()
  const notes = createProgramNotes(stateFolder)
  const logText = createLogText(redact)
  const programs = new Map(
    configured.flatMap((instance) => {
      const { key, run, unit } = instance
      if (run === undefined && unit === undefined) return []
      const log = createLogStore({ folder: join(stateFolder, 'logs', key) })
      const program =
        run !== undefined
          ? createSupervised({
              settings: { ...instance, run, environment: { ...environment, ...instance.environment } },
              log,
              logText,
              notes,
            })
          : createAdopted({ key, unit: unit ?? '', log, logText })
      return [[key, program] as const]
    }),
  )
  let timer: NodeJS.Timeout | undefined
  const stopping = new AbortController()
  /** Status programs that have not ended, although their time limit has passed. */
  const hanging = new Set<string>()

  async function check({ key, status }: ConfiguredInstance): Promise<void> {
    const program = programs.get(key)
    if (program !== undefined && 'check' in program) return program.check()
    // A second one would hang as well, until the agent had no handles left.
    if (status === undefined || hanging.has(key)) return
    const { code, gone } = await runProgram(status, {
      timeout: statusTimeout,
      env: environment,
      signal: stopping.signal,
    })
    hanging.add(key)
    void gone.then(() => hanging.delete(key))
    states.set(key, code === null ? 'unknown' : code === 0 ? 'running' : 'stopped')
  }

  const logged = new Set<string>()
  /** Logs an unexpected error once. It must neither end the agent nor the checks of the other programs. */
  function failed(what: string, error: unknown): void {
    const line = `The agent cannot ${what}: ${reasonOf(error)}`
    if (!logged.has(line)) writeLog(line)
    logged.add(line)
  }

  /** Sequential, because a small machine has few cores. */
  async function checkAll(): Promise<void> {
    for (const instance of configured)
      await check(instance).catch((error: unknown) => failed(`check ${instance.label}`, error))
    timer = setTimeout(() => void checkAll(), statusEvery).unref()
  }

  const labelOf = (key: string) => configured.find((one) => one.key === key)?.label ?? key

  function programOf(key: string) {
    const program = programs.get(key)
    if (program === undefined) throw new Error(`The settings of the agent have no run or unit for ${key}`)
    return program
  }

  return {
    async start(): Promise<void> {
      await Promise.all(
        [...programs].map(([key, program]) =>
          program.open().catch((error: unknown) => failed(`start ${labelOf(key)}`, error)),
        ),
      )
      await checkAll()
    },

    /** Stops the programs that the agent has started. */
    async stop(): Promise<void> {
      clearTimeout(timer)
      await Promise.all([...programs.values()].map((program) => program.close()))
    },

    /** Kills them immediately. */
    kill(): void {
      stopping.abort()
      for (const program of programs.values()) program.kill()
    },

    report: (): Reported[] =>
      configured.map(({ key, label, restart }) => {
        const program = programs.get(key)
        return {
          key,
          label,
          state: program?.state() ?? states.get(key) ?? 'unknown',
          canRestart: restart !== undefined || program !== undefined,
          ...(program !== undefined && { program: program.report() }),
        }
      }),

    /** @throws {Error} with a message for the user. */
    async startProgram(key: string): Promise<string> {
      await programOf(key).start()
      return `${labelOf(key)} was started.`
    },

    /** @throws {Error} with a message for the user. */
    async stopProgram(key: string): Promise<string> {
      await programOf(key).stop()
      return `${labelOf(key)} was stopped.`
    },

    /** @throws {Error} with a message for the user. */
    async restart(key: string, onLine: (line: string) => void): Promise<string> {
      const instance = configured.find((one) => one.key === key)
      if (programs.has(key)) {
        await programOf(key).restart()
        return `${labelOf(key)} was restarted.`
      }
      if (instance?.restart === undefined)
        throw new Error(`The settings of the agent have no restart command for ${key}`)
      onLine(`$ ${instance.restart.join(' ')}`)
      const { lines, reason } = await runProgram(instance.restart, {
        timeout: restartTimeout,
        env: environment,
        leavesProcesses: true,
      })
      for (const line of lines) onLine(line)
      if (reason !== undefined) throw new Error(`${instance.label} was not restarted: ${reason}`)
      await check(instance)
      return `${instance.label} was restarted.`
    },

    /** Returns lines of the log of a program. An unknown program has none. */
    readLog: (
      key: string,
      asked: { after: number; before?: number | undefined; isForward?: boolean | undefined },
    ): Promise<FoundLines> =>
      programs.get(key)?.log.read(asked) ?? Promise.resolve({ first: 0, lines: [], oldest: 0 }),
  }
}
export type Instances = ReturnType<typeof createInstances>
