import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { AppError } from '../app-error.ts'
import type { Db } from './database.ts'
import { deleteInBatches } from './delete-in-batches.ts'
import type { Database } from './schema.ts'

/** A create that its client may repeat after losing the answer. */
export interface RepeatableCreate {
  personId: string
  /** Path of the collection. */
  path: string
  /** The Idempotency-Key; undefined when the client sent none. */
  key: string | undefined
  /** Body of the request. */
  body: unknown
}

const kept = sql`interval '1 day'`

/** Identifies the body of a create, so that a key cannot replay the answer to another request. */
export const hashBody = (body: unknown): Buffer =>
  createHash('sha256')
    .update(JSON.stringify(body) ?? '')
    .digest()

/**
 * Throws IDEMPOTENCY_KEY_REUSED unless a replay has the body of the first request. A create by an earlier version has
 * no hash and matches any body.
 */
export function checkReplay(first: Buffer | null, replay: Buffer): void {
  if (first !== null && !first.equals(replay)) throw new AppError('IDEMPOTENCY_KEY_REUSED')
}

/**
 * Idempotent create: replays within 24 h on any node return the id of the first record. Part of the caller's
 * transaction. Throws IDEMPOTENCY_KEY_REUSED for a key that belongs to another request.
 */
export async function createOnce(
  trx: Db,
  { personId, path, key, body }: RepeatableCreate,
  create: () => Promise<string>,
): Promise<{ id: string; isNew: boolean }> {
  if (key === undefined) return { id: await create(), isNew: true }
  const hash = hashBody(body)
  // Serialises concurrent creates with one key.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${personId} ${path} ${key}`}, 0))`.execute(trx)
  const before = await trx
    .selectFrom('idempotency')
    .select(['record_id', 'request_hash'])
    .where('person_id', '=', personId)
    .where('path', '=', path)
    .where('key', '=', key)
    .executeTakeFirst()
  if (before !== undefined) {
    checkReplay(before.request_hash, hash)
    return { id: before.record_id, isNew: false }
  }
  const id = await create()
  await trx
    .insertInto('idempotency')
    .values({ person_id: personId, path, key, record_id: id, request_hash: hash })
    .execute()
  return { id, isNew: true }
}

export async function sweepIdempotency(db: Kysely<Database>): Promise<void> {
  await deleteInBatches(db, 'idempotency', sql`created_at < now() - ${kept}`)
}
