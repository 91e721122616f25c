import { ApiError } from '../api-error.ts'

/** Codes with which the server, or the browser, refuses the content of a file. */
const codes = new Set([
  'CONTENT_MISMATCH',
  'IMAGE_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'NOT_MEDIA',
  'VALIDATION_FAILED',
  'FILE_UNREADABLE',
])

/** Returns whether an upload of the same file would fail again. With 413, the server or a proxy rejects its size. */
export const isFinalRefusal = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 413 || codes.has(error.code))
