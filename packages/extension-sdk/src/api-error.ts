import type { ErrorCode, ErrorReply } from '@pult/contract'

/**
 * Codes of the contract, and those of the client. `NETWORK`: no response of the server arrived; `status` is 0, or that of
 * a proxy which could not reach it. `UNREADABLE`: the response is not one of the API. The others are answers of a proxy
 * in front of the server. `PROXY_SIGN_IN`: sign in there by reloading the page. `PROXY_TOO_LARGE`: rejects a request of
 * this size. `PROXY_BUSY`: limits the number of requests. `PROXY_REFUSED`: rejects the request for another reason.
 * `FILE_UNREADABLE`: a file to upload has changed or vanished on the user's disk. `STORE_REFUSED`: an external file store
 * rejects the upload. A service of an app may return further codes.
 */
export type ApiErrorCode =
  | ErrorCode
  | 'NETWORK'
  | 'UNREADABLE'
  | 'PROXY_SIGN_IN'
  | 'PROXY_TOO_LARGE'
  | 'PROXY_BUSY'
  | 'PROXY_REFUSED'
  | 'FILE_UNREADABLE'
  | 'STORE_REFUSED'
  | (string & {})

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
 * Describes a failed call. Branch on `code`; `message` is for users. For an invalid request it is the first problem.
 *
 * @example if (error instanceof ApiError && error.code === 'NOT_FOUND') return null
 */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: ApiErrorCode
  /** The HTTP status, which may be that of a proxy; 0 without a response. */
  readonly status: number
  /** For an invalid request: the path of each field and its problem. */
  readonly issues: NonNullable<ErrorReply['issues']>
  /** The details that the contract declares for this code. They are not validated: parse them before use. */
  readonly detail: unknown
  /** Seconds to wait before the next attempt. */
  readonly retryAfter: number | undefined

  constructor({ code, status, message, issues = [], detail, retryAfter, cause }: ApiErrorFacts) {
    super(code === 'VALIDATION_FAILED' ? (issues[0]?.message ?? message) : message, { cause })
    this.code = code
    this.status = status
    this.issues = issues
    this.detail = detail
    this.retryAfter = retryAfter
  }
}

/** Returns the message of a thrown value that users may see. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Returns whether the sign-in page, which replaces the page, already shows the error. */
export function isSessionEnd(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'UNAUTHENTICATED'
}
