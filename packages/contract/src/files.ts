import * as z from 'zod/mini'
import { done, id, instant, wholeNumber } from './collection.ts'
import { endpoint } from './endpoint.ts'
import { limits } from './limits.ts'

/*
 * An upload takes two calls: `POST /files` returns an address, and a `PUT` sends the bytes to it with their content
 * type (not JSON). The address is valid for one file and 15 minutes. It needs no session token, so it can belong to an
 * external file store.
 */

export const fileErrors = {
  TICKET_NOT_VALID: {
    status: 410,
    message: 'This upload address is no longer valid. Start the upload again',
  },
  UPLOAD_RUNNING: { status: 409, message: 'This file is already being uploaded' },
  FILE_TOO_LARGE: { status: 413, message: 'The file is too large' },
  CONTENT_MISMATCH: { status: 415, message: 'The file’s content does not match its type' },
  IMAGE_TOO_LARGE: { status: 415, message: 'The picture has too many pixels' },
  UPLOAD_INCOMPLETE: { status: 409, message: 'The upload is incomplete. Upload the file again' },
  PROJECT_FULL: { status: 507, message: 'This project has reached its storage limit' },
  DISK_FULL: { status: 507, message: 'The disk has no space for this file' },
  DISK_RESERVED: {
    status: 507,
    message: 'The server’s disk is nearly full, so it accepts no files. Ask root to free space',
  },
} as const

/** `type/subtype` without parameters. */
const mediaType = z
  .string()
  .check(
    z.maxLength(100),
    z.regex(/^[a-z0-9][a-z0-9!#$&^_.+-]*\/[a-z0-9][a-z0-9!#$&^_.+-]*$/, 'Must be a media type'),
  )

const uploadTicket = z.object({
  /** Target of the `PUT`: a path below the API, or an absolute address of the file store. */
  url: z.string(),
  /** Name of the stored file, which identifies it in other calls. */
  filename: z.string(),
  /** Headers that the `PUT` must send unchanged, including the content type. */
  headers: z.record(z.string(), z.string()),
  expiresAt: instant,
  /**
   * An interrupted upload can resume: `HEAD` of the address returns the number of received bytes in `upload-offset`,
   * and a `PUT` with `content-range: bytes {first}-{last}/{size}` sends the rest.
   */
  isResumable: z.boolean(),
})
export type UploadTicket = z.infer<typeof uploadTicket>

export const storedFile = z.object({
  _id: id,
  /** See `uploadTicket`. */
  filename: z.string(),
  /** Display name: the client's file name without unsafe characters. */
  name: z.string(),
  contentType: z.string(),
  /** Size in bytes. */
  size: z.number(),
  createdAt: instant,
  /** When the file will be deleted; null for a permanent file. */
  expiresAt: z.nullable(instant),
})
export type StoredFile = z.infer<typeof storedFile>

const fileLink = z.object({
  /** A path below the API or an address of the file store. Anyone with it can read the file until it expires. */
  url: z.string(),
  expiresAt: instant,
})

const seen = ['UNAUTHENTICATED', 'NOT_FOUND'] as const

export const fileEndpoints = {
  /** A driver of tasks authenticates with its task token instead of a session. */
  create: endpoint('POST', '/files', {
    summary: 'Creates an address for one upload, valid for 15 minutes.',
    body: z.strictObject({
      /** Display name. The server removes hidden characters, and does not use it as a path. */
      filename: z.string().check(z.minLength(1), z.maxLength(limits.fileNameMax)),
      contentType: mediaType,
      /** Size in bytes. The server aborts a longer upload. */
      size: wholeNumber(0, limits.fileBytesMax),
      /** Project that owns the file and whose quota it uses; omitted for a personal file. */
      project: z.optional(id),
    }),
    reply: uploadTicket,
    errors: [
      ...seen,
      'FORBIDDEN',
      'FILE_TOO_LARGE',
      'PROJECT_FULL',
      'DISK_FULL',
      'DISK_RESERVED',
      'UNSUPPORTED_MEDIA_TYPE',
    ],
  }),
  /** A `PUT` to the server returns the same reply. After a `PUT` to an external file store, this call is required. */
  complete: endpoint('POST', '/files/:filename/complete', {
    summary: 'Completes an upload: the server checks the received bytes, and the file becomes usable.',
    reply: storedFile,
    errors: [
      ...seen,
      'UPLOAD_INCOMPLETE',
      'FILE_TOO_LARGE',
      'CONTENT_MISMATCH',
      'IMAGE_TOO_LARGE',
      'TICKET_NOT_VALID',
    ],
  }),
  read: endpoint('GET', '/files/:fileId', {
    summary:
      'Returns the properties of a file that belongs to the caller or to a project that the caller sees.',
    reply: storedFile,
    errors: [...seen],
  }),
  link: endpoint('POST', '/files/:fileId/link', {
    summary: 'Creates a short-lived link with which a browser downloads the file.',
    reply: fileLink,
    errors: [...seen],
  }),
  remove: endpoint('DELETE', '/files/:fileId', {
    summary: 'Deletes a file of the caller that nothing uses.',
    reply: done,
    errors: [...seen, 'FORBIDDEN'],
  }),
}
