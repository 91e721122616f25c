import * as z from 'zod/mini'

/*
 * The messages of a passkey ceremony between browser and server, as defined in
 * https://www.w3.org/TR/webauthn-3/#sctn-parseCreationOptionsFromJSON. The server verifies their content and ignores
 * unknown fields.
 */

const base64url = z.string().check(z.maxLength(32_768), z.regex(/^[\w-]*$/))

const credentialDescriptor = z.object({
  id: z.string(),
  type: z.literal('public-key'),
  transports: z.optional(z.array(z.string())),
})

/** PublicKeyCredentialCreationOptionsJSON */
export const registrationOptions = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ alg: z.number(), type: z.literal('public-key') })),
  timeout: z.number(),
  attestation: z.literal('none'),
  excludeCredentials: z.array(credentialDescriptor),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.boolean(),
    userVerification: z.literal('required'),
  }),
  extensions: z.object({ credProps: z.boolean() }),
})
export type RegistrationOptions = z.infer<typeof registrationOptions>

/** PublicKeyCredentialRequestOptionsJSON */
const authenticationOptions = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.number(),
  allowCredentials: z.array(credentialDescriptor),
  userVerification: z.literal('required'),
})
export type AuthenticationOptions = z.infer<typeof authenticationOptions>

const credential = {
  id: base64url,
  rawId: base64url,
  type: z.literal('public-key'),
  authenticatorAttachment: z.optional(z.nullable(z.string().check(z.maxLength(100)))),
  // Newer browsers add results of further WebAuthn extensions. The server reads none of them.
  clientExtensionResults: z.optional(z.unknown()),
}

/** RegistrationResponseJSON */
export const registrationResult = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: base64url,
    transports: z.optional(z.array(z.string().check(z.maxLength(100))).check(z.maxLength(20))),
  }),
})
export type RegistrationResult = z.infer<typeof registrationResult>

/** AuthenticationResponseJSON */
const authenticationResult = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
    userHandle: z.optional(z.nullable(base64url)),
  }),
})
export type AuthenticationResult = z.infer<typeof authenticationResult>

/** A started ceremony. `userToken` identifies its state on the server. */
export const startedAuthentication = z.object({ userToken: z.string(), options: authenticationOptions })

/** The browser's response. */
export const finishedAuthentication = {
  userToken: z.string().check(z.minLength(1), z.maxLength(200)),
  result: authenticationResult,
} as const
