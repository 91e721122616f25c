import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from '@pult/contract'
import { writeLog } from './agent-log.ts'
import { writeDurably } from './durable-file.ts'
import { compareVersions } from './release.ts'
import { reasonOf } from './state.ts'

/*
 * The files of newer agents in the state folder, and the choice of the file that runs: the current one or, during an
 * update, the one on trial. The installed file runs the supervisor and is never changed, so the agent can always start.
 * Only the supervisor writes `current.json`.
 */

const installedFile = z.object({ version: z.string(), sha256: z.string() })
type InstalledFile = z.infer<typeof installedFile>

const pointer = z.object({
  /** The newest file that has been healthy; null for the installed file. */
  current: z.nullable(installedFile),
  /** A file that has not been healthy yet. `starts` counts its starts. */
  trial: z.nullable(z.object({ ...installedFile.shape, starts: z.number() })),
  /** The last rejected file. */
  failed: z.nullable(z.object({ version: z.string(), reason: z.string(), at: z.string() })),
  /** The newest version tried. Older versions are rejected. */
  newest: z.nullable(z.string()),
})
type Pointer = z.infer<typeof pointer>

const empty: Pointer = { current: null, trial: null, failed: null, newest: null }

/** Number of starts after which a trial that never reported is rejected, for example because of power cuts. */
const startsMost = 3

const folderOf = (stateFolder: string) => join(stateFolder, 'agent')
const pointerOf = (stateFolder: string) => join(folderOf(stateFolder), 'current.json')
const fileOf = (stateFolder: string, sha256: string) => join(folderOf(stateFolder), `${sha256}.mjs`)

/** The names of the agent's own files. The state folder may belong to other programs as well. */
const ownFile = /^(?:[\da-f]{64}\.mjs|current\.json)(?:\.next)?$/

/** Reads the pointer. A damaged one counts as missing: then the installed file runs. */
export async function readPointer(stateFolder: string): Promise<Pointer> {
  try {
    return pointer.parse(JSON.parse(await readFile(pointerOf(stateFolder), 'utf8')))
  } catch {
    return empty
  }
}

async function write(stateFolder: string, file: string, content: string | Buffer): Promise<void> {
  await mkdir(folderOf(stateFolder), { recursive: true, mode: 0o700 })
  await writeDurably(file, content)
}

const writePointer = (stateFolder: string, content: Pointer) =>
  write(stateFolder, pointerOf(stateFolder), `${JSON.stringify(content, null, 2)}\n`)

/** Stores a verified file beside the running one. */
export const storeFile = (stateFolder: string, sha256: string, content: Buffer): Promise<void> =>
  write(stateFolder, fileOf(stateFolder, sha256), content)

/**
 * Checks that a file of this size can be stored before it is downloaded, over a link that may be slow or expensive.
 *
 * @throws {Error} of the disk.
 */
export async function checkRoom(stateFolder: string, sha256: string, size: number): Promise<void> {
  const next = `${fileOf(stateFolder, sha256)}.next`
  await mkdir(folderOf(stateFolder), { recursive: true, mode: 0o700 })
  try {
    // A file system that compresses would store zeros anywhere.
    await writeFile(next, randomBytes(size))
  } finally {
    await rm(next, { force: true })
  }
}

async function isIntact(stateFolder: string, { sha256 }: InstalledFile): Promise<boolean> {
  const content = await readFile(fileOf(stateFolder, sha256)).catch(() => undefined)
  return content !== undefined && createHash('sha256').update(content).digest('hex') === sha256
}

interface ChosenFile {
  path: string
  version: string
  isTrial: boolean
}

/** Decides which file runs. `own` is the version of the installed file. */
export function createInstalled(stateFolder: string, own: string) {
  /** An installed file that an operator has replaced by a newer one takes precedence. */
  const isNewer = ({ version }: InstalledFile) => compareVersions(version, own) > 0

  async function reject(reason: string): Promise<void> {
    const { trial, ...rest } = await readPointer(stateFolder)
    if (trial === null) return
    const failed = { version: trial.version, reason, at: new Date().toISOString() }
    await writePointer(stateFolder, { ...rest, trial: null, failed })
    await sweep()
  }

  /** Deletes files that no longer run and parts of interrupted downloads. Ignores errors of the disk. */
  async function sweep(): Promise<void> {
    const { current, trial } = await readPointer(stateFolder)
    const kept = new Set(['current.json', `${current?.sha256}.mjs`, `${trial?.sha256}.mjs`])
    const names = await readdir(folderOf(stateFolder)).catch(() => [])
    for (const name of names)
      if (ownFile.test(name) && !kept.has(name))
        await rm(join(folderOf(stateFolder), name), { force: true }).catch(() => {})
  }

  async function startTrial(trial: NonNullable<Pointer['trial']>): Promise<ChosenFile | undefined> {
    if (!isNewer(trial)) await reject(`The installed agent is ${own}`)
    else if (trial.starts >= startsMost) await reject('It ended before it had reported')
    else if (!(await isIntact(stateFolder, trial))) await reject('Its file is damaged')
    else {
      const before = await readPointer(stateFolder)
      await writePointer(stateFolder, { ...before, trial: { ...trial, starts: trial.starts + 1 } })
      return { path: fileOf(stateFolder, trial.sha256), version: trial.version, isTrial: true }
    }
    return undefined
  }

  return {
    reject,

    /** Puts this file on trial at the next start. A repeated order does not add starts. */
    async tryNext({ version, sha256 }: InstalledFile): Promise<void> {
      const before = await readPointer(stateFolder)
      await writePointer(stateFolder, {
        ...before,
        trial: { version, sha256, starts: before.trial?.sha256 === sha256 ? before.trial.starts : 0 },
        newest: version,
      })
    },

    /** Makes the file on trial the current one. */
    async accept(): Promise<void> {
      const { trial, ...rest } = await readPointer(stateFolder)
      if (trial === null) return
      const { version, sha256 } = trial
      await writePointer(stateFolder, { ...rest, current: { version, sha256 }, trial: null, failed: null })
      await sweep()
    },

    /**
     * Returns the file to start; undefined for the installed one. Counts a start of a trial before it happens. A
     * postponed trial does not start.
     */
    async choose({ isTrialPostponed = false } = {}): Promise<ChosenFile | undefined> {
      await sweep()
      const { trial, current } = await readPointer(stateFolder)
      // If the start could not be counted, a failing trial could restart for ever.
      const tried =
        !isTrialPostponed &&
        trial &&
        (await startTrial(trial).catch((error: unknown) => writeLog(reasonOf(error))))
      if (tried) return tried
      if (current === null || !isNewer(current) || !(await isIntact(stateFolder, current))) return undefined
      return { path: fileOf(stateFolder, current.sha256), version: current.version, isTrial: false }
    },
  }
}
