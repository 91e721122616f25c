import { chmod, mkdir, open, readFile, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { parseJsonText, z } from '@pult/contract'
import { syncFolder, writeDurably } from './durable-file.ts'
import { fileFailure } from './file-fault.ts'

/** Unknown fields belong to a newer agent. */
const state = z.object({
  server: z.string(),
  edge: z.string(),
  token: z.string(),
  /** Hash of the code that was exchanged for the token: a service restarted with the same code keeps its token. */
  usedCode: z.string(),
  /** The public key that signs releases of the agent. Absent for an edge that was enrolled without one. */
  releaseKey: z.optional(z.string()),
  /** The proof of the enrolment that the server sends with each welcome. */
  enrolment: z.optional(z.string()),
})
export type State = z.infer<typeof state>

const fileOf = (folder: string) => join(folder, 'edge.json')
const nextFileOf = (folder: string) => join(folder, 'enrolled.json')

/** Returns the next state of this machine, or else its state. @throws {Failure} settings */
export const readState = async (folder: string): Promise<State | undefined> =>
  (await readStateIn(nextFileOf(folder))) ?? (await readStateIn(fileOf(folder)))

async function readStateIn(file: string): Promise<State | undefined> {
  try {
    const { mode } = await stat(file)
    // The file may have been copied: restrict it to its owner again.
    // A read-only disk refuses that.
    if ((mode & 0o077) !== 0) await chmod(file, 0o600).catch(() => {})
    return state.parse(parseJsonText(await readFile(file)))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw fileFailure(error, `${file} cannot be read`)
  }
}

export const writeState = (folder: string, content: State): Promise<void> =>
  writeStateIn(fileOf(folder), content)

/** Stores the next state of a machine that is an edge: beside the present one, which its worker may be writing. */
export const writeNextState = (folder: string, content: State): Promise<void> =>
  writeStateIn(nextFileOf(folder), content)

async function writeStateIn(file: string, content: State): Promise<void> {
  try {
    await writeDurably(file, `${JSON.stringify(content, null, 2)}\n`)
  } catch (error) {
    throw fileFailure(error, `${file} cannot be written`)
  }
}

/** Makes the next state, if there is one, the state of this machine. Called only while no worker runs. */
export async function takeNextState(folder: string): Promise<void> {
  const next = nextFileOf(folder)
  try {
    await rename(next, fileOf(folder))
    await syncFolder(folder)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw fileFailure(error, `${next} cannot be renamed`)
  }
}

/** Checks that the folder is writable before a code is redeemed. Otherwise the code would be lost. */
export async function prepareFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const probe = await open(join(folder, 'edge.json.next'), 'w', 0o600)
    await probe.close()
  } catch (error) {
    const advice = '. Choose another folder with --state'
    throw fileFailure(error, `The token cannot be stored in ${folder}`, advice)
  }
}

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined)

export const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
