import { isDeepStrictEqual } from 'node:util'
import type { Kysely, Transaction } from 'kysely'
import { sql } from 'kysely'
import { refuseStale } from '#platform/database/revision.ts'
import type { Database } from '#platform/database/schema.ts'
import { emitChange } from '#platform/realtime/changes.ts'
import type { Events } from '#platform/realtime/events.ts'

/** The topic of a person's own settings: each event names its recipient. */
export const settingsTopic = 'settings'

export type SettingsName = 'console' | 'stream-decks'

export type Revised<Value> = Value & { revision: number; updatedAt: string | null }

interface OwnSettingsParts<Value> {
  db: Kysely<Database>
  events: Events
  name: SettingsName
  /** The value before any change. */
  defaults: Value
}

/** One settings value per person and subject, with a revision for the whole value. */
export function createOwnSettings<Value extends object>({
  db,
  events,
  name,
  defaults,
}: OwnSettingsParts<Value>) {
  async function read(personId: string, from: Kysely<Database> = db): Promise<Revised<Value>> {
    const row = await from
      .selectFrom('settings')
      .select(['value', 'revision', 'updated_at'])
      .where('person_id', '=', personId)
      .where('name', '=', name)
      .executeTakeFirst()
    return {
      ...defaults,
      ...(row?.value as Partial<Value>),
      revision: row?.revision ?? 0,
      updatedAt: row === undefined || row.revision === 0 ? null : row.updated_at.toISOString(),
    }
  }

  /** Creates the person's row on the first change, so that concurrent changes can lock it. */
  async function lock(trx: Transaction<Database>, personId: string): Promise<void> {
    await trx
      .insertInto('settings')
      .values({ person_id: personId, name, value: '{}' })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    await trx
      .selectFrom('settings')
      .select('revision')
      .where('person_id', '=', personId)
      .where('name', '=', name)
      .forUpdate()
      .execute()
  }

  return {
    read,

    /**
     * Writes the result of `changesOf` for the current value and notifies the person's other browsers. Does
     * nothing if the value is unchanged. A stale revision is rejected with the value as `shown`.
     */
    async change(
      personId: string,
      {
        revision,
        shown,
      }: { revision: number | undefined; shown: (value: Revised<Value>) => object | Promise<object> },
      changesOf: (before: Value, trx: Transaction<Database>) => Promise<Partial<Value>> | Partial<Value>,
    ): Promise<Revised<Value>> {
      const { value, isStale } = await events.transaction(async (trx, emit) => {
        await lock(trx, personId)
        const { revision: revisionBefore, updatedAt, ...rest } = await read(personId, trx)
        const before = rest as unknown as Value
        const current = { ...before, revision: revisionBefore, updatedAt }
        if (revision !== undefined && revision !== revisionBefore) return { value: current, isStale: true }
        const after = { ...before, ...(await changesOf(before, trx)) }
        if (isDeepStrictEqual(after, before)) return { value: current, isStale: false }
        await trx
          .updateTable('settings')
          .set((eb) => ({
            value: JSON.stringify(after),
            revision: eb('revision', '+', 1),
            updated_at: sql<Date>`clock_timestamp()`,
          }))
          .where('person_id', '=', personId)
          .where('name', '=', name)
          .execute()
        const written = await read(personId, trx)
        await emitChange(emit, {
          topic: settingsTopic,
          collection: 'settings',
          op: 'upsert',
          id: name,
          revision: written.revision,
          audience: [personId],
        })
        return { value: written, isStale: false }
      })
      if (isStale) {
        // `shown` reads over other connections, so it must run after the transaction.
        const { updatedAt, revision: now } = value
        const current = { ...(await shown(value)), revision: now, updatedAt: updatedAt ?? '' }
        // The user made the change in another browser.
        refuseStale({ ...current, updatedBy: null }, revision)
      }
      return value
    },
  }
}
