import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from '@pult/contract'
import { writeLog } from '../agent-log.ts'
import { writeDurably } from '../durable-file.ts'
import { reasonOf } from '../state.ts'

const noted = z.record(
  z.string(),
  z.object({
    /** A user has stopped it. */
    isStopped: z.boolean(),
    /** The process that was started last. Its start time distinguishes it from a later process with the same id. */
    process: z.nullable(z.object({ pid: z.number(), startedAt: z.string() })),
  }),
)
type Noted = z.infer<typeof noted>

/** Stores facts about the programs that must survive the end of the agent, including a crash. */
export function createProgramNotes(folder: string) {
  const file = join(folder, 'programs.json')
  let loaded: Promise<Noted> | undefined
  let writing: Promise<void> = Promise.resolve()

  async function read(): Promise<Noted> {
    try {
      return noted.parse(JSON.parse(await readFile(file, 'utf8')))
    } catch (error) {
      const isNew = error instanceof Error && 'code' in error && error.code === 'ENOENT'
      if (!isNew) writeLog(`${file} cannot be read, so stopped programs start: ${reasonOf(error)}`)
      return {}
    }
  }

  const load = () => (loaded ??= read())

  async function change(key: string, changes: Partial<Noted[string]>): Promise<void> {
    const all = await load()
    all[key] = { isStopped: false, process: null, ...all[key], ...changes }
    writing = writing.catch(() => {}).then(() => writeDurably(file, JSON.stringify(all)))
    await writing
  }

  return {
    isStopped: async (key: string): Promise<boolean> => (await load())[key]?.isStopped === true,

    /** @throws {Error} if it cannot be written, because a stopped program would then start again. */
    setStopped: (key: string, isStopped: boolean): Promise<void> => change(key, { isStopped }),

    async started(key: string, pid: number): Promise<void> {
      const startedAt = await startOf(pid)
      if (startedAt === undefined) return
      await change(key, { process: { pid, startedAt } }).catch((error: unknown) =>
        writeLog(`${file} cannot be written: ${reasonOf(error)}`),
      )
    },

    /** Kills the process that a killed agent has left, because it would conflict with a second one. */
    async killRemaining(key: string): Promise<void> {
      const left = (await load())[key]?.process
      if (left === undefined || left === null || (await startOf(left.pid)) !== left.startedAt) return
      try {
        process.kill(-left.pid, 'SIGKILL')
      } catch {
        // The process has just ended.
      }
    },
  }
}
export type ProgramNotes = ReturnType<typeof createProgramNotes>

/**
 * Returns the start of a process as the id of the boot and ticks since then; undefined if the system does not report
 * it.
 */
async function startOf(pid: number): Promise<string | undefined> {
  try {
    const [status, boot] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'utf8'),
      readFile('/proc/sys/kernel/random/boot_id', 'utf8'),
    ])
    const ticks = status.slice(status.lastIndexOf(')') + 2).split(' ')[19]
    return ticks === undefined ? undefined : `${boot.trim()} ${ticks}`
  } catch {
    return undefined
  }
}
