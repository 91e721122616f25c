import { ApiError } from '../api-error.ts'

/**
 * Whether the record does not exist, or the user no longer has access.
 *
 * @example if (isGone(error)) return <EmptyState title="This note does not exist" />
 */
export function isGone(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 'NOT_FOUND' || error.code === 'FORBIDDEN')
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
