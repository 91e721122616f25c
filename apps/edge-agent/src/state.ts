import { chmod, mkdir, open, readFile, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from '@pult/contract'
import { exitCodes, Failure } from './exit-codes.ts'

const state = z.strictObject({
  server: z.string(),
  edge: z.string(),
  token: z.string(),
  /** Digest of the code that was exchanged for the token: a service that is started with it again keeps the token. */
  usedCode: z.string(),
})
export type State = z.infer<typeof state>

const fileOf = (folder: string) => join(folder, 'edge.json')

/** @throws {Failure} settings */
export async function readState(folder: string): Promise<State | undefined> {
  const file = fileOf(folder)
  try {
    const { mode } = await stat(file)
    // Somebody has copied it about: from now on it is for its owner alone again.
    if ((mode & 0o077) !== 0) await chmod(file, 0o600)
    return state.parse(JSON.parse(await readFile(file, 'utf8')))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw new Failure(exitCodes.settings, `${file} cannot be read: ${reasonOf(error)}`)
  }
}

/** Whole or not at all: a machine may lose its power at any time. */
export async function writeState(folder: string, content: State): Promise<void> {
  const file = fileOf(folder)
  try {
    const next = `${file}.next`
    const handle = await open(next, 'w', 0o600)
    try {
      await handle.chmod(0o600)
      await handle.writeFile(`${JSON.stringify(content, null, 2)}\n`)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(next, file)
  } catch (error) {
    throw new Failure(exitCodes.settings, `${file} cannot be written: ${reasonOf(error)}`)
  }
}

/** Before a code is used up for a token that could not be kept. */
export async function prepareFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const probe = await open(join(folder, 'edge.json.next'), 'w', 0o600)
    await probe.close()
  } catch (error) {
    throw new Failure(
      exitCodes.settings,
      `The token could not be kept in ${folder}: ${reasonOf(error)}. Choose another folder with --state.`,
    )
  }
}

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined)

export const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
