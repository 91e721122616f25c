import { otpEndpoints } from '@pult/contract'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '#platform/api.ts'
import { identifySession, session } from '#platform/session.ts'
import { withRecentSignIn } from '../../recent-sign-in/recent-sign-in.queries.ts'

const otpQuery = queryOptions({
  queryKey: ['account', 'otp'],
  queryFn: ({ signal }) => api(otpEndpoints.read, { signal }),
})

/** Whether the account asks for a one-time password, and how many recovery codes are left. */
export const useOtpState = () => useQuery(otpQuery)

/** Makes a secret and recovery codes that count once {@link useActivateOtp} has seen a code of that secret. */
export const useInitOtp = () =>
  useMutation({
    mutationFn: () => withRecentSignIn(() => api(otpEndpoints.init)),
    // Secrets are kept by who shows them, no longer than they are shown.
    gcTime: 0,
  })

export function useActivateOtp() {
  const settle = useSettle()
  return useMutation({
    mutationFn: (otp: string) => withRecentSignIn(() => api(otpEndpoints.activate, { body: { otp } })),
    onSuccess: () => settle(true),
  })
}

export function useDisableOtp() {
  const settle = useSettle()
  return useMutation({
    mutationFn: () => withRecentSignIn(() => api(otpEndpoints.disable)),
    onSuccess: () => settle(false),
  })
}

export function useRenewRecoveryCodes() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async () =>
      (await withRecentSignIn(() => api(otpEndpoints.renewRecoveryCodes))).recoveryCodes,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['account'] }),
    gcTime: 0,
  })
}

/** What the console knows follows: who is signed in, and the account with its sessions, of which others have ended. */
function useSettle() {
  const queryClient = useQueryClient()
  return (otpEnabled: boolean) => {
    const current = session.get()
    if (current.status === 'signed-in') identifySession({ ...current.credentials, otpEnabled })
    return queryClient.invalidateQueries({ queryKey: ['account'] })
  }
}
