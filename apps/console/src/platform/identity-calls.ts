import { loginEndpoints, meEndpoints, recoveryEndpoints, sessionEndpoints } from '@pult/contract'
import { api } from './api.ts'

/*
 * The calls about who somebody is. They stand apart because they bring the contract and its schemas along: the login is on
 * screen before those have been evaluated.
 */

export const reissue = () => api(sessionEndpoints.reissue)

export const readMe = (how: { background?: boolean } = {}) => api(meEndpoints.read, how)

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
