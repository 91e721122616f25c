import { type BodyOf, passkeyEndpoints } from '@pult/contract'
import { useCall, useChange } from '@pult/sdk'
import { api } from '#platform/api.ts'

/** Includes the account's events, which have a new entry. */
const touches = ['/me/account']

/** The user's passkeys, newest first. */
export const usePasskeys = () => useCall(passkeyEndpoints.list, {}, { select: ({ items }) => items })

/** Not cached, because each registration needs its own options. */
export const readRegistrationOptions = () => api(passkeyEndpoints.registerOptions)

export const useAddPasskey = () =>
  useChange(
    passkeyEndpoints.registerResult,
    (body: BodyOf<typeof passkeyEndpoints.registerResult>) => ({ body }),
    { touches },
  )

export const useRemovePasskey = () =>
  useChange(passkeyEndpoints.remove, (passkeyId: string) => ({ params: { passkeyId } }), { touches })
