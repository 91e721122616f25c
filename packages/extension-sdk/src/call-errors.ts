import type { ErrorCode } from '@pult/contract'

/** What a call throws when the server refuses it, or does not answer. */
export interface CallError extends Error {
  /** `NETWORK`: no answer came. `UNREADABLE`: an answer came that is not the API's. */
  code: ErrorCode | 'NETWORK' | 'UNREADABLE'
  /** What the endpoint says that the code carries. */
  detail: unknown
}

/** Whether a call was refused, and with which code. Other errors of the code that called are none of these. */
export function isCallError(error: unknown): error is CallError {
  return error instanceof Error && error.name === 'ApiError'
}

/**
 * Whether the person turned back when a call asked for a recent sign-in: nothing failed, so there is nothing to report.
 *
 * @example catch (error) { if (!isCancelled(error)) notify({ title: 'Not saved', tone: 'danger' }) }
 */
export function isCancelled(error: unknown): boolean {
  return error instanceof Error && error.name === 'Cancelled'
}
