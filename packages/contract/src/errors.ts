import { emailErrors } from './account/emails.ts'
import { otpErrors } from './account/otp.ts'
import { passkeyErrors } from './account/passkeys.ts'
import { passwordChangeErrors } from './account/password.ts'
import { storeErrors } from './app-store.ts'
import { confirmErrors } from './auth/confirm.ts'
import { loginErrors } from './auth/login.ts'
import { passwordErrors } from './auth/password.ts'
import { sessionErrors } from './auth/session.ts'
import { backupErrors } from './backups.ts'
import { edgeErrors } from './edges.ts'
import { extensionErrors } from './extensions.ts'
import { fileErrors } from './files.ts'
import { invitationErrors } from './invitations.ts'
import { mediaErrors } from './media.ts'
import { organisationErrors } from './organisations.ts'
import { peopleErrors } from './people.ts'
import { projectErrors } from './projects.ts'
import { resourceErrors } from './resource.ts'
import { streamDeckErrors } from './stream-decks.ts'
import { taskErrors } from './tasks.ts'
import { tokenLinkErrors } from './token-links.ts'

export interface ErrorDescription {
  /** HTTP status of the reply. */
  status: number
  /** Default message for users; the thrown error can provide a more precise one. */
  message: string
}

/** Codes that any call may return. Each room declares further codes next to its endpoints. */
const commonErrors = {
  VALIDATION_FAILED: { status: 400, message: 'The request is not valid' },
  FORBIDDEN: { status: 403, message: 'Access denied' },
  NOT_FOUND: { status: 404, message: 'Not found' },
  BODY_TOO_LARGE: { status: 413, message: 'The request is too large' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'This content type is not accepted here' },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    message: 'This Idempotency-Key belongs to a different request. Send a new key',
  },
  TOO_MANY_REQUESTS: { status: 429, message: 'Too many attempts. Try again later' },
  INTERNAL: { status: 500, message: 'Something went wrong on the server' },
  BUSY: { status: 503, message: 'The server is busy. Try again in a moment' },
  NOT_READY: { status: 503, message: 'This server is not ready. Its log names the reason' },
  DATABASE_UNAVAILABLE: {
    status: 503,
    message: 'The database is not available. Try again in a moment',
  },
  SERVER_DISK_FULL: {
    status: 507,
    message: 'The server’s disk is full. Ask root to free space',
  },
  QUERY_TIMEOUT: { status: 503, message: 'The request took too long. Try again, or narrow the search' },
} as const satisfies Record<string, ErrorDescription>

export const errors = {
  ...commonErrors,
  ...sessionErrors,
  ...loginErrors,
  ...passwordErrors,
  ...confirmErrors,
  ...emailErrors,
  ...otpErrors,
  ...passkeyErrors,
  ...passwordChangeErrors,
  ...tokenLinkErrors,
  ...invitationErrors,
  ...organisationErrors,
  ...peopleErrors,
  ...projectErrors,
  ...resourceErrors,
  ...extensionErrors,
  ...storeErrors,
  ...taskErrors,
  ...fileErrors,
  ...backupErrors,
  ...mediaErrors,
  ...streamDeckErrors,
  ...edgeErrors,
} as const satisfies Record<string, ErrorDescription>

/** Code of an error, on which programs branch. Messages are for users and may change. */
export type ErrorCode = keyof typeof errors

/** Codes that every call may return without declaring them. */
export const commonErrorCodes = Object.keys(commonErrors) as readonly (keyof typeof commonErrors)[]

/** Body of every error reply. */
export interface ErrorReply {
  code: ErrorCode
  message: string
  /** Invalid fields, with VALIDATION_FAILED. `path` is the path of the field: `['data', 'username']`. */
  issues?: { path: (string | number)[]; message: string }[]
  /**
   * REVISION_CONFLICT: `{current, updatedAt, updatedBy}`, the current record with the time and user of its last change.
   * ORGANISATION_HAS_PROJECTS: `{projects: {_id, label}[]}`. PERSON_OWNS: `{organisations, projects}`, each in that
   * form. FORBIDDEN in a project that the caller sees: a `Refusal` with the roles that grant the right and the owner.
   * PASSWORD_TOO_COMMON: `{reason}`, a `CommonPasswordReason`. CONTENT_MISMATCH of an upload: a
   * `ContentMismatch`.
   */
  detail?: unknown
}
