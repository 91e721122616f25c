import type { ErrorCode, ErrorReply } from '@pult/contract'

/**
 * `NETWORK`: no answer came. `UNREADABLE`: an answer came that is not the API's. A service of an app may answer codes of
 * its own.
 */
export type ApiErrorCode = ErrorCode | 'NETWORK' | 'UNREADABLE' | (string & {})

interface ApiErrorFacts {
  code: ApiErrorCode
  status: number
  message: string
  issues?: ErrorReply['issues']
  detail?: unknown
  retryAfter?: number | undefined
  cause?: unknown
}

/**
 * A call that did not succeed. Branch on `code`; `message` is for people.
 *
 * @example if (error instanceof ApiError && error.code === 'NOT_FOUND') return null
 */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: ApiErrorCode
  /** The HTTP status; 0 when no answer came. */
  readonly status: number
  /** For an invalid request: the path of each field and its problem. */
  readonly issues: NonNullable<ErrorReply['issues']>
  /** The details that the contract declares for this code, unparsed: readers validate them first. */
  readonly detail: unknown
  /** Seconds after which the server wants to be asked again. */
  readonly retryAfter: number | undefined

  constructor({ code, status, message, issues = [], detail, retryAfter, cause }: ApiErrorFacts) {
    super(message, { cause })
    this.code = code
    this.status = status
    this.issues = issues
    this.detail = detail
    this.retryAfter = retryAfter
  }
}

/** What to show a person about something that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** The login, shown in place of the page, displays this error. */
export function isSessionEnd(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'UNAUTHENTICATED'
}
