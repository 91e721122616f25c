import { loginEndpoints, recoveryEndpoints } from '@pult/contract'
import { api } from '#platform/api.ts'

/* The calls of the step with the password. They bring schemas along that nobody needs who is signed in already. */

export function logIn(data: { username: string; password: string }, signal: AbortSignal) {
  return api(loginEndpoints.login, { body: { type: 'credentials', data }, signal })
}

export function logInByOtp(data: { voucher: string; otp: string }, signal: AbortSignal) {
  return api(loginEndpoints.login, { body: { type: 'otp', data }, signal })
}

export function requestPasswordReset(username: string, signal: AbortSignal) {
  return api(recoveryEndpoints.resetPassword, { body: { username }, signal })
}

export function requestOtpRecovery(voucher: string, signal: AbortSignal) {
  return api(recoveryEndpoints.recoverOtp, { body: { voucher }, signal })
}
