import { passkeyEndpoints, type RegistrationResult } from '@pult/contract'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '#platform/api.ts'

const passkeysQuery = queryOptions({
  queryKey: ['account', 'passkeys'],
  queryFn: async ({ signal }) => (await api(passkeyEndpoints.list, { signal })).items,
})

/** The user's passkeys, newest first. */
export const usePasskeys = () => useQuery(passkeysQuery)

export const readRegistrationOptions = () => api(passkeyEndpoints.registerOptions)

export const useAddPasskey = () =>
  usePasskeyChange((body: { result: RegistrationResult; label: string }) =>
    api(passkeyEndpoints.registerResult, { body }),
  )

export const useRemovePasskey = () =>
  usePasskeyChange((passkeyId: string) => api(passkeyEndpoints.remove, { params: { passkeyId } }))

function usePasskeyChange<Input, Reply>(change: (input: Input) => Promise<Reply>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (input: Input) => change(input),
    // Refetch after an error as well, because another tab may have made the change. The account's events have a new
    // entry, too.
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['account'] }),
  })
}
