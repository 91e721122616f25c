import { createHash, createPrivateKey, generateKeyPairSync, sign } from 'node:crypto'
import { edgeSignaturePurposes } from '@pult/contract'
import type { Kysely } from 'kysely'
import type { Database } from '#platform/database/schema.ts'
import type { Secrets } from '#platform/secrets.ts'
import type { createAuditService } from '../../audit/audit.service.ts'
import { createReleaseKeyRepository, type ReleaseKey } from './release-key.repository.ts'

interface EdgeReleaseKeysParts {
  db: Kysely<Database>
  secrets: Secrets
  audit: Pick<ReturnType<typeof createAuditService>, 'within'>
}

const purpose = 'key of edge releases'

const textOf = (bytes: Buffer) => bytes.toString('base64url')

export const releaseKeyId = ({ publicKey }: ReleaseKey) =>
  createHash('sha256').update(publicKey).digest('hex').slice(0, 32)

/** The keys with which the installation signs the agent of edges. The first one is created on first use. */
export function createEdgeReleaseKeys({ db, secrets, audit }: EdgeReleaseKeysParts) {
  function signWith(key: ReleaseKey, kind: keyof typeof edgeSignaturePurposes, text: string) {
    const privateKey = createPrivateKey(secrets.open(purpose, key.privateKey))
    const signature = sign(null, Buffer.from(edgeSignaturePurposes[kind] + text), privateKey)
    return { text, signature: textOf(signature) }
  }

  /** Returns a new key, announced by the previous one. */
  function newKey(previous: ReleaseKey | undefined): ReleaseKey {
    const pair = generateKeyPairSync('ed25519')
    const publicKey = pair.publicKey.export({ format: 'der', type: 'spki' })
    const pem = pair.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
    const privateKey = secrets.seal(purpose, pem)
    if (previous === undefined) return { publicKey, privateKey, announcement: null }
    const announced = { previous: releaseKeyId(previous), key: textOf(publicKey) }
    return { publicKey, privateKey, announcement: signWith(previous, 'key', JSON.stringify(announced)) }
  }

  /** Returns all keys, oldest first. One of several concurrent nodes creates the first key. */
  async function all(): Promise<{ keys: ReleaseKey[]; newest: ReleaseKey }> {
    const known = await createReleaseKeyRepository(db).all()
    const newest = known.at(-1)
    if (newest !== undefined) return { keys: known, newest }
    return db.transaction().execute(async (trx) => {
      const within = createReleaseKeyRepository(trx)
      await within.lock()
      const keys = await within.all()
      const present = keys.at(-1)
      if (present !== undefined) return { keys, newest: present }
      const first = newKey(undefined)
      await within.add(first)
      return { keys: [first], newest: first }
    })
  }

  return {
    all,
    signWith,

    /** The public key that an agent pins at its enrolment. */
    publicKey: async (): Promise<string> => textOf((await all()).newest.publicKey),

    /** Replaces the key. Agents accept the new key by its announcement, which the previous key has signed. */
    async rotate(): Promise<void> {
      await all()
      await db.transaction().execute(async (trx) => {
        const within = createReleaseKeyRepository(trx)
        await within.lock()
        const key = newKey((await within.all()).at(-1))
        await within.add(key)
        const detail = { key: releaseKeyId(key) }
        await audit.within(trx).record({ event: 'edge.key-rotated', result: 'success', detail })
      })
    },
  }
}
export type EdgeReleaseKeys = ReturnType<typeof createEdgeReleaseKeys>
