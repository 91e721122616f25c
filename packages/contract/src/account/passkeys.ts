import * as z from 'zod/mini'
import { registrationOptions, registrationResult } from '../auth/webauthn.ts'
import { done, id, instant, listOf } from '../collection.ts'
import { endpoint } from '../endpoint.ts'
import { limits } from '../limits.ts'
import { nameText } from '../text.ts'

export const passkeyErrors = {
  PASSKEY_NOT_ACCEPTED: { status: 400, message: 'This passkey could not be added. Try again' },
  PASSKEY_ADDED_ALREADY: { status: 409, message: 'This passkey has already been added' },
  TOO_MANY_PASSKEYS: { status: 409, message: 'You have too many passkeys. Delete one first' },
  LAST_LOGIN_METHOD: {
    status: 409,
    message: 'This is your only way to sign in. Set a password or add another passkey first',
  },
} as const

const passkey = z.object({
  _id: id,
  label: z.string(),
  createdAt: instant,
  lastUsedAt: z.nullable(instant),
  /** The authenticator's model, if known ("iCloud Keychain"). */
  authenticator: z.nullable(z.string()),
})
export type Passkey = z.infer<typeof passkey>

export const passkeyEndpoints = {
  list: endpoint('GET', '/me/account/passkeys', {
    summary: 'Lists the caller’s passkeys, newest first.',
    reply: listOf(passkey),
    errors: ['UNAUTHENTICATED'],
  }),
  remove: endpoint('DELETE', '/me/account/passkeys/:passkeyId', {
    summary: 'Deletes a passkey, unless it is the last way to sign in.',
    reply: done,
    errors: ['UNAUTHENTICATED', 'NOT_FOUND', 'RECENT_SIGN_IN_NEEDED', 'LAST_LOGIN_METHOD'],
  }),
  registerOptions: endpoint('GET', '/me/account/passkeys/register/options', {
    summary: 'Starts the registration of a passkey, which must finish in this session within 5 minutes.',
    reply: registrationOptions,
    errors: ['UNAUTHENTICATED', 'RECENT_SIGN_IN_NEEDED', 'TOO_MANY_PASSKEYS'],
  }),
  registerResult: endpoint('POST', '/me/account/passkeys/register/result', {
    summary: 'Finishes the registration of a passkey.',
    body: z.strictObject({
      result: registrationResult,
      label: nameText(limits.passkeyLabelMax, { min: limits.passkeyLabelMin }),
    }),
    reply: z.object({ verified: z.literal(true), meta: passkey }),
    errors: [
      'UNAUTHENTICATED',
      'RECENT_SIGN_IN_NEEDED',
      'PASSKEY_NOT_ACCEPTED',
      'PASSKEY_ADDED_ALREADY',
      'TOO_MANY_PASSKEYS',
    ],
  }),
}
