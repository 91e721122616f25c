import { isDeepStrictEqual } from 'node:util'
import { limits, type StoreEntry } from '@pult/contract'
import type { Kysely } from 'kysely'
import { AppError } from '#platform/app-error.ts'
import { recordLimits } from '#platform/database/record-quota.ts'
import { refuseStale } from '#platform/database/revision.ts'
import type { Database } from '#platform/database/schema.ts'
import { emitChange } from '#platform/realtime/changes.ts'
import type { Events } from '#platform/realtime/events.ts'
import { storeTopicOf } from '../extension-topics.ts'
import { createStoreRepository, type StorePlace } from './store.repository.ts'

interface Change {
  personId: string
  /** The revision that the change is based on; 0 if no value existed. */
  revision: number | undefined
}

/** Key-value store of apps. The routes have checked the caller. */
export function createStoreService({ db, events }: { db: Kysely<Database>; events: Events }) {
  async function read(place: StorePlace, key: string): Promise<StoreEntry> {
    const entry = await createStoreRepository(db, place).find(key)
    if (entry === undefined) throw new AppError('NOT_FOUND')
    return entry
  }

  return {
    list: (place: StorePlace, prefix: string | undefined): Promise<StoreEntry[]> =>
      createStoreRepository(db, place).list(prefix),

    read,

    async write(
      place: StorePlace,
      key: string,
      value: unknown,
      { personId, revision }: Change,
    ): Promise<StoreEntry> {
      checkKey(key)
      const json = jsonOf(value)
      return events.transaction(async (trx, emit) => {
        const store = createStoreRepository(trx, place)
        await store.lock()
        const current = await store.find(key)
        refuseOther(current, revision)
        if (current !== undefined && isDeepStrictEqual(current.value, JSON.parse(json))) return current
        if (current === undefined && (await store.count()) >= limits.storeKeysMax)
          throw new AppError('STORE_FULL')
        const before = await store.usedBytes()
        if (!(await store.write(key, json, personId))) throw new AppError('NOT_FOUND')
        const after = await store.usedBytes()
        if (after > recordLimits.storeBytesMax && after > before) throw new AppError('STORE_FULL', full)
        const entry = await store.find(key)
        if (entry === undefined) throw new AppError('NOT_FOUND')
        const change = { collection: 'store', op: 'upsert', id: key, revision: entry.revision } as const
        await emitChange(emit, { topic: storeTopicOf(place), ...change })
        return entry
      })
    },

    async remove(place: StorePlace, key: string, { revision }: Change): Promise<void> {
      await events.transaction(async (trx, emit) => {
        const store = createStoreRepository(trx, place)
        await store.lock()
        const current = await store.find(key)
        if (current === undefined) throw new AppError('NOT_FOUND')
        refuseStale(current, revision)
        await store.remove(key)
        await emitChange(emit, { topic: storeTopicOf(place), collection: 'store', op: 'remove', id: key })
      })
    },
  }
}
export type StoreService = ReturnType<typeof createStoreService>

const full = {
  message: {
    de: 'The apps have used up their storage in this project. Delete some of their data',
    'de-DE':
      'Die Apps haben ihren Speicher in diesem Projekt aufgebraucht. Löschen Sie einen Teil ihrer Daten',
  },
}

function refuseOther(current: StoreEntry | undefined, revision: number | undefined): void {
  if (current !== undefined) return refuseStale(current, revision)
  // The entry was deleted concurrently.
  if (revision !== undefined && revision !== 0) throw new AppError('NOT_FOUND')
}

/** Enforces the contract's format of keys, because a path parameter can be any text. */
function checkKey(key: string): void {
  if (!/^[\w.:-]{1,100}$/.test(key))
    throw new AppError('VALIDATION_FAILED', { message: 'A key consists of letters, digits and . _ : -' })
}

function jsonOf(value: unknown): string {
  const json = JSON.stringify(value) as string | undefined
  if (json === undefined) throw new AppError('VALIDATION_FAILED', { message: 'The value is missing' })
  if (Buffer.byteLength(json) > limits.storeValueBytes)
    throw new AppError('BODY_TOO_LARGE', {
      message: { de: 'The value is larger than 32 KiB', 'de-DE': 'Der Wert ist größer als 32 KiB' },
    })
  return json
}
