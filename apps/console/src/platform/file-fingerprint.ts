import { ApiError } from './api-error.ts'
import { texts } from './uploads.texts.ts'

/** Bytes at the start and at the end of a file that identify its content. */
const looked = 64 * 1024

/**
 * Returns a digest of the file's first and last bytes, or null where the browser has no digests, as on a page without
 * https. Throws `FILE_UNREADABLE`.
 */
export async function fingerprintOf(file: File): Promise<string | null> {
  const ends = new Blob([file.slice(0, looked), file.slice(Math.max(looked, file.size - looked))])
  const bytes = await ends.arrayBuffer().catch(unreadable)
  // Only secure contexts have it.
  const subtle = crypto.subtle as SubtleCrypto | undefined
  if (subtle === undefined) return null
  const digest = new Uint8Array(await subtle.digest('SHA-256', bytes))
  return digest.reduce((text, byte) => text + byte.toString(16).padStart(2, '0'), '')
}

/** Throws `FILE_UNREADABLE` if the file has changed or vanished on the user's disk: browsers then refuse to read it. */
export async function checkReadable(file: File): Promise<void> {
  await file.slice(0, 1).arrayBuffer().catch(unreadable)
}

function unreadable(cause: unknown): never {
  throw new ApiError({ code: 'FILE_UNREADABLE', status: 0, message: texts.fileUnreadable, cause })
}
