import type { EdgeReport } from '@pult/contract'
import type { ConfiguredInstance } from './config.ts'
import { runProgram } from './run-program.ts'

type Reported = EdgeReport['instances'][number]

const statusEvery = 20_000
const statusTimeout = 5000
const restartTimeout = 120_000

/** What this edge runs: how each is, and restarting one. */
export function createInstances(configured: readonly ConfiguredInstance[]) {
  const states = new Map<string, Reported['state']>()
  let timer: NodeJS.Timeout | undefined

  async function look({ key, status }: ConfiguredInstance): Promise<void> {
    if (status === undefined) return
    const { code } = await runProgram(status, statusTimeout)
    states.set(key, code === null ? 'unknown' : code === 0 ? 'running' : 'stopped')
  }

  /** One after the other: a small machine has better uses for its cores. */
  async function lookAtAll(): Promise<void> {
    for (const instance of configured) await look(instance)
    timer = setTimeout(() => void lookAtAll(), statusEvery).unref()
  }

  return {
    start: (): Promise<void> => lookAtAll(),
    stop: () => clearTimeout(timer),

    report: (): Reported[] =>
      configured.map(({ key, label, restart }) => ({
        key,
        label,
        state: states.get(key) ?? 'unknown',
        canRestart: restart !== undefined,
      })),

    /** @throws {Error} with a message for people. */
    async restart(key: string, onLine: (line: string) => void): Promise<string> {
      const instance = configured.find((one) => one.key === key)
      if (instance?.restart === undefined) throw new Error(`The settings do not say how ${key} is restarted`)
      onLine(`$ ${instance.restart.join(' ')}`)
      const { lines, reason } = await runProgram(instance.restart, restartTimeout)
      for (const line of lines) onLine(line)
      if (reason !== undefined) throw new Error(`${instance.label} was not restarted: ${reason}`)
      await look(instance)
      return `${instance.label} was restarted.`
    },
  }
}
export type Instances = ReturnType<typeof createInstances>
