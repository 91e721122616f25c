import type { Organisation, OrganisationMember } from '@pult/contract'
import { type Kysely, type SqlBool, sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import type { Db } from '#platform/database/database.ts'
import {
  countUpTo,
  type Page,
  type PageQuery,
  pageOf,
  pageSizeOf,
  searchCondition,
} from '#platform/database/page.ts'
import type { Database } from '#platform/database/schema.ts'
import type { Caller } from '#platform/http/route.ts'

const searchable = {
  text: [sql<string>`o.label`],
  keys: {
    label: { text: sql<string>`o.label` },
    owner: { text: sql<string>`owner.firstname || ' ' || owner.lastname` },
  },
}

interface OrganisationRow {
  id: string
  label: string
  owner_id: string
  created_at: Date
  revision: number
  updated_at: Date
  updatedById: string | null
  updatedByFirstname: string | null
  updatedByLastname: string | null
}

export function createOrganisationRepository(db: Db) {
  /** Those the caller belongs to; all for root. */
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
    'o.created_at',
    'o.revision',
    'o.updated_at',
    'changer.id as updatedById',
    'changer.firstname as updatedByFirstname',
    'changer.lastname as updatedByLastname',
  ] as const

  return {
    async list(caller: Caller, query: PageQuery): Promise<Page<Organisation>> {
      const size = pageSizeOf(query)
      const matching = visibleTo(caller).where(searchCondition(query.search, searchable))
      const [rows, count] = await Promise.all([
        matching
          .select(columns)
          .$if(query.after !== undefined, (from) => from.where('o.id', '>', query.after ?? ''))
          .orderBy('o.id')
          .limit(size + 1)
          .execute(),
        countUpTo(db as Kysely<Database>, matching.select('o.id')),
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

    /** Changes what is given, unless the record is no longer of the revision that the change was made from. */
    async update(
      orgId: string,
      changes: { label?: string | undefined; owner?: string | undefined },
      { changedBy, revision }: { changedBy: string; revision: number | undefined },
    ): Promise<boolean> {
      const row = await db
        .updateTable('organisation')
        .set((eb) => ({
          ...(changes.label === undefined ? {} : { label: changes.label }),
          ...(changes.owner === undefined ? {} : { owner_id: changes.owner }),
          revision: eb('revision', '+', 1),
          updated_at: sql<Date>`now()`,
          updated_by: changedBy,
        }))
        .where('id', '=', orgId)
        .$if(revision !== undefined, (query) => query.where('revision', '=', revision ?? 0))
        .returning('id')
        .executeTakeFirst()
      return row !== undefined
    },

    async remove(orgId: string): Promise<void> {
      await db.deleteFrom('organisation').where('id', '=', orgId).execute()
    },

    async projectsOf(orgId: string): Promise<{ _id: string; label: string }[]> {
      return db
        .selectFrom('project')
        .select(['id as _id', 'label'])
        .where('organisation_id', '=', orgId)
        .orderBy('label')
        .execute()
    },

    /** Nobody else changes it, or what belongs to it, until the transaction ends. */
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
          'm.created_at',
          sql<SqlBool>`o.owner_id = p.id`.as('isOwner'),
        ])
        .where('m.organisation_id', '=', orgId)
        .orderBy('isOwner', 'desc')
        .orderBy('p.lastname')
        .orderBy('p.id')
        .execute()
      return rows.map(({ id, created_at, isOwner, ...person }) => ({
        _id: id,
        ...person,
        isOwner: Boolean(isOwner),
        since: created_at.toISOString(),
      }))
    },

    /** Of these people, those who may read it. */
    async readersAmong(orgId: string, personIds: readonly string[]): Promise<string[]> {
      const { rows } = await sql<{ id: string }>`
        select person.id from person, organisation o
        where o.id = ${orgId} and person.id = any(${personIds}::uuid[]) and (
          person.is_root
          or exists (select 1 from membership m where m.organisation_id = o.id and m.person_id = person.id)
        )`.execute(db)
      return rows.map(({ id }) => id)
    },

    async ownerOf(orgId: string): Promise<string | null> {
      const row = await db
        .selectFrom('organisation')
        .select('owner_id')
        .where('id', '=', orgId)
        .executeTakeFirst()
      return row?.owner_id ?? null
    },

    async memberIds(orgId: string): Promise<string[]> {
      const rows = await db
        .selectFrom('membership')
        .select('person_id')
        .where('organisation_id', '=', orgId)
        .execute()
      return rows.map(({ person_id }) => person_id)
    },

    /** An organisation that is gone has no members: nothing happens then. */
    async addMember(orgId: string, personId: string): Promise<void> {
      await db
        .insertInto('membership')
        .columns(['organisation_id', 'person_id'])
        .expression(
          db
            .selectFrom('organisation')
            .select(['id', sql<string>`${personId}::uuid`.as('person')])
            .where('id', '=', orgId),
        )
        .onConflict((conflict) => conflict.doNothing())
        .execute()
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
export type OrganisationRepository = ReturnType<typeof createOrganisationRepository>

function organisationOf(row: OrganisationRow, caller: Caller): Organisation {
  return {
    _id: row.id,
    label: row.label,
    owner: row.owner_id,
    access: row.owner_id === caller.personId ? 'owner' : caller.isRoot ? 'root' : 'member',
    createdAt: row.created_at.toISOString(),
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
  }
}
