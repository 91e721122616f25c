import { ApiError } from '../api-error.ts'

const gone: ReadonlySet<unknown> = new Set(['NOT_FOUND', 'FORBIDDEN', 'VALIDATION_FAILED'])

/**
 * Returns whether an error means that the record does not exist, has an invalid id, or is not visible to the user.
 *
 * @example if (isGone(error)) return <EmptyState title="This note does not exist" />
 */
export function isGone(error: unknown): boolean {
  return error instanceof ApiError && gone.has(error.code)
}

const pollEvery = 4000

/**
 * Query options that refetch a record open for editing every 4 seconds, until it is gone.
 *
 * @example useQuery({ ...organisationQuery(orgId), ...refetchWhileOpen })
 */
export const refetchWhileOpen = {
  refetchInterval: ({ state }: { state: { error: unknown } }) => (isGone(state.error) ? false : pollEvery),
} as const
