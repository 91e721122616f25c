import { otpEndpoints } from '@pult/contract'
import { useCall, useChange } from '@pult/sdk'
import { identifySession, session } from '#platform/session.ts'

/** Includes the lists of sessions and events, because other sessions have ended. */
const touches = ['/me/account']

/** Whether the account requires a one-time password, and the number of remaining recovery codes. */
export const useOtpState = () => useCall(otpEndpoints.read, {})

/**
 * Creates a secret and recovery codes. They take effect when {@link useActivateOtp} has verified a code of that
 * secret.
 */
export const useInitOtp = () =>
  useChange(otpEndpoints.init, () => ({}), {
    touches: [],
    // The component holds the secrets while it shows them. The cache must not hold them.
    gcTime: 0,
  })

export const useActivateOtp = () =>
  useChange(otpEndpoints.activate, (otp: string) => ({ body: { otp } }), {
    touches,
    onSuccess: () => showOtp(true),
  })

export const useDisableOtp = () =>
  useChange(otpEndpoints.disable, () => ({}), { touches, onSuccess: () => showOtp(false) })

export const useRenewRecoveryCodes = () =>
  useChange(otpEndpoints.renewRecoveryCodes, () => ({}), { touches, gcTime: 0 })

function showOtp(otpEnabled: boolean): void {
  const current = session.get()
  if (current.status === 'signed-in') identifySession({ ...current.credentials, otpEnabled })
}
