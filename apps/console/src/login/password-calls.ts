import { type BodyOf, loginEndpoints, recoveryEndpoints } from '@pult/contract'
import { api } from '#platform/api.ts'
import { firstQuestions, keepAhead } from '#platform/head-start.ts'

/* The calls of the step with the password. They bring schemas along that nobody needs who is signed in already. */

export const logIn = (data: { username: string; password: string }, signal: AbortSignal) =>
  ask({ type: 'credentials', data, ahead: firstQuestions() }, signal)

export const logInByOtp = (data: { voucher: string; otp: string }, signal: AbortSignal) =>
  ask({ type: 'otp', data, ahead: firstQuestions() }, signal)

async function ask(body: BodyOf<typeof loginEndpoints.login>, signal: AbortSignal) {
  const { ahead, ...answer } = await api(loginEndpoints.login, { body, signal })
  if (answer.token !== undefined) keepAhead(answer.token, ahead)
  return answer
}

export function requestPasswordReset(username: string, signal: AbortSignal) {
  return api(recoveryEndpoints.resetPassword, { body: { username }, signal })
}

export function requestOtpRecovery(voucher: string, signal: AbortSignal) {
  return api(recoveryEndpoints.recoverOtp, { body: { voucher }, signal })
}
