import { useOffer } from './access.queries.ts'
import { askForAccess } from './asking.ts'

/** Returns the roles that would allow a refused app or part, and the user's requests for them. */
export function useAsking(projectId: string | undefined, of: { app?: string; role?: string }) {
  const { data: offer } = useOffer(projectId, of)
  const roles = offer?.roles ?? []
  const requests = (offer?.requests ?? []).filter(({ role }) => roles.some(({ id }) => id === role.id))
  const isWaiting = requests.some(({ state }) => state === 'pending' || state === 'invited')
  return {
    offer,
    roles,
    requests,
    /** Opens the dialog; undefined without a role to request. */
    ask:
      projectId !== undefined && roles.length > requests.length && !isWaiting
        ? () => askForAccess({ projectId, roles })
        : undefined,
  }
}
