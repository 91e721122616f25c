import type { ErrorCode } from '@pult/contract'
import { ApiError } from '../api-error.ts'

/**
 * Returns the server's message about one field. `codes` are codes of a rejected call that this field causes.
 *
 * @example <TextField label="E-mail" error={messageFor('email', mutation.error, ['ALREADY_MEMBER'])} />
 */
export function messageFor(
  field: string,
  error: unknown,
  codes: readonly ErrorCode[] = [],
): string | undefined {
  if (!(error instanceof ApiError)) return undefined
  const issue = error.issues.find(({ path }) => path[0] === field)
  return issue?.message ?? (codes.some((code) => code === error.code) ? error.message : undefined)
}
