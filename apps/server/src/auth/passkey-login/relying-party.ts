import type { AuthenticationResult, RegistrationResult } from '@pult/contract'
import type { isoCBOR } from '@simplewebauthn/server/helpers'
import type { Log } from '#platform/log.ts'

interface RelyingPartyParts {
  publicUrl: string
  log: Log
}

/** What the keys of passkeys may be: EdDSA, ES256, RS256. https://www.iana.org/assignments/cose/cose.xhtml#algorithms */
export const keyAlgorithms = [-8, -7, -257]

/** https://www.w3.org/TR/webauthn-3/#credential-id; longer ones would not fit into an index either. */
const credentialIdMax = 1023

export interface RegisteredCredential {
  credentialId: string
  publicKey: Uint8Array
  counter: number
  aaguid: string
}

/** The bytes of the person's id: what an authenticator answers to say whose passkey it is. */
export const userHandleOf = (personId: string) =>
  Buffer.from(personId.replaceAll('-', ''), 'hex').toString('base64url')

/**
 * Who asks for passkeys: the public address of the settings, whatever a request says. Verification answers what it
 * found or null, and never says to the client why: the library's errors quote the challenge.
 */
export function createRelyingParty({ publicUrl, log }: RelyingPartyParts) {
  const id = new URL(publicUrl).hostname
  const expected = { expectedOrigin: publicUrl, expectedRPID: id, requireUserVerification: true }

  /** Whatever the library throws is about what the client sent; a wrong PULT_URL shows itself here. */
  async function verified<Found>(verify: () => Promise<Found | null>): Promise<Found | null> {
    try {
      return await verify()
    } catch (err) {
      log.info({ err }, 'what a passkey answered was refused')
      return null
    }
  }

  return {
    id,
    name: 'Pult',

    async verifyRegistration(
      result: RegistrationResult,
      isChallenge: (challenge: string) => boolean,
    ): Promise<RegisteredCredential | null> {
      return verified(async () => {
        const { clientDataJSON, attestationObject } = result.response
        await refuseForeignFrame(clientDataJSON)
        const { verifyRegistrationResponse } = await webauthn()
        const { registrationInfo } = await verifyRegistrationResponse({
          ...expected,
          response: {
            ...credentialOf(result),
            response: { clientDataJSON, attestationObject: await withoutAttestation(attestationObject) },
          },
          expectedChallenge: isChallenge,
          supportedAlgorithmIDs: keyAlgorithms,
        })
        if (registrationInfo === undefined) return null
        const { credential, aaguid } = registrationInfo
        if (Buffer.byteLength(credential.id, 'base64url') > credentialIdMax) return null
        return {
          credentialId: credential.id,
          publicKey: credential.publicKey,
          counter: credential.counter,
          aaguid,
        }
      })
    },

    /** Answers how often the passkey says it was used; whether that can be is for the caller to judge. */
    async verifyAuthentication(
      result: AuthenticationResult,
      isChallenge: (challenge: string) => boolean,
      publicKey: Buffer,
    ): Promise<{ counter: number } | null> {
      return verified(async () => {
        const { clientDataJSON, authenticatorData, signature } = result.response
        await refuseForeignFrame(clientDataJSON)
        const { verifyAuthenticationResponse } = await webauthn()
        const { verified: isRight, authenticationInfo } = await verifyAuthenticationResponse({
          ...expected,
          response: {
            ...credentialOf(result),
            response: { clientDataJSON, authenticatorData, signature },
          },
          expectedChallenge: isChallenge,
          // The library compares counters before it looks at the signature; here only what is signed is believed.
          credential: { id: result.id, publicKey: new Uint8Array(publicKey), counter: 0 },
        })
        return isRight ? { counter: authenticationInfo.newCounter } : null
      })
    },
  }
}
export type RelyingParty = ReturnType<typeof createRelyingParty>

/** Loading it takes 0.1 s and 25 MB, which a start need not pay for. */
const webauthn = () => import('@simplewebauthn/server')
const webauthnHelpers = () => import('@simplewebauthn/server/helpers')

const credentialOf = ({ id, rawId, type }: RegistrationResult | AuthenticationResult) => ({
  id,
  rawId,
  type,
  clientExtensionResults: {},
})

/** The challenge that a client says it was given, or null where it says nothing that can be read. */
export async function challengeOf({ response }: RegistrationResult): Promise<string | null> {
  const { decodeClientDataJSON } = await webauthnHelpers()
  try {
    const { challenge } = decodeClientDataJSON(response.clientDataJSON)
    return typeof challenge === 'string' ? challenge : null
  } catch {
    return null
  }
}

/** Pult is never in another site's frame: https://www.w3.org/TR/webauthn-3/#dom-collectedclientdata-crossorigin */
async function refuseForeignFrame(clientDataJSON: string): Promise<void> {
  const { decodeClientDataJSON } = await webauthnHelpers()
  const { crossOrigin, topOrigin } = decodeClientDataJSON(clientDataJSON)
  if (crossOrigin || topOrigin !== undefined) throw new Error('The ceremony ran in a foreign frame')
}

type CborValue = Parameters<typeof isoCBOR.encode>[0]

/**
 * None was asked for, and browsers send none. One that comes all the same is dropped unread: following its certificates
 * would have this server call addresses that the client names.
 */
async function withoutAttestation(attestationObject: string): Promise<string> {
  const { decodeAttestationObject, isoBase64URL, isoCBOR } = await webauthnHelpers()
  const authData = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject)).get('authData')
  return isoBase64URL.fromBuffer(
    isoCBOR.encode(
      new Map<string, CborValue>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ]),
    ),
  )
}
