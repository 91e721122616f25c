import { type ErrorCode, type ErrorReply, errors } from '@pult/contract'

export interface AppErrorDetail {
  /** Replaces the contract's message where the place that throws knows more. Never carries internals. */
  message?: string
  issues?: ErrorReply['issues']
  /** What the contract says that this code carries. */
  data?: unknown
  /** Whole seconds after which the same call may be made again. */
  retryAfter?: number
}

/** A refusal that the caller is told about. Everything else that is thrown is a fault and answers INTERNAL. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly issues: ErrorReply['issues']
  readonly data: unknown
  readonly retryAfter: number | undefined

  constructor(code: ErrorCode, detail: AppErrorDetail = {}) {
    super(detail.message ?? errors[code].message)
    this.name = 'AppError'
    this.code = code
    this.status = errors[code].status
    this.issues = detail.issues
    this.data = detail.data
    this.retryAfter = detail.retryAfter
  }
}
