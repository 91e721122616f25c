import { ApiError } from './api-error.ts'
import { texts } from './uploads.texts.ts'

/** Bytes that are read together. */
const blockBytes = 8 * 1024 * 1024

/**
 * Returns a digest of the whole file, or null where the browser has no digests, as on a page without https, and as soon as
 * `isWanted` returns false. It is that of the digests of all blocks, because browsers digest no streams. Throws
 * `FILE_UNREADABLE`.
 */
export async function fingerprintOf(file: File, isWanted: () => boolean): Promise<string | null> {
  // Only secure contexts have it.
  const subtle = crypto.subtle as SubtleCrypto | undefined
  if (subtle === undefined) return null
  const digests: ArrayBuffer[] = []
  for (let at = 0; at < file.size; at += blockBytes) {
    if (!isWanted()) return null
    const block = await file
      .slice(at, at + blockBytes)
      .arrayBuffer()
      .catch(unreadable)
    digests.push(await subtle.digest('SHA-256', block))
  }
  const all = await new Blob(digests).arrayBuffer()
  const digest = new Uint8Array(await subtle.digest('SHA-256', all))
  return digest.reduce((text, byte) => text + byte.toString(16).padStart(2, '0'), '')
}

/** Throws `FILE_UNREADABLE` if the file has changed or vanished on the user's disk: browsers then refuse to read it. */
export async function checkReadable(file: File): Promise<void> {
  // A vanished file has the size 0. A part of it is empty, and reading that does not reach the disk.
  const first = file.size === 0 ? file : file.slice(0, 1)
  await first.arrayBuffer().catch(unreadable)
}

function unreadable(cause: unknown): never {
  throw new ApiError({ code: 'FILE_UNREADABLE', status: 0, message: texts.fileUnreadable, cause })
}
