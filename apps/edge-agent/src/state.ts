import { chmod, mkdir, open, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { parseJsonText, z } from '@pult/contract'
import { writeDurably } from './durable-file.ts'
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

/** @throws {Failure} settings */
export async function readState(folder: string): Promise<State | undefined> {
  const file = fileOf(folder)
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

export async function writeState(folder: string, content: State): Promise<void> {
  const file = fileOf(folder)
  try {
    await writeDurably(file, `${JSON.stringify(content, null, 2)}\n`)
  } catch (error) {
    throw fileFailure(error, `${file} cannot be written`)
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
