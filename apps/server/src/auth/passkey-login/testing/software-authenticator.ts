import { generateKeyPairSync, hash, type KeyObject, randomBytes, sign } from 'node:crypto'
import type {
  AuthenticationOptions,
  AuthenticationResult,
  RegistrationOptions,
  RegistrationResult,
} from '@pult/contract'
import { isoCBOR } from '@simplewebauthn/server/helpers'

export interface SoftwareAuthenticatorOptions {
  /** The origin of the page that runs the ceremonies: the public URL of the server. */
  origin: string
  /** The AAGUID that the authenticator reports. */
  aaguid?: string
  /** Security keys count their uses; synced passkeys always report 0. */
  isCounting?: boolean
}

/** Deviations from an honest browser and authenticator. */
export interface Misbehaviour {
  /** The origin of the page. */
  origin?: string
  crossOrigin?: boolean
  topOrigin?: string
  challenge?: string
  /** The ceremony type in the client data: `webauthn.create` or `webauthn.get`. */
  type?: string
  rpId?: string
  /** A fingerprint, PIN or face was checked. */
  userVerified?: boolean
  userPresent?: boolean
  /** The reported number of uses; later uses continue from it. */
  counter?: number
}

export interface RegistrationMisbehaviour extends Misbehaviour {
  /** Replaces the random id. */
  credentialId?: Buffer
  /** Replaces the key of the credential. */
  coseKey?: Map<number, number | Uint8Array>
  attestation?: { fmt: string; attStmt: Map<string, unknown> }
}

export interface AssertionMisbehaviour extends Misbehaviour {
  /** Null omits it. */
  userHandle?: string | null
  /** Signs with a foreign key. */
  isForged?: boolean
}

interface Credential {
  id: string
  rpId: string
  userHandle: string
  privateKey: KeyObject
}

/** https://www.w3.org/TR/webauthn-3/#authdata-flags */
const flag = { userPresent: 0x01, userVerified: 0x04, attestedCredential: 0x40 }

const sha256 = (data: string | Buffer) => hash('sha256', data, 'buffer')
const base64url = (data: string | Uint8Array) => Buffer.from(data).toString('base64url')

/**
 * An authenticator and its browser in software: ES256 with new keys, resident credentials, no attestation. Options
 * make it misbehave, so that tests can send every kind of wrong answer.
 */
export function createSoftwareAuthenticator({
  origin,
  aaguid = '00000000-0000-0000-0000-000000000000',
  isCounting = true,
}: SoftwareAuthenticatorOptions) {
  const credentials: Credential[] = []
  let uses = 0

  function nextCount(claimed: number | undefined): number {
    if (claimed !== undefined) uses = claimed
    else if (isCounting) uses += 1
    return uses
  }

  /** https://www.w3.org/TR/webauthn-3/#dictionary-client-data */
  function clientData(type: string, options: { challenge: string }, wrong: Misbehaviour): Buffer {
    return Buffer.from(
      JSON.stringify({
        type: wrong.type ?? type,
        challenge: wrong.challenge ?? options.challenge,
        origin: wrong.origin ?? origin,
        crossOrigin: wrong.crossOrigin ?? false,
        ...(wrong.topOrigin === undefined ? {} : { topOrigin: wrong.topOrigin }),
      }),
    )
  }

  /** https://www.w3.org/TR/webauthn-3/#authenticator-data */
  function authenticatorData(
    rpId: string,
    count: number,
    wrong: Misbehaviour,
    attested?: { credentialId: Buffer; coseKey: Uint8Array },
  ): Buffer {
    const flags =
      (wrong.userPresent === false ? 0 : flag.userPresent) |
      (wrong.userVerified === false ? 0 : flag.userVerified) |
      (attested === undefined ? 0 : flag.attestedCredential)
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(count)
    const parts: Buffer[] = [sha256(wrong.rpId ?? rpId), Buffer.from([flags]), counter]
    if (attested !== undefined) {
      const length = Buffer.alloc(2)
      length.writeUInt16BE(attested.credentialId.length)
      const kind = Buffer.from(aaguid.replaceAll('-', ''), 'hex')
      parts.push(kind, length, attested.credentialId, Buffer.from(attested.coseKey))
    }
    return Buffer.concat(parts)
  }

  return {
    /** The ids of its credentials, oldest first. */
    credentialIds: () => credentials.map(({ id }) => id),

    /** Returns the result of `navigator.credentials.create()`. */
    register(options: RegistrationOptions, wrong: RegistrationMisbehaviour = {}): RegistrationResult {
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
      // kty EC2, alg ES256, crv P-256: https://www.rfc-editor.org/rfc/rfc9053#section-7.1.1
      const coseKey = new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
        [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
      ])
      const credentialId = wrong.credentialId ?? randomBytes(32)
      const id = base64url(credentialId)
      credentials.push({ id, rpId: options.rp.id, userHandle: options.user.id, privateKey })

      const { fmt, attStmt } = wrong.attestation ?? { fmt: 'none', attStmt: new Map<string, unknown>() }
      const authData = authenticatorData(options.rp.id, wrong.counter ?? uses, wrong, {
        credentialId,
        coseKey: isoCBOR.encode(wrong.coseKey ?? coseKey),
      })
      const attestationObject = isoCBOR.encode(
        new Map<string, unknown>([
          ['fmt', fmt],
          ['attStmt', attStmt],
          ['authData', new Uint8Array(authData)],
        ]) as Parameters<typeof isoCBOR.encode>[0],
      )
      return {
        id,
        rawId: id,
        type: 'public-key',
        authenticatorAttachment: 'cross-platform',
        clientExtensionResults: { credProps: { rk: true } },
        response: {
          clientDataJSON: base64url(clientData('webauthn.create', options, wrong)),
          attestationObject: base64url(attestationObject),
          transports: ['internal', 'hybrid'],
        },
      }
    },

    /** Returns the result of `navigator.credentials.get()` with the newest credential of the requesting party. */
    assert(options: AuthenticationOptions, wrong: AssertionMisbehaviour = {}): AuthenticationResult {
      const credential = credentials.findLast(({ rpId }) => rpId === options.rpId)
      if (credential === undefined) throw new Error(`No passkey for ${options.rpId}`)
      const clientDataJSON = clientData('webauthn.get', options, wrong)
      const authData = authenticatorData(options.rpId, nextCount(wrong.counter), wrong)
      const privateKey =
        wrong.isForged === true
          ? generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
          : credential.privateKey
      const signature = sign('sha256', Buffer.concat([authData, sha256(clientDataJSON)]), privateKey)
      const userHandle = wrong.userHandle === undefined ? credential.userHandle : wrong.userHandle
      return {
        id: credential.id,
        rawId: credential.id,
        type: 'public-key',
        authenticatorAttachment: 'cross-platform',
        clientExtensionResults: {},
        response: {
          clientDataJSON: base64url(clientDataJSON),
          authenticatorData: base64url(authData),
          signature: base64url(signature),
          ...(userHandle === null ? {} : { userHandle }),
        },
      }
    },
  }
}
export type SoftwareAuthenticator = ReturnType<typeof createSoftwareAuthenticator>
