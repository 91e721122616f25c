import * as z from 'zod/mini'
import { done, id, instant, wholeNumber } from './collection.ts'
import { endpoint } from './endpoint.ts'
import { limits } from './limits.ts'

/*
 * A file comes in two calls: `POST /files` answers where its bytes go, then they are put there with their content type
 * (`PUT`, not JSON). The address is good for one file, for 15 minutes, without the session's token, so that it may as
 * well be one of a file store elsewhere.
 */

export const fileErrors = {
  TICKET_NOT_VALID: { status: 410, message: 'This upload address is no longer valid' },
  UPLOAD_RUNNING: { status: 409, message: 'This file is already being uploaded' },
  FILE_TOO_LARGE: { status: 413, message: 'The file is too large' },
  CONTENT_MISMATCH: { status: 415, message: 'The file’s content does not match its type' },
  IMAGE_TOO_LARGE: { status: 415, message: 'The picture has too many pixels' },
  UPLOAD_INCOMPLETE: { status: 409, message: 'The file has not arrived completely' },
  PROJECT_FULL: { status: 507, message: 'This project has reached its storage limit' },
  DISK_FULL: { status: 507, message: 'The disk has no space for this file' },
  DISK_RESERVED: {
    status: 507,
    message: 'The disk of the server is nearly full, so it accepts no files. Ask root to free space',
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
  /** Where the bytes go with `PUT`: an address below the API's, or one of the file store (with scheme and host). */
  url: z.string(),
  /** The name of the stored file, by which other calls refer to it. */
  filename: z.string(),
  /** Headers that the PUT has to carry as they are, its content type among them. */
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
  /** What people call it: the client's name without anything that could harm. */
  name: z.string(),
  contentType: z.string(),
  /** Bytes. */
  size: z.number(),
  createdAt: instant,
  /** When it is deleted; null for one that stays. */
  expiresAt: z.nullable(instant),
})
export type StoredFile = z.infer<typeof storedFile>

const fileLink = z.object({
  /** An address below the API's path or in the file store. Anyone with it can read the file until it expires. */
  url: z.string(),
  expiresAt: instant,
})

const seen = ['UNAUTHENTICATED', 'NOT_FOUND'] as const

export const fileEndpoints = {
  /** A driver of tasks shows its task token instead of a session. */
  create: endpoint('POST', '/files', {
    summary: 'Asks where a file may be uploaded to. The address is good once, for 15 minutes.',
    body: z.strictObject({
      /** As the person calls it; only ever shown. */
      filename: z.string().check(z.minLength(1), z.maxLength(limits.fileNameMax)),
      contentType: mediaType,
      /** Bytes. More than that is cut off. */
      size: wholeNumber(0, limits.fileBytesMax),
      /** The project that owns the file and whose quota it uses. Omit it for a personal file. */
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
  /** A PUT to the server itself answers the same; one to a file store elsewhere is reported here. */
  complete: endpoint('POST', '/files/:filename/complete', {
    summary: 'Tells that all bytes are there: they are looked at, and the file may be used.',
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
    summary: 'What is known of a file: one of one’s own, or of a project that one sees.',
    reply: storedFile,
    errors: [...seen],
  }),
  link: endpoint('POST', '/files/:fileId/link', {
    summary: 'A link with which a browser downloads the file, for a short time.',
    reply: fileLink,
    errors: [...seen],
  }),
  remove: endpoint('DELETE', '/files/:fileId', {
    summary: 'Deletes a file of one’s own that nothing uses.',
    reply: done,
    errors: [...seen, 'FORBIDDEN'],
  }),
}
