import { ApiError } from '../api-error.ts'

const gone: ReadonlySet<unknown> = new Set(['NOT_FOUND', 'FORBIDDEN', 'VALIDATION_FAILED'])

/**
 * Whether the record that was read does not exist, cannot exist by its id, or is closed to the user.
 *
 * @example if (isGone(error)) return <EmptyState title="This note does not exist" />
 */
export function isGone(error: unknown): boolean {
  return error instanceof ApiError && gone.has(error.code)
}

const pollEvery = 4000

/**
 * A record that is open for editing is read again every 4 seconds, until it is gone.
 *
 * @example useQuery({ ...organisationQuery(orgId), ...refetchWhileOpen })
 */
export const refetchWhileOpen = {
  refetchInterval: ({ state }: { state: { error: unknown } }) => (isGone(state.error) ? false : pollEvery),
} as const
