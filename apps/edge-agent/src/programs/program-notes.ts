import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from '@pult/contract'
import { writeLog } from '../agent-log.ts'
import { writeDurably } from '../durable-file.ts'
import { reasonOf } from '../state.ts'
import { membersOf, processOf, type RunningProcess } from './process-group.ts'

const noted = z.record(
  z.string(),
  z.object({
    /** A user has stopped it. */
    isStopped: z.boolean(),
    /**
     * The process that was started last, until its program was stopped. Its start time distinguishes it from a later
     * process with the same id.
     */
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

  /** Changes one note at a time. */
  function change(key: string, changes: Partial<Noted[string]>): Promise<void> {
    const changed = writing.then(async () => {
      const all = await load()
      const before = all[key] ?? { isStopped: false, process: null }
      all[key] = { ...before, ...changes }
      try {
        await writeDurably(file, JSON.stringify(all))
      } catch (error) {
        // An order that was refused must not take effect with the next note. A process exists all the same.
        all[key] = { ...before, ...changes, isStopped: before.isStopped }
        throw error
      }
    })
    writing = changed.catch(() => {})
    return changed
  }

  /** Notes a fact that the agent can do without. */
  const tryChange = (key: string, changes: Partial<Noted[string]>): Promise<void> =>
    change(key, changes).catch((error: unknown) => writeLog(`${file} cannot be written: ${reasonOf(error)}`))

  const isStopped = async (key: string): Promise<boolean> => (await load())[key]?.isStopped === true

  return {
    isStopped,

    /** @throws {Error} if it cannot be written, because a stopped program would then start again. */
    async setStopped(key: string, shouldStop: boolean): Promise<void> {
      if ((await isStopped(key)) === shouldStop) return
      await change(key, shouldStop ? { isStopped: true, process: null } : { isStopped: false })
    },

    async started(key: string, pid: number): Promise<void> {
      const startedAt = await startOf(pid)
      if (startedAt === undefined) return
      await tryChange(key, { process: { pid, startedAt } })
    },

    /** Notes that no process of the program is left. Its id may later belong to another process. */
    async ended(key: string): Promise<void> {
      if ((await load())[key]?.process) await tryChange(key, { process: null })
    },

    /** Kills the processes that a killed agent has left, because they would conflict with new ones. */
    async killRemaining(key: string): Promise<void> {
      const left = (await load())[key]?.process
      if (left === undefined || left === null || !(await isLeft(left))) return
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
 * Whether processes of a program are left. The first one leads the group and the session of the others, and may have
 * ended.
 */
async function isLeft({ pid, startedAt }: NonNullable<Noted[string]['process']>): Promise<boolean> {
  const [boot, ticks] = startedAt.split(' ')
  if (boot !== (await bootId())) return false
  const members = await membersOf(pid)
  const isOwn = (member: RunningProcess) =>
    member.session === pid &&
    (member.pid === pid ? member.startedAt === Number(ticks) : member.startedAt >= Number(ticks))
  return members.length > 0 && members.every(isOwn)
}

/**
 * Returns the start of a process as the id of the boot and ticks since then; undefined if the system does not report
 * it.
 */
async function startOf(pid: number): Promise<string | undefined> {
  const [boot, started] = await Promise.all([bootId(), processOf(pid)])
  return boot === undefined || started === undefined ? undefined : `${boot} ${started.startedAt}`
}

const bootId = (): Promise<string | undefined> =>
  readFile('/proc/sys/kernel/random/boot_id', 'utf8').then(
    (text) => text.trim(),
    () => undefined,
  )
