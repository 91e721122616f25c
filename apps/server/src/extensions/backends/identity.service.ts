import type { CryptoKey, JWK } from 'jose'
import type { Kysely } from 'kysely'
import type { Database } from '#platform/database/schema.ts'
import type { Secrets } from '#platform/secrets.ts'
import { createIdentityKeyRepository, type IdentityKey } from './identity-key.repository.ts'

/** The claims about the caller that a service receives. */
export interface Identity {
  sub: string
  name: string
  app: string
  /** Undefined for a root app. */
  project?: string
  /** The user's scope entries for this project. */
  scope: readonly string[]
  /** The user owns the project and so holds every role, even those that the scope lacks. */
  owner: boolean
  /** Holds every role everywhere. */
  root: boolean
}

interface IdentityServiceParts {
  db: Kysely<Database>
  secrets: Secrets
  publicUrl: string
}

/** Lazy, because only extensions with services need it. */
const jose = () => import('jose')

const algorithm = 'EdDSA'
const purpose = 'identity of callers'
/** Seconds. */
const lifetime = 60

/** Signs the identity of callers for the services of extensions. Creates the key on first use. */
export function createIdentityService({ db, secrets, publicUrl }: IdentityServiceParts) {
  const keys = createIdentityKeyRepository(db)
  /** The last used key, decrypted. */
  let opened: { id: string; key: CryptoKey | Uint8Array } | undefined

  async function currentKey(): Promise<IdentityKey> {
    return (await keys.current()) ?? makeKey()
  }

  /** Creates a key on one of several concurrent nodes. */
  async function makeKey(): Promise<IdentityKey> {
    const { exportJWK, generateKeyPair } = await jose()
    const pair = await generateKeyPair(algorithm, { crv: 'Ed25519', extractable: true })
    const [publicKey, privateKey] = [await exportJWK(pair.publicKey), await exportJWK(pair.privateKey)]
    return db.transaction().execute(async (trx) => {
      const within = createIdentityKeyRepository(trx)
      await within.lock()
      if ((await within.current()) === undefined)
        await within.add({ ...publicKey }, secrets.seal(purpose, JSON.stringify(privateKey)))
      const key = await within.current()
      if (key === undefined) throw new Error('The new key was not found')
      return key
    })
  }

  async function privateKeyOf({ id, privateKey }: IdentityKey): Promise<CryptoKey | Uint8Array> {
    if (opened?.id !== id) {
      const jwk = JSON.parse(secrets.open(purpose, privateKey)) as JWK
      opened = { id, key: await (await jose()).importJWK(jwk, algorithm) }
    }
    return opened.key
  }

  return {
    /** @param audience the extension's id */
    async sign({ sub, ...claims }: Identity, audience: string): Promise<string> {
      const [current, { SignJWT }] = await Promise.all([currentKey(), jose()])
      return new SignJWT({ ...claims })
        .setProtectedHeader({ alg: algorithm, kid: current.id, typ: 'JWT' })
        .setSubject(sub)
        .setIssuer(publicUrl)
        .setAudience(audience)
        .setIssuedAt(current.now)
        .setExpirationTime(current.now + lifetime)
        .sign(await privateKeyOf(current))
    },

    /** Returns the public keys as a JSON Web Key Set. */
    async publicKeys(): Promise<{ keys: Record<string, unknown>[] }> {
      await currentKey()
      const published = await keys.published()
      return {
        keys: published.map(({ id, publicKey }) => ({ ...publicKey, kid: id, alg: algorithm, use: 'sig' })),
      }
    },
  }
}
export type IdentityService = ReturnType<typeof createIdentityService>
