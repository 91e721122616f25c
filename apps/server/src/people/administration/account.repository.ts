import type { Account } from '@pult/contract'
import { sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import {
  countUpTo,
  idAfter,
  type Page,
  type PageQuery,
  pageOf,
  pageSizeOf,
  searchCondition,
} from '#platform/database/page.ts'

/** An account as the database alone knows it, with who changed it last. */
export interface StoredAccount extends Omit<Account, 'isLocked'> {
  updatedAt: string
  updatedBy: { _id: string; firstname: string; lastname: string } | null
}

/** What an update writes; a field that is left out stays as it is. */
export interface AccountChanges {
  isRoot?: boolean
  isDisabled?: boolean
}

/** A project or organisation that somebody has to do with. */
export interface Place {
  _id: string
  label: string
  isOwned: boolean
  /** By a grant or a membership. */
  isJoined: boolean
}

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
    'p.is_root',
    sql<boolean>`p.disabled_at is not null`.as('isDisabled'),
    sql<boolean>`otp.enabled_at is not null`.as('otpEnabled'),
    sql<boolean>`p.password_hash is not null`.as('hasPassword'),
    sql<number>`(select count(*) from passkey where passkey.person_id = p.id)`.as('passkeys'),
    sql<Date | null>`(select max(last_seen_at) from session where session.person_id = p.id)`.as('lastSeenAt'),
    'p.created_at',
    'p.revision',
    'p.updated_at',
    'changer.id as updatedById',
    'changer.firstname as updatedByFirstname',
    'changer.lastname as updatedByLastname',
  ] as const

  const select = () => accounts().leftJoin('person as changer', 'changer.id', 'p.updated_by').select(columns)

  return {
    async list(query: PageQuery): Promise<Page<StoredAccount>> {
      const size = pageSizeOf(query)
      const after = idAfter(query)
      const matching = searchCondition(query.search, searchable)
      const [rows, count] = await Promise.all([
        select()
          .where(matching)
          .$if(after !== undefined, (from) => from.where('p.id', '>', after ?? ''))
          .orderBy('p.id')
          .limit(size + 1)
          .execute(),
        countUpTo(db, accounts().where(matching).select('p.id')),
      ])
      return pageOf(rows, { size, count, keyOf: ({ id }) => id, itemOf: accountOf })
    },

    async find(personId: string): Promise<StoredAccount | undefined> {
      const row = await select().where('p.id', '=', personId).executeTakeFirst()
      return row && accountOf(row)
    },

    /**
     * All that root changes of accounts comes one after the other, on whatever node: of two roots who demote each other
     * the second sees what the first has done. One lock and not the rows of all roots, because a row that becomes a
     * root's meanwhile would not be among them, and because everybody who signs in locks their own row. It is the first
     * lock of a transaction, and what is decided under it is read by later statements, which see all that was committed
     * while it was waited for.
     */
    async lockAll(): Promise<void> {
      await sql`select pg_advisory_xact_lock(hashtextextended('accounts', 0))`.execute(db)
    },

    /** Whether there is a root that can sign in beside this person. */
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
     * The projects and organisations of a person, those too that only remember them as who changed them last. Nobody
     * changes them, or who belongs to them, until the transaction ends. Taken before the person is locked: who changes a
     * project locks that first and the people it names afterwards.
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

    /** With all that belongs to the person alone; others' records forget who changed them last. */
    async remove(personId: string): Promise<void> {
      await db.deleteFrom('person').where('id', '=', personId).execute()
    },
  }
}
export type AccountRepository = ReturnType<typeof createAccountRepository>

interface AccountRow {
  id: string
  firstname: string
  lastname: string
  email: string
  is_root: boolean
  isDisabled: boolean
  otpEnabled: boolean
  hasPassword: boolean
  passkeys: number
  lastSeenAt: Date | null
  created_at: Date
  revision: number
  updated_at: Date
  updatedById: string | null
  updatedByFirstname: string | null
  updatedByLastname: string | null
}

const accountOf = (row: AccountRow): StoredAccount => ({
  _id: row.id,
  firstname: row.firstname,
  lastname: row.lastname,
  email: row.email,
  isRoot: row.is_root,
  isDisabled: row.isDisabled,
  otpEnabled: row.otpEnabled,
  hasPassword: row.hasPassword,
  passkeys: row.passkeys,
  createdAt: row.created_at.toISOString(),
  lastSeenAt: row.lastSeenAt?.toISOString() ?? null,
  revision: row.revision,
  updatedAt: row.updated_at.toISOString(),
  updatedBy:
    row.updatedById === null
      ? null
      : {
          _id: row.updatedById,
          firstname: row.updatedByFirstname ?? '',
          lastname: row.updatedByLastname ?? '',
        },
})
