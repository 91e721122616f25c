import { type AuthenticationResult, passkeyLoginEndpoints, type ReplyOf } from '@pult/contract'
import { api } from '#platform/api.ts'
import { expectHeadStart, firstQuestions, keepAhead } from '#platform/head-start.ts'
import { texts } from './login.texts.ts'

export type StartedLogin = ReplyOf<typeof passkeyLoginEndpoints.options>

/** With a username only that person can finish it. */
export function startPasskeyLogin(body: { username?: string }, signal: AbortSignal): Promise<StartedLogin> {
  return api(passkeyLoginEndpoints.options, { body, signal })
}

/** Answers the token. */
export async function finishPasskeyLogin(
  { userToken }: StartedLogin,
  result: AuthenticationResult,
  signal: AbortSignal,
): Promise<string> {
  const asked = api(passkeyLoginEndpoints.verify, {
    body: { userToken, result, ahead: firstQuestions() },
    signal,
  })
  expectHeadStart()
  const { verified, token, ahead } = await asked
  if (verified && token !== undefined) {
    keepAhead(token, ahead)
    return token
  }
  console.error('The server did not verify the passkey.')
  throw new Error(texts.passkeyNotAccepted)
}
