import type { Account, AccountCounts, AccountSort, AccountState, Belongings } from '@pult/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import { orderOf } from '#platform/database/name-order.ts'
import {
  countedAtMost,
  countUpTo,
  type Page,
  type PageQuery,
  pageOf,
  pageSizeOf,
  searchCondition,
} from '#platform/database/page.ts'
import { changerColumns, type RevisedRow, revisedOf } from '#platform/database/revision.ts'
import { keyOfSorted, sortedPage } from '#platform/database/sorted-page.ts'

/** An account as stored in the database, with its last editor. */
export interface StoredAccount extends Omit<Account, 'isLocked'> {
  updatedAt: string
  updatedBy: { _id: string; firstname: string; lastname: string } | null
}

/** The fields of an update. Omitted fields stay unchanged. */
export interface AccountChanges {
  isRoot?: boolean
  isDisabled?: boolean
}

/** A project or organisation related to a person. */
export interface Place {
  _id: string
  label: string
  isOwned: boolean
  /** Joined by a grant or a membership. */
  isJoined: boolean
}

type Labelled = Belongings['projects']['items'][number]

/** Limit of items in each list of belongings. */
const belongingsMost = 100

const name = sql<string>`p.firstname || ' ' || p.lastname`

const searchable = {
  text: [name, sql<string>`e.email`],
  keys: {
    email: { text: sql<string>`e.email` },
    name: { text: name },
    root: { boolean: sql<boolean>`p.is_root` },
    disabled: { boolean: sql<boolean>`(p.disabled_at is not null)` },
    otp: { boolean: sql<boolean>`(otp.enabled_at is not null)` },
  },
}

export interface AccountListQuery extends PageQuery {
  state?: AccountState | undefined
  sort?: AccountSort | undefined
}

const states: Record<AccountState, RawBuilder<boolean>> = {
  root: sql`p.is_root`,
  disabled: sql`(p.disabled_at is not null)`,
  unprotected: sql`(otp.enabled_at is null)`,
}

/** The sort keys. Each has an index. */
const sortTexts = {
  created: undefined,
  name: orderOf(name),
  email: orderOf(sql`e.email`),
}

export function createAccountRepository(db: Db) {
  const accounts = () =>
    db
      .selectFrom('person as p')
      .innerJoin('email as e', (join) =>
        join.onRef('e.person_id', '=', 'p.id').on(sql<boolean>`e.is_default`),
      )
      .leftJoin('otp', 'otp.person_id', 'p.id')

  const columns = [
    'p.id',
    'p.firstname',
    'p.lastname',
    'e.email',
    sql<boolean>`e.verified_at is not null`.as('isEmailVerified'),
    'p.is_root',
    sql<boolean>`p.disabled_at is not null`.as('isDisabled'),
    sql<boolean>`otp.enabled_at is not null`.as('otpEnabled'),
    sql<boolean>`p.password_hash is not null`.as('hasPassword'),
    sql<number>`(select count(*) from passkey where passkey.person_id = p.id)`.as('passkeys'),
    sql<Date | null>`(select max(last_seen_at) from session where session.person_id = p.id)`.as('lastSeenAt'),
    'p.created_at',
    'p.revision',
    'p.updated_at',
    ...changerColumns,
  ] as const

  const select = () => accounts().leftJoin('person as changer', 'changer.id', 'p.updated_by').select(columns)

  async function countStates(matching: RawBuilder<boolean>): Promise<AccountCounts> {
    const counted = accounts()
      .where(matching)
      .select([states.root.as('root'), states.disabled.as('disabled'), states.unprotected.as('unprotected')])
      .limit(countedAtMost)
    const { rows } = await sql<AccountCounts>`
      select count(*) filter (where root) as root, count(*) filter (where disabled) as disabled,
        count(*) filter (where unprotected) as unprotected, count(*) = ${countedAtMost}::int as "isCapped"
      from (${counted}) counted`.execute(db)
    return rows[0] as AccountCounts
  }

  return {
    async list(query: AccountListQuery): Promise<Page<StoredAccount> & { counts: AccountCounts }> {
      const size = pageSizeOf(query)
      const { sort = 'created', state } = query
      const order = sortedPage(query, {
        // The id of the same person, from the table of the index, so that a page does not read all pages before it.
        id: sort.endsWith('email') ? sql`e.person_id` : sql`p.id`,
        text: sortTexts[sort.replace('-', '') as keyof typeof sortTexts],
        isReverse: sort.startsWith('-'),
      })
      const matching = searchCondition(query.search, searchable)
      const isAsked = state === undefined ? matching : sql<boolean>`${matching} and ${states[state]}`
      const [rows, count, counts] = await Promise.all([
        select()
          .select(order.text.as('sortText'))
          .where(isAsked)
          .where(order.isAfter)
          .orderBy(order.orderBy)
          .limit(size + 1)
          .execute(),
        countUpTo(db, accounts().where(isAsked).select('p.id')),
        countStates(matching),
      ])
      const keyOf = sort.endsWith('created') ? ({ id }: { id: string }) => id : keyOfSorted
      return { ...pageOf(rows, { size, count, keyOf, itemOf: accountOf }), counts }
    },

    async find(personId: string): Promise<StoredAccount | undefined> {
      const row = await select().where('p.id', '=', personId).executeTakeFirst()
      return row && accountOf(row)
    },

    async belongings(personId: string): Promise<Belongings> {
      const id = sql`${personId}::uuid`
      const list = async <Item>(from: RawBuilder<Item>) => {
        const { rows } = await sql<{ item: Item; total: number }>`
          select to_jsonb(found) - 'order' as item, count(*) over () as total
          from (${from}) found order by "order", "_id" limit ${belongingsMost}`.execute(db)
        return { items: rows.map(({ item }) => item), total: rows[0]?.total ?? 0 }
      }
      const [organisations, projects, memberships, taskTokens, decks] = await Promise.all([
        list<Labelled>(sql`
          select id as "_id", label, ${orderOf(sql`label`)} as "order" from organisation where owner_id = ${id}`),
        list<Labelled>(sql`
          select id as "_id", label, ${orderOf(sql`label`)} as "order" from project where owner_id = ${id}`),
        list<Labelled>(sql`
          select o.id as "_id", o.label, ${orderOf(sql`o.label`)} as "order"
          from membership m join organisation o on o.id = m.organisation_id
          where m.person_id = ${id} and o.owner_id <> ${id}`),
        list<Belongings['taskTokens']['items'][number]>(sql`
          select t.id as "_id", t.label, ${orderOf(sql`t.label`)} as "order",
            jsonb_build_object('_id', p.id, 'label', p.label) as project,
            to_char(t.expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "expiresAt"
          from task_token t join project p on p.id = t.project_id where t.created_by = ${id}`),
        sql<{ serial: string }>`
          select distinct serial collate "C" as serial from settings s, jsonb_each(s.value -> 'mapping') slot,
            jsonb_array_elements_text(slot.value) serial
          where s.person_id = ${id} and s.name = 'stream-decks' order by serial`.execute(db),
      ])
      return {
        organisations,
        projects,
        memberships,
        taskTokens,
        decks: decks.rows.map(({ serial }) => serial),
      }
    },

    /**
     * Serialises all changes of accounts by root across nodes: of two roots who demote each other, the second sees the
     * first change. Row locks on all roots would miss an account that becomes root in the meantime, and would contend
     * with sign-ins, which lock the account's row. Must be the first lock of its transaction, so that later statements
     * see everything that was committed while the transaction waited.
     */
    async lockAll(): Promise<void> {
      await sql`select pg_advisory_xact_lock(hashtextextended('accounts', 0))`.execute(db)
    },

    /** Returns whether another root can sign in. */
    async hasOtherRoot(personId: string): Promise<boolean> {
      const row = await db
        .selectFrom('person')
        .select('id')
        .where(sql<boolean>`is_root`)
        .where('disabled_at', 'is', null)
        .where('id', '!=', personId)
        .limit(1)
        .executeTakeFirst()
      return row !== undefined
    },

    async update(personId: string, { isRoot, isDisabled }: AccountChanges, changedBy: string): Promise<void> {
      await db
        .updateTable('person')
        .set((eb) => ({
          ...(isRoot !== undefined && { is_root: isRoot }),
          ...(isDisabled !== undefined && { disabled_at: isDisabled ? sql<Date>`clock_timestamp()` : null }),
          revision: eb('revision', '+', 1),
          updated_at: sql<Date>`clock_timestamp()`,
          updated_by: changedBy,
        }))
        .where('id', '=', personId)
        .execute()
    },

    /**
     * Locks the projects and organisations of a person, including those that only name the person as last editor, so
     * that they and their members cannot change until the transaction ends. Must precede the lock on the person:
     * changes of a project lock the project first and its people afterwards.
     */
    async lockPlaces(personId: string): Promise<{ projects: Place[]; organisations: Place[] }> {
      const id = sql`${personId}::uuid`
      const projects = await sql<Place>`
        select p.id as "_id", p.label, p.owner_id = ${id} as "isOwned", g.is_there as "isJoined"
        from project p cross join lateral (
          select exists (select from project_grant where project_id = p.id and person_id = ${id}) as is_there
        ) g
        where p.owner_id = ${id} or p.updated_by = ${id} or g.is_there
        order by p.id for no key update of p`.execute(db)
      const organisations = await sql<Place>`
        select o.id as "_id", o.label, o.owner_id = ${id} as "isOwned", m.is_there as "isJoined"
        from organisation o cross join lateral (
          select exists (select from membership where organisation_id = o.id and person_id = ${id}) as is_there
        ) m
        where o.owner_id = ${id} or o.updated_by = ${id} or m.is_there
        order by o.id for no key update of o`.execute(db)
      return { projects: projects.rows, organisations: organisations.rows }
    },

    /** Deletes the account and its personal data. Clears the last editor of records that name the person. */
    async remove(personId: string): Promise<void> {
      await db.deleteFrom('person').where('id', '=', personId).execute()
    },
  }
}
export type AccountRepository = ReturnType<typeof createAccountRepository>

interface AccountRow extends RevisedRow {
  id: string
  firstname: string
  lastname: string
  email: string
  isEmailVerified: boolean
  is_root: boolean
  isDisabled: boolean
  otpEnabled: boolean
  hasPassword: boolean
  passkeys: number
  lastSeenAt: Date | null
}

const accountOf = (row: AccountRow): StoredAccount => ({
  _id: row.id,
  firstname: row.firstname,
  lastname: row.lastname,
  email: row.email,
  isEmailVerified: row.isEmailVerified,
  isRoot: row.is_root,
  isDisabled: row.isDisabled,
  otpEnabled: row.otpEnabled,
  hasPassword: row.hasPassword,
  passkeys: row.passkeys,
  lastSeenAt: row.lastSeenAt?.toISOString() ?? null,
  ...revisedOf(row),
})
