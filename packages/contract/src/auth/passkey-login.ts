import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { username } from './login.ts'
import { finishedAuthentication, startedAuthentication } from './webauthn.ts'

export const passkeyLoginEndpoints = {
  options: endpoint('POST', '/auth/login/passkey/options', {
    summary:
      'Starts a sign-in by passkey, optionally for one username; the reply does not reveal whether the account exists.',
    body: z.strictObject({ username: z.optional(username) }),
    reply: startedAuthentication,
  }),
  verify: endpoint('POST', '/auth/login/passkey/verify', {
    summary: 'Finishes a sign-in by passkey; the attempt uses up the ceremony, even if it fails.',
    body: z.strictObject(finishedAuthentication),
    reply: z.object({
      verified: z.boolean(),
      /** The session's token; present if verified. */
      token: z.optional(z.string()),
    }),
  }),
}
