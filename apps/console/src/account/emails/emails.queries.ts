import { type Email, emailEndpoints } from '@pult/contract'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '#platform/api.ts'
import { identityCalls } from '#platform/identity.ts'
import { identifySession, session } from '#platform/session.ts'

/** An address, with the time (by this browser's clock) from which its verification mail may be resent. */
export interface ListedEmail extends Email {
  resendAt: number
}

const listed = (email: Email): ListedEmail => ({ ...email, resendAt: Date.now() + email.resendIn * 1000 })

const emailsQuery = queryOptions({
  queryKey: ['account', 'emails'],
  queryFn: async ({ signal }) => (await api(emailEndpoints.list, { signal })).items.map(listed),
})

/** The user's addresses, the default one first. */
export const useEmails = () => useQuery(emailsQuery)

/** Refetches the list after a change here, or when an error shows that it is stale. */
function useChange<Input, Result>(change: (input: Input) => Promise<Result>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSettled: () => queryClient.invalidateQueries({ queryKey: emailsQuery.queryKey }),
  })
}

export const useAddEmail = () => useChange((email: string) => api(emailEndpoints.create, { body: { email } }))

export const useRemoveEmail = () =>
  useChange((emailId: string) => api(emailEndpoints.remove, { params: { emailId } }))

export const useSendVerification = () =>
  useChange((emailId: string) => api(emailEndpoints.verify, { params: { emailId } }))

export const useSetDefaultEmail = () =>
  useChange(async (emailId: string) => {
    await api(emailEndpoints.setDefault, { params: { emailId } })
    // The header shows the default address.
    const credentials = await (await identityCalls.load()).readMe()
    if (session.get().status === 'signed-in') identifySession(credentials)
  })
