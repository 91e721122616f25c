import { type AuthenticationResult, passkeyLoginEndpoints, type ReplyOf } from '@pult/contract'
import { api } from '#platform/api.ts'
import { texts } from './login.texts.ts'

export type StartedLogin = ReplyOf<typeof passkeyLoginEndpoints.options>

/** With a username, only that user can finish the login. */
export function startPasskeyLogin(body: { username?: string }, signal: AbortSignal): Promise<StartedLogin> {
  return api(passkeyLoginEndpoints.options, { body, signal })
}

/** Returns the token. */
export async function finishPasskeyLogin(
  { userToken }: StartedLogin,
  result: AuthenticationResult,
  signal: AbortSignal,
): Promise<string> {
  const { verified, token } = await api(passkeyLoginEndpoints.verify, { body: { userToken, result }, signal })
  if (verified && token !== undefined) return token
  console.error('The server did not verify the passkey.')
  throw new Error(texts.passkeyNotAccepted)
}
