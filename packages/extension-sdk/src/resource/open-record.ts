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
 * `every` of a record that is open for editing: 4 seconds, until it is gone.
 *
 * @example useCall(organisationEndpoints.read, { params: { orgId } }, { every: whileOpen })
 */
export const whileOpen = ({ error }: { error: Error | null }): number | false =>
  isGone(error) ? false : pollEvery

/**
 * The same as a query option, from earlier releases. It will leave.
 */
export const refetchWhileOpen = {
  refetchInterval: ({ state }: { state: { error: Error | null } }) => whileOpen(state),
} as const
