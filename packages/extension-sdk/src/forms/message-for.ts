import { ApiError } from '../api-error.ts'

/**
 * What the server found wrong with one field of what was sent, to be shown at that field.
 *
 * @example <TextField label="Label" error={messageFor('label', mutation.error)} />
 */
export function messageFor(field: string, error: unknown): string | undefined {
  const issues = error instanceof ApiError ? error.issues : []
  return issues.find(({ path }) => path[0] === field)?.message
}
