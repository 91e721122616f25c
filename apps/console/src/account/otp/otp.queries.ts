import { otpEndpoints } from '@pult/contract'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '#platform/api.ts'
import { identifySession, session } from '#platform/session.ts'

const otpQuery = queryOptions({
  queryKey: ['account', 'otp'],
  queryFn: ({ signal }) => api(otpEndpoints.read, { signal }),
})

/** Whether the account requires a one-time password, and the number of remaining recovery codes. */
export const useOtpState = () => useQuery(otpQuery)

/**
 * Creates a secret and recovery codes. They take effect when {@link useActivateOtp} has verified a code of that
 * secret.
 */
export const useInitOtp = () =>
  useMutation({
    mutationFn: () => api(otpEndpoints.init),
    // The component holds the secrets while it shows them. The cache must not hold them.
    gcTime: 0,
  })

export const useActivateOtp = () =>
  useOtpSwitch(true, (otp: string) => api(otpEndpoints.activate, { body: { otp } }))

export const useDisableOtp = () => useOtpSwitch(false, () => api(otpEndpoints.disable))

export function useRenewRecoveryCodes() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async () => (await api(otpEndpoints.renewRecoveryCodes)).recoveryCodes,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['account'] }),
    gcTime: 0,
  })
}

function useOtpSwitch<Input = void>(otpEnabled: boolean, change: (input: Input) => Promise<true>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (input: Input) => change(input),
    onSuccess: () => {
      const current = session.get()
      if (current.status === 'signed-in') identifySession({ ...current.credentials, otpEnabled })
    },
    // Refetch after an error as well, because another tab may have made the change. The list of sessions is included
    // because other sessions have ended.
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['account'] }),
  })
}
