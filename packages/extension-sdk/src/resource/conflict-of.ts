import type { Endpoint, ReplyOf } from '@pult/contract'
import { ApiError } from '../api-error.ts'

/**
 * Returns the current record of a rejected update that was based on an older revision, or null for other errors.
 *
 * @example const current = conflictOf(error, noteEndpoints.update)
 */
export function conflictOf<E extends Endpoint>(error: unknown, update: E): ReplyOf<E> | null {
  if (!(error instanceof ApiError) || error.code !== 'REVISION_CONFLICT') return null
  const { detail } = error
  const current = typeof detail === 'object' && detail !== null && 'current' in detail ? detail.current : null
  const parsed = update.reply.safeParse(current)
  return parsed.success ? (parsed.data as ReplyOf<E>) : null
}
