import { isIP } from 'node:net'
import type { AuthenticationResult, RegistrationResult } from '@pult/contract'
import type { isoCBOR } from '@simplewebauthn/server/helpers'
import type { Log } from '#platform/log.ts'

interface RelyingPartyParts {
  publicUrl: string
  log: Log
}

/** Accepted key algorithms: EdDSA, ES256, RS256. https://www.iana.org/assignments/cose/cose.xhtml#algorithms */
export const keyAlgorithms = [-8, -7, -257]

/** https://www.w3.org/TR/webauthn-3/#credential-id; longer ids would exceed the size limit of an index. */
const credentialIdMax = 1023

export interface RegisteredCredential {
  credentialId: string
  publicKey: Uint8Array
  counter: number
  aaguid: string
}

/** Returns why browsers do not offer passkeys at the public address, or null. https://www.w3.org/TR/webauthn-3/#rp-id */
export function obstacleOf(publicUrl: string): 'is an IP address' | 'has no https' | null {
  const { protocol, hostname } = new URL(publicUrl)
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return 'is an IP address'
  return protocol === 'http:' && hostname !== 'localhost' ? 'has no https' : null
}

/** Encodes the user id as the user handle that an authenticator returns at sign-in. */
export const userHandleOf = (personId: string) =>
  Buffer.from(personId.replaceAll('-', ''), 'hex').toString('base64url')

/**
 * The relying party of all ceremonies. Its origin is the public URL of the settings, never the URL of a request.
 * Verification returns its result or null. The reason of a failure stays in the log, because the library's errors
 * quote the challenge.
 */
export function createRelyingParty({ publicUrl, log }: RelyingPartyParts) {
  const id = new URL(publicUrl).hostname
  const expected = { expectedOrigin: publicUrl, expectedRPID: id, requireUserVerification: true }

  /** Treats every error of the library as a client error. The log entry also reveals a wrong PULT_URL. */
  async function verified<Found>(verify: () => Promise<Found | null>): Promise<Found | null> {
    try {
      return await verify()
    } catch (err) {
      log.info({ err }, 'the answer of a passkey was rejected')
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

    /** Returns the counter that the passkey reported. The caller checks that it has grown. */
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
          // The library compares counters before it verifies the signature. The caller compares only signed counters.
          credential: { id: result.id, publicKey: new Uint8Array(publicKey), counter: 0 },
        })
        return isRight ? { counter: authenticationInfo.newCounter } : null
      })
    },
  }
}
export type RelyingParty = ReturnType<typeof createRelyingParty>

/** Lazy, because it takes 0.1 s and 25 MB to load. */
const webauthn = () => import('@simplewebauthn/server')
const webauthnHelpers = () => import('@simplewebauthn/server/helpers')

const credentialOf = ({ id, rawId, type }: RegistrationResult | AuthenticationResult) => ({
  id,
  rawId,
  type,
  clientExtensionResults: {},
})

/** Returns the challenge that the client data contains, or null if it cannot be parsed. */
export async function challengeOf({ response }: RegistrationResult): Promise<string | null> {
  const { decodeClientDataJSON } = await webauthnHelpers()
  try {
    const { challenge } = decodeClientDataJSON(response.clientDataJSON)
    return typeof challenge === 'string' ? challenge : null
  } catch {
    return null
  }
}

/**
 * Pult is never embedded in a frame of another site:
 * https://www.w3.org/TR/webauthn-3/#dom-collectedclientdata-crossorigin
 */
async function refuseForeignFrame(clientDataJSON: string): Promise<void> {
  const { decodeClientDataJSON } = await webauthnHelpers()
  const { crossOrigin, topOrigin } = decodeClientDataJSON(clientDataJSON)
  if (crossOrigin || topOrigin !== undefined) throw new Error('The ceremony ran in a foreign frame')
}

type CborValue = Parameters<typeof isoCBOR.encode>[0]

/**
 * Removes an unrequested attestation unread. Browsers send none, and verifying its certificates would make this
 * server connect to addresses that the client names.
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
