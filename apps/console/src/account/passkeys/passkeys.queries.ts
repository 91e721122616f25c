import { passkeyEndpoints, type RegistrationResult } from '@pult/contract'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '#platform/api.ts'
import { withRecentSignIn } from '../../recent-sign-in/recent-sign-in.queries.ts'

const passkeysQuery = queryOptions({
  queryKey: ['account', 'passkeys'],
  queryFn: async ({ signal }) => (await api(passkeyEndpoints.list, { signal })).items,
})

/** The own passkeys, the newest first. */
export const usePasskeys = () => useQuery(passkeysQuery)

export const readRegistrationOptions = () => withRecentSignIn(() => api(passkeyEndpoints.registerOptions))

export const useAddPasskey = () =>
  usePasskeyChange((body: { result: RegistrationResult; label: string }) =>
    api(passkeyEndpoints.registerResult, { body }),
  )

export const useRemovePasskey = () =>
  usePasskeyChange((passkeyId: string) => api(passkeyEndpoints.remove, { params: { passkeyId } }))

function usePasskeyChange<Input, Reply>(change: (input: Input) => Promise<Reply>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (input: Input) => withRecentSignIn(() => change(input)),
    // A refusal too may come from another tab's change. What happened to the account has one line more as well.
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['account'] }),
  })
}
