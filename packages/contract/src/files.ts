import * as z from 'zod/mini'
import { done, id, instant, wholeNumber } from './collection.ts'
import { endpoint } from './endpoint.ts'
import { limits } from './limits.ts'

/*
 * An upload takes two calls: `POST /files` returns an address, and a `PUT` sends the bytes to it with their content
 * type (not JSON). The address is for one file and needs no session token, so it can belong to an external file store.
 * It expires 15 minutes after the last byte that the server received. Then `POST /files/{filename}/resume` returns a new
 * address, and the upload continues with the bytes that are stored, until 24 hours after its start.
 */

/** Milliseconds from the start of an upload to its last byte. Not in `limits`, which the sign-in page loads. */
export const uploadMost = 86_400_000

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

/** `detail` of CONTENT_MISMATCH, if an upload is rejected. */
export interface ContentMismatch {
  /**
   * `empty`: without bytes. `other`: a known format, `found`, that the announced type excludes. `unknown`: no format that is
   * accepted under this type. `broken`: a picture whose header cannot be read. `page`: with markup where browsers look for a
   * page. `compressed`: a drawing in a compressed form, which browsers do not show.
   */
  reason: 'empty' | 'other' | 'unknown' | 'broken' | 'page' | 'compressed'
  /** The media type of the content, if it was recognised. */
  found?: string
}

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
  /**
   * Set if the file store takes a large file in parts of this many bytes: `POST /files/{filename}/resume` returns their
   * addresses, and then an empty `url`.
   */
  partBytes: z._default(z.nullable(z.number()), null),
})
export type UploadTicket = z.infer<typeof uploadTicket>

/** Where an unfinished upload continues. */
const resumedUpload = z.extend(uploadTicket, {
  /**
   * Number of bytes that have arrived: without `partBytes` the first ones, otherwise the sum of the stored parts. It is 0 if
   * the upload is neither resumable nor in parts: then send the whole file, unless `complete` finds an earlier one.
   */
  received: z.number(),
  /**
   * The next missing parts of an upload with `partBytes`: 4 at first, then as many as have arrived, at most 16. If none is
   * missing, complete the upload. Empty without `partBytes`.
   */
  parts: z.array(
    z.object({
      /** Target of a `PUT` of these bytes, without further headers. Expires with the upload's address. */
      url: z.string(),
      /** Position of the part's first byte, and the position after its last one. */
      first: z.number(),
      end: z.number(),
    }),
  ),
})
export type ResumedUpload = z.infer<typeof resumedUpload>

export const storedFile = z.object({
  _id: id,
  /** See `uploadTicket`. */
  filename: z.string(),
  /** Display name: the client's file name without unsafe characters, with the extension of `contentType`. */
  name: z.string(),
  /** The type of the content. A picture, sound or video that was announced as another one is stored as what it is. */
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
    summary: 'Creates an address for one upload, valid until 15 minutes after the last byte.',
    body: z.strictObject({
      /** Display name. The server removes hidden characters, and does not use it as a path. */
      filename: z.string().check(z.minLength(1), z.maxLength(limits.fileNameMax)),
      contentType: mediaType,
      /** Size in bytes. The server aborts a longer upload. */
      size: wholeNumber(0, limits.fileBytesMax),
      /**
       * Project that owns the file and whose quota it uses; omitted for a personal file. Needs a role that permits more than
       * to read the project.
       */
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
  /**
   * Also keeps the upload to an external store alive, whose bytes the server does not see: ask for the next parts at
   * least every 15 minutes. Only the uploader's account can resume, or a service of the same project. NOT_FOUND: unknown or
   * stored, so call `complete`, then start again. TICKET_NOT_VALID: too old or given up, so start again. UPLOAD_RUNNING: wait.
   * `partBytes` of the reply decides: it is null in a store that takes no parts.
   */
  resume: endpoint('POST', '/files/:filename/resume', {
    summary:
      'Continues an unfinished upload: returns a new address, which replaces the earlier one, and what is missing.',
    reply: resumedUpload,
    errors: [
      ...seen,
      'FORBIDDEN',
      'UPLOAD_RUNNING',
      'TICKET_NOT_VALID',
      'PROJECT_FULL',
      'DISK_FULL',
      'DISK_RESERVED',
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
