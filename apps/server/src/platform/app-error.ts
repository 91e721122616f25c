import { type ErrorCode, type ErrorReply, errors, type TaskMessage, textOfTaskMessage } from '@pult/contract'
import type { Sentence } from './language.ts'

export interface AppErrorDetail {
  /**
   * Replaces the contract's message with a more precise one. It must not expose internals. Errors that only programs
   * can cause are in English only.
   */
  message?: string | Sentence
  /** The message of an error that only tasks throw, instead of `message`. */
  taskMessage?: TaskMessage
  issues?: ErrorReply['issues']
  /** Details that the contract declares for this code. */
  data?: unknown
  /** Whole seconds until a retry may succeed. */
  retryAfter?: number
}

/** A rejection with a message for the caller. Every other error is a fault and returns INTERNAL. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly issues: ErrorReply['issues']
  readonly data: unknown
  readonly retryAfter: number | undefined
  /** The more precise message, if any. */
  readonly specificMessage: AppErrorDetail['message']
  readonly taskMessage: TaskMessage | undefined

  constructor(code: ErrorCode, detail: AppErrorDetail = {}) {
    const { message, taskMessage } = detail
    super(defaultText(detail) ?? errors[code].message)
    this.name = 'AppError'
    this.code = code
    this.status = errors[code].status
    this.issues = detail.issues
    this.data = detail.data
    this.retryAfter = detail.retryAfter
    this.specificMessage = message
    this.taskMessage = taskMessage
  }
}

function defaultText({ message, taskMessage }: AppErrorDetail): string | undefined {
  if (taskMessage !== undefined) return textOfTaskMessage(taskMessage)
  return typeof message === 'object' ? message.de : message
}

/**
 * Returns why something failed, in one line for an operator. The message of an AppError is for its caller and hides the
 * reason, so its causes follow.
 */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  // Node throws such an error when a host name has several addresses.
  if (error instanceof AggregateError && error.message === '') return error.errors.map(explain).join(', ')
  return error instanceof AppError && error.cause !== undefined
    ? [error.message.replace(/\.$/, ''), ...causesOf(error.cause)].join(': ')
    : error.message
}

const causesOf = (error: unknown): string[] =>
  error instanceof Error && error.cause !== undefined && !(error instanceof AppError)
    ? [explain(error), ...causesOf(error.cause)]
    : [explain(error)]
