import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from '@pult/contract'
import { writeDurably } from './durable-file.ts'
import { compareVersions } from './release.ts'
import { say } from './say.ts'
import { reasonOf } from './state.ts'

/*
 * The files of newer agents in the state folder, and which of them runs: the present one and, during an update, the
 * one on trial. The file with which the agent was installed supervises and is never changed, so there is always a file
 * that starts. Only the supervisor writes `current.json`.
 */

const installedFile = z.object({ version: z.string(), sha256: z.string() })
type InstalledFile = z.infer<typeof installedFile>

const pointer = z.object({
  /** Has been healthy; null for the file of the installation. */
  current: z.nullable(installedFile),
  /** Has not been healthy yet. `starts` counts its starts. */
  trial: z.nullable(z.object({ ...installedFile.shape, starts: z.number() })),
  /** The last file that was given up. */
  failed: z.nullable(z.object({ version: z.string(), reason: z.string(), at: z.string() })),
  /** No older version is accepted any more. */
  newest: z.nullable(z.string()),
})
type Pointer = z.infer<typeof pointer>

const empty: Pointer = { current: null, trial: null, failed: null, newest: null }

/** Starts of a trial that may end with a loss of power. */
const startsMost = 3

const folderOf = (stateFolder: string) => join(stateFolder, 'agent')
const pointerOf = (stateFolder: string) => join(folderOf(stateFolder), 'current.json')
const fileOf = (stateFolder: string, sha256: string) => join(folderOf(stateFolder), `${sha256}.mjs`)

/** A damaged pointer counts as none: then the file of the installation runs. */
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

async function isIntact(stateFolder: string, { sha256 }: InstalledFile): Promise<boolean> {
  const content = await readFile(fileOf(stateFolder, sha256)).catch(() => undefined)
  return content !== undefined && createHash('sha256').update(content).digest('hex') === sha256
}

interface ChosenFile {
  path: string
  version: string
  isTrial: boolean
}

/** Decides which file runs. `own` is the version of the file of the installation. */
export function createInstalled(stateFolder: string, own: string) {
  /** A file of the installation that has been replaced by hand takes precedence. */
  const isNewer = ({ version }: InstalledFile) => compareVersions(version, own) > 0

  async function giveUp(reason: string): Promise<void> {
    const { trial, ...rest } = await readPointer(stateFolder)
    if (trial === null) return
    const failed = { version: trial.version, reason, at: new Date().toISOString() }
    await writePointer(stateFolder, { ...rest, trial: null, failed })
    await sweep()
  }

  /** Deletes files that no longer run, and what an interrupted download left. A full or broken disk does not matter. */
  async function sweep(): Promise<void> {
    const { current, trial } = await readPointer(stateFolder)
    const kept = new Set(['current.json', `${current?.sha256}.mjs`, `${trial?.sha256}.mjs`])
    const names = await readdir(folderOf(stateFolder)).catch(() => [])
    for (const name of names)
      if (!kept.has(name)) await rm(join(folderOf(stateFolder), name), { force: true }).catch(() => {})
  }

  async function tryOut(trial: NonNullable<Pointer['trial']>): Promise<ChosenFile | undefined> {
    if (!isNewer(trial)) await giveUp(`The installed agent is ${own}`)
    else if (trial.starts >= startsMost) await giveUp('It ended before it had reported')
    else if (!(await isIntact(stateFolder, trial))) await giveUp('Its file is damaged')
    else {
      const before = await readPointer(stateFolder)
      await writePointer(stateFolder, { ...before, trial: { ...trial, starts: trial.starts + 1 } })
      return { path: fileOf(stateFolder, trial.sha256), version: trial.version, isTrial: true }
    }
    return undefined
  }

  return {
    giveUp,

    /** The next start tries this file. */
    async tryNext({ version, sha256 }: InstalledFile): Promise<void> {
      const before = await readPointer(stateFolder)
      await writePointer(stateFolder, {
        ...before,
        trial: { version, sha256, starts: 0 },
        newest: version,
      })
    },

    /** The trial is healthy and stays. */
    async accept(): Promise<void> {
      const { trial, ...rest } = await readPointer(stateFolder)
      if (trial === null) return
      const { version, sha256 } = trial
      await writePointer(stateFolder, { ...rest, current: { version, sha256 }, trial: null, failed: null })
      await sweep()
    },

    /** Returns the file to start; undefined for that of the installation. A start of a trial is counted before it. */
    async choose(): Promise<ChosenFile | undefined> {
      await sweep()
      const { trial, current } = await readPointer(stateFolder)
      // A start that cannot be counted could repeat for ever.
      const tried = trial && (await tryOut(trial).catch((error: unknown) => say(reasonOf(error))))
      if (tried) return tried
      if (current === null || !isNewer(current) || !(await isIntact(stateFolder, current))) return undefined
      return { path: fileOf(stateFolder, current.sha256), version: current.version, isTrial: false }
    },
  }
}
