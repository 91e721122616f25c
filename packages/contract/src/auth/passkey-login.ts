import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { username } from './login.ts'
import { finishedAuthentication, startedAuthentication } from './webauthn.ts'

export const passkeyLoginEndpoints = {
  options: endpoint('POST', '/auth/login/passkey/options', {
    summary:
      'Starts a sign-in by passkey. With a username only that person can finish it; the answer is the same whether there is one or not.',
    body: z.strictObject({ username: z.optional(username) }),
    reply: startedAuthentication,
  }),
  verify: endpoint('POST', '/auth/login/passkey/verify', {
    summary: 'Finishes a sign-in by passkey. What was started is used up, whatever comes of it.',
    body: z.strictObject(finishedAuthentication),
    reply: z.object({
      verified: z.boolean(),
      /** Signs in; there when verified. */
      token: z.optional(z.string()),
    }),
  }),
}
