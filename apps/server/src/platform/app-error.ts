import { type ErrorCode, type ErrorReply, errors } from '@pult/contract'
import type { Sentence } from './language.ts'

export interface AppErrorDetail {
  /**
   * Replaces the contract's message where the place that throws knows more. Never carries internals. What only programs
   * cause is said in English alone.
   */
  message?: string | Sentence
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
  /** What was said in place of the contract's message. */
  readonly said: string | Sentence | undefined

  constructor(code: ErrorCode, detail: AppErrorDetail = {}) {
    const said = detail.message
    super((typeof said === 'object' ? said.de : said) ?? errors[code].message)
    this.name = 'AppError'
    this.code = code
    this.status = errors[code].status
    this.issues = detail.issues
    this.data = detail.data
    this.retryAfter = detail.retryAfter
    this.said = said
  }
}
