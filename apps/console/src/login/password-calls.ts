import { loginEndpoints, recoveryEndpoints } from '@pult/contract'
import { api } from '#platform/api.ts'

/* The calls of the password step. Their schemas load with it: a signed-in start does not need them. */

export const logIn = (data: { username: string; password: string }, signal: AbortSignal) =>
  api(loginEndpoints.login, { body: { type: 'credentials', data }, signal })

export const logInByOtp = (data: { voucher: string; otp: string }, signal: AbortSignal) =>
  api(loginEndpoints.login, { body: { type: 'otp', data }, signal })

export function requestPasswordReset(username: string, signal: AbortSignal) {
  return api(recoveryEndpoints.resetPassword, { body: { username }, signal })
}

export function requestOtpRecovery(voucher: string, signal: AbortSignal) {
  return api(recoveryEndpoints.recoverOtp, { body: { voucher }, signal })
}
