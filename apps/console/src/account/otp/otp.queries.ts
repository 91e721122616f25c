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

export const useActivateOtp = () =>
  useOtpSwitch(true, (otp: string) => api(otpEndpoints.activate, { body: { otp } }))

export const useDisableOtp = () => useOtpSwitch(false, () => api(otpEndpoints.disable))

export function useRenewRecoveryCodes() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async () =>
      (await withRecentSignIn(() => api(otpEndpoints.renewRecoveryCodes))).recoveryCodes,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['account'] }),
    gcTime: 0,
  })
}

function useOtpSwitch<Input = void>(otpEnabled: boolean, change: (input: Input) => Promise<true>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (input: Input) => withRecentSignIn(() => change(input)),
    onSuccess: () => {
      const current = session.get()
      if (current.status === 'signed-in') identifySession({ ...current.credentials, otpEnabled })
    },
    // A refusal too may come from another tab's change. The list of sessions follows: others have ended.
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['account'] }),
  })
}
