import { randomBytes } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { parseJsonText, z } from '@pult/contract'
import { writeDurably } from './durable-file.ts'
import { fileFailure } from './file-fault.ts'

/** An enrolment whose answer has not arrived. The token reaches only the server for which it was made. */
const pending = z.object({
  server: z.string(),
  /** Hash of the code. */
  code: z.string(),
  token: z.string(),
})
type Pending = z.infer<typeof pending>

const fileOf = (folder: string) => join(folder, 'enrolment.json')

/**
 * Returns the token with which the agent redeems a code, and stores a new one first. If the answer is lost, the agent
 * asks for it again with the same token, also after a restart. @throws {Failure}
 */
export async function pendingToken(folder: string, asked: Omit<Pending, 'token'>): Promise<string> {
  const before = await readPending(folder)
  if (before?.server === asked.server && before.code === asked.code) return before.token
  // 256 bits: who guesses one receives the answer of the enrolment.
  const token = randomBytes(32).toString('base64url')
  const file = fileOf(folder)
  try {
    await writeDurably(file, `${JSON.stringify({ ...asked, token }, null, 2)}\n`)
  } catch (error) {
    throw fileFailure(error, `${file} cannot be written`)
  }
  return token
}

/** Deletes the token of an enrolment that is complete. */
export async function forgetPending(folder: string, code: string): Promise<void> {
  const before = await readPending(folder).catch(() => undefined)
  // The file may be deleted at a later start: the disk may be read-only.
  if (before?.code === code) await rm(fileOf(folder), { force: true }).catch(() => {})
}

async function readPending(folder: string): Promise<Pending | undefined> {
  const file = fileOf(folder)
  let text: Buffer
  try {
    text = await readFile(file)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw fileFailure(error, `${file} cannot be read`)
  }
  try {
    return pending.parse(parseJsonText(text))
  } catch {
    // The file was complete before its token was sent, so this token is worth nothing.
    return undefined
  }
}
