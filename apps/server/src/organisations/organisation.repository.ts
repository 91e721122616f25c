import type { Organisation, OrganisationMember } from '@pult/contract'
import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import type { Db } from '#platform/database/database.ts'
import { orderOf } from '#platform/database/name-order.ts'
import {
  countUpTo,
  idAfter,
  type Page,
  type PageQuery,
  pageOf,
  pageSizeOf,
  searchCondition,
} from '#platform/database/page.ts'
import { amongPeople, type Reader } from '#platform/database/readers.ts'
import { changerColumns, type RevisedRow, revisedOf } from '#platform/database/revision.ts'
import type { Caller } from '#platform/http/route.ts'

const searchable = {
  text: [sql<string>`o.label`],
  keys: {
    label: { text: sql<string>`o.label` },
    owner: { text: sql<string>`owner.firstname || ' ' || owner.lastname` },
  },
}

/** The fields of an update. Omitted fields stay unchanged. */
export interface OrganisationChanges {
  label?: string
  owner?: string
}

interface OrganisationRow extends RevisedRow {
  id: string
  label: string
  owner_id: string
  ownerFirstname: string
  ownerLastname: string
}

/** Selects all readers of each organisation. */
const readersOf = (orgIds: readonly string[]) => sql<Reader>`
  select organisation_id as record_id, person_id from membership where organisation_id = any(${orgIds}::uuid[])
  union select o.id, person.id from organisation o cross join person where o.id = any(${orgIds}::uuid[]) and person.is_root`

export function createOrganisationRepository(db: Db) {
  /** Selects the organisations that the caller belongs to, or all for root. */
  const visibleTo = ({ isRoot, personId }: Caller) =>
    db
      .selectFrom('organisation as o')
      .innerJoin('person as owner', 'owner.id', 'o.owner_id')
      .leftJoin('person as changer', 'changer.id', 'o.updated_by')
      .$if(!isRoot, (query) =>
        query.where((eb) =>
          eb.exists(
            eb
              .selectFrom('membership as m')
              .select('m.person_id')
              .whereRef('m.organisation_id', '=', 'o.id')
              .where('m.person_id', '=', personId),
          ),
        ),
      )

  const columns = [
    'o.id',
    'o.label',
    'o.owner_id',
    'owner.firstname as ownerFirstname',
    'owner.lastname as ownerLastname',
    'o.created_at',
    'o.revision',
    'o.updated_at',
    ...changerColumns,
  ] as const

  return {
    async list(caller: Caller, query: PageQuery): Promise<Page<Organisation>> {
      const size = pageSizeOf(query)
      const after = idAfter(query)
      const matching = visibleTo(caller).where(searchCondition(query.search, searchable))
      const [rows, count] = await Promise.all([
        matching
          .select(columns)
          .$if(after !== undefined, (from) => from.where('o.id', '>', after ?? ''))
          .orderBy('o.id')
          .limit(size + 1)
          .execute(),
        countUpTo(db, matching.select('o.id')),
      ])
      return pageOf(rows, {
        size,
        count,
        keyOf: ({ id }) => id,
        itemOf: (row) => organisationOf(row, caller),
      })
    },

    async find(caller: Caller, orgId: string): Promise<Organisation | undefined> {
      const row = await visibleTo(caller).select(columns).where('o.id', '=', orgId).executeTakeFirst()
      return row && organisationOf(row, caller)
    },

    async add(label: string, ownerId: string): Promise<string> {
      const id = uuidv7()
      await db
        .insertInto('organisation')
        .values({ id, label, owner_id: ownerId, updated_by: ownerId })
        .execute()
      await this.addMember(id, ownerId)
      return id
    },

    async countOwnedBy(personId: string): Promise<number> {
      const { count } = await db
        .selectFrom('organisation')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('owner_id', '=', personId)
        .executeTakeFirstOrThrow()
      return count
    },

    /** Updates the given fields. */
    async update(orgId: string, { label, owner }: OrganisationChanges, changedBy: string): Promise<void> {
      await db
        .updateTable('organisation')
        .set((eb) => ({
          ...(label !== undefined && { label }),
          ...(owner !== undefined && { owner_id: owner }),
          revision: eb('revision', '+', 1),
          updated_at: sql<Date>`clock_timestamp()`,
          updated_by: changedBy,
        }))
        .where('id', '=', orgId)
        .execute()
    },

    async remove(orgId: string): Promise<void> {
      await db.deleteFrom('organisation').where('id', '=', orgId).execute()
    },

    async projectsOf(orgId: string): Promise<{ _id: string; label: string }[]> {
      return db
        .selectFrom('project')
        .select(['id as _id', 'label'])
        .where('organisation_id', '=', orgId)
        .orderBy(orderOf(sql`label`))
        .orderBy('id')
        .execute()
    },

    /** Locks the organisation and its contents until the transaction ends. */
    async lock(orgId: string): Promise<void> {
      await db.selectFrom('organisation').select('id').where('id', '=', orgId).forUpdate().execute()
    },

    async members(orgId: string): Promise<OrganisationMember[]> {
      const rows = await db
        .selectFrom('membership as m')
        .innerJoin('organisation as o', 'o.id', 'm.organisation_id')
        .innerJoin('person as p', 'p.id', 'm.person_id')
        .innerJoin('email as e', (join) =>
          join.onRef('e.person_id', '=', 'p.id').on('e.is_default', '=', true),
        )
        .select([
          'p.id',
          'p.firstname',
          'p.lastname',
          'e.email',
          sql<boolean>`e.verified_at is not null`.as('isEmailVerified'),
          'm.created_at',
          sql<boolean>`o.owner_id = p.id`.as('isOwner'),
        ])
        .where('m.organisation_id', '=', orgId)
        .orderBy('isOwner', 'desc')
        .orderBy(orderOf(sql`p.lastname`))
        .orderBy('p.id')
        .execute()
      return rows.map(({ id, created_at, ...member }) => ({
        _id: id,
        ...member,
        since: created_at.toISOString(),
      }))
    },

    /** Returns the readers of each organisation among these people. */
    readersAmong: (orgIds: readonly string[], personIds: readonly string[]) =>
      amongPeople(db, readersOf(orgIds), personIds),

    async ownerOf(orgId: string): Promise<string | null> {
      const row = await db
        .selectFrom('organisation')
        .select('owner_id')
        .where('id', '=', orgId)
        .executeTakeFirst()
      return row?.owner_id ?? null
    },

    /** Returns all current readers. */
    async readerIds(orgId: string): Promise<string[]> {
      const { rows } = await sql<{ id: string }>`
        select person_id as id from (${readersOf([orgId])}) reader`.execute(db)
      return rows.map(({ id }) => id)
    },

    async isMember(orgId: string, personId: string): Promise<boolean> {
      const row = await db
        .selectFrom('membership')
        .select('person_id')
        .where('organisation_id', '=', orgId)
        .where('person_id', '=', personId)
        .executeTakeFirst()
      return row !== undefined
    },

    /** Returns whether the member is new. Does nothing if the organisation was deleted. */
    async addMember(orgId: string, personId: string): Promise<boolean> {
      const row = await db
        .insertInto('membership')
        .columns(['organisation_id', 'person_id'])
        .expression(
          db
            .selectFrom('organisation')
            .select(['id', sql<string>`${personId}::uuid`.as('person')])
            .where('id', '=', orgId),
        )
        .onConflict((conflict) => conflict.doNothing())
        .returning('person_id')
        .executeTakeFirst()
      return row !== undefined
    },

    async removeMember(orgId: string, personId: string): Promise<boolean> {
      const row = await db
        .deleteFrom('membership')
        .where('organisation_id', '=', orgId)
        .where('person_id', '=', personId)
        .returning('person_id')
        .executeTakeFirst()
      return row !== undefined
    },
  }
}

function organisationOf(row: OrganisationRow, caller: Caller): Organisation {
  return {
    _id: row.id,
    label: row.label,
    owner: row.owner_id,
    ownerName: `${row.ownerFirstname} ${row.ownerLastname}`,
    access: row.owner_id === caller.personId ? 'owner' : caller.isRoot ? 'root' : 'member',
    ...revisedOf(row),
  }
}
