import { defaultConsoleColor, type Project } from '@pult/contract'
import { type Expression, type RawBuilder, sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import type { Db } from '#platform/database/database.ts'
import {
  countedAtMost,
  idAfter,
  type Page,
  type PageQuery,
  pageOf,
  pageSizeOf,
  searchCondition,
} from '#platform/database/page.ts'
import { amongPeople, type Reader } from '#platform/database/readers.ts'
import { type RevisedRow, revisedOf } from '#platform/database/revision.ts'
import type { Caller } from '#platform/http/route.ts'
import { type GrantRow, grantOf } from './grants/grant.ts'

/** The fields of an update. Omitted fields stay unchanged. */
export interface ProjectChanges {
  label?: string
  org?: string | null
  products?: string[]
  meta?: { customer?: string; projectId?: string }
  config?: { consoleColor?: string }
}

export type Who = Pick<Caller, 'isRoot' | 'personId' | 'scope'>

/** Is true if the user may open the list of people of a project `p`, and so sees all of them. */
export const seesPeople = ({ scope }: Who) =>
  sql`concat('p-', p.id, '/r-project-details:people') = any(${[...scope]}::text[])`

export const searchable = {
  text: [
    sql<string>`p.label`,
    sql<string>`coalesce(o.label, '')`,
    sql<string>`coalesce(p.meta ->> 'customer', '')`,
  ],
  keys: {
    label: { text: sql<string>`p.label` },
    org: { text: sql<string>`coalesce(o.label, '')` },
    customer: { text: sql<string>`coalesce(p.meta ->> 'customer', '')` },
    private: { boolean: sql<boolean>`(p.organisation_id is null)` },
  },
}

/** Is true if the person may read a project `p` of an organisation `o`: DEC-14, the line "see a project". */
export const isVisibleTo = (personId: Expression<string> | RawBuilder<string>) => sql<boolean>`(
  p.owner_id = ${personId} or o.owner_id = ${personId}
  or exists (select 1 from project_grant g where g.project_id = p.id and g.person_id = ${personId})
)`

/**
 * The visible ids after a given one, in order, for lists. Reads three indexes and no more rows than the page needs.
 * The condition above would scan all projects.
 */
export const idsVisibleTo = (personId: string, { after, most }: Range) => sql`
  (select id from project where owner_id = ${personId}::uuid and ${isAfter(sql`id`, after)} order by id ${first(most)})
  union
  (select of_own.id from organisation own cross join lateral (
    select id from project where organisation_id = own.id and ${isAfter(sql`id`, after)} order by id ${first(most)}
  ) of_own where own.owner_id = ${personId}::uuid)
  union
  (select distinct project_id from project_grant
    where person_id = ${personId}::uuid and ${isAfter(sql`project_id`, after)} order by project_id ${first(most)})`

/** All readers of several projects. The same rule as `isVisibleTo`, for the recipients of events. */
const readersOf = (projectIds: readonly string[] | RawBuilder<unknown>) => sql<Reader>`
  select id as record_id, owner_id as person_id from project where id = any(${projectIds}::uuid[])
  union select p.id, o.owner_id from project p join organisation o on o.id = p.organisation_id
    where p.id = any(${projectIds}::uuid[])
  union select project_id, person_id from project_grant where project_id = any(${projectIds}::uuid[])
  union select p.id, person.id from project p cross join person where p.id = any(${projectIds}::uuid[]) and person.is_root`

interface Range {
  after?: string | undefined
  most?: number
}

const isAfter = (id: RawBuilder<unknown>, after: string | undefined) =>
  after === undefined ? sql`true` : sql`${id} > ${after}::uuid`

const first = (most: number | undefined) => (most === undefined ? sql`` : sql`limit ${most}::int`)

/** The ids of a page of the caller's list, by the same rule. */
function idsOf({ isRoot, personId }: Who, search: string | undefined, range: Range) {
  const { after, most } = range
  if (search === undefined || search === '') {
    return isRoot
      ? sql`select id from project where ${isAfter(sql`id`, after)} order by id ${first(most)}`
      : sql`select id from (${idsVisibleTo(personId, range)}) seen order by id ${first(most)}`
  }
  // An array, so that PostgreSQL finds the projects by primary key.
  const isSeen = isRoot ? sql`true` : sql`p.id = any(array(${idsVisibleTo(personId, {})}))`
  return sql`
    select p.id from project p left join organisation o on o.id = p.organisation_id
    where ${isSeen} and ${searchCondition(search, searchable)} and ${isAfter(sql`p.id`, after)}
    order by p.id ${first(most)}`
}

export function createProjectRepository(db: Db) {
  const mayRead = ({ isRoot, personId }: Who) => (isRoot ? sql`true` : isVisibleTo(sql`${personId}::uuid`))

  const seen = (who: Who, projectId: string) => sql`
    select from project p left join organisation o on o.id = p.organisation_id
    where p.id = ${projectId}::uuid and ${mayRead(who)}`

  const defaultOf = ({ personId }: Who) =>
    sql`(select default_project_id from person where id = ${personId}::uuid)`

  /** All grants for users who may edit the project or see its people; the caller's own grants for all others. */
  const select = (who: Who) => sql`
    select p.id, p.label, p.organisation_id, o.label as "orgLabel", p.owner_id,
      owner.firstname as "ownerFirstname", owner.lastname as "ownerLastname", p.products, p.meta, p.config, p.created_at,
      p.revision, p.updated_at, changer.id as "updatedById", changer.firstname as "updatedByFirstname",
      changer.lastname as "updatedByLastname", access.access, coalesce(p.id = ${defaultOf(who)}, false) as "isDefault",
      (select json_agg(json_build_object('id', g.id, 'person_id', g.person_id, 'product_role', g.product_role,
          'firstname', holder.firstname, 'lastname', holder.lastname) order by g.id)
        from project_grant g join person holder on holder.id = g.person_id
        where g.project_id = p.id and (access.access <> 'grant' or g.person_id = ${who.personId}::uuid or ${seesPeople(who)})) as grants
    from project p
      left join organisation o on o.id = p.organisation_id
      left join person owner on owner.id = p.owner_id
      left join person changer on changer.id = p.updated_by
      cross join lateral (select case
        when p.owner_id = ${who.personId}::uuid then 'owner'
        when ${who.isRoot}::boolean then 'root'
        when o.owner_id = ${who.personId}::uuid then 'organisation-owner'
        else 'grant' end as access) as access`

  return {
    /** Lists the default project first, then the others in order of creation. */
    async list(who: Who, query: PageQuery): Promise<Page<Project>> {
      const size = pageSizeOf(query)
      const after = query.after === defaultPage ? undefined : idAfter(query)
      const rest = sql`
        select id, false as "isFirst" from (
          ${idsOf(who, query.search, { after, most: size + 2 })}
        ) ids where id is distinct from ${defaultOf(who)}`
      const ofFirstPage = sql`
        select p.id, true from project p left join organisation o on o.id = p.organisation_id
        where p.id = ${defaultOf(who)} and ${mayRead(who)} and ${searchCondition(query.search, searchable)}`
      const found = query.after === undefined ? sql`${rest} union all ${ofFirstPage}` : rest
      const [{ rows }, counted] = await Promise.all([
        sql<ProjectRow>`
          ${select(who)} join (${found}) found on found.id = p.id
          order by found."isFirst" desc, p.id limit ${size + 1}::int`.execute(db),
        sql<{ count: number }>`
          select count(*) from (${idsOf(who, query.search, { most: countedAtMost })}) counted`.execute(db),
      ])
      return pageOf(rows, {
        size,
        count: counted.rows[0]?.count ?? 0,
        keyOf: (row) => (row.isDefault ? defaultPage : row.id),
        itemOf: projectOf,
      })
    },

    async find(who: Who, projectId: string): Promise<Project | undefined> {
      const { rows } = await sql<ProjectRow>`
        ${select(who)} where p.id = ${projectId} and ${mayRead(who)}`.execute(db)
      return rows[0] && projectOf(rows[0])
    },

    async isVisible(who: Who, projectId: string): Promise<boolean> {
      const { rows } = await seen(who, projectId).execute(db)
      return rows.length > 0
    },

    /** The same rule as a condition, for data that belongs to a project. */
    visibleCondition: (who: Who, projectId: string) => sql<boolean>`exists (${seen(who, projectId)})`,

    async seenIds(who: Who): Promise<readonly string[] | 'all'> {
      if (who.isRoot) return 'all'
      const { rows } = await sql<{ id: string }>`${idsOf(who, undefined, {})}`.execute(db)
      return rows.map(({ id }) => id)
    },

    /** Returns the readers of each project among these people, in one query for all subscribers. */
    readersAmong: (projectIds: readonly string[], personIds: readonly string[]) =>
      amongPeople(db, readersOf(projectIds), personIds),

    /** Returns all current readers. */
    async readerIds(projectId: string): Promise<string[]> {
      const { rows } = await sql<{ id: string }>`
        select person_id as id from (${readersOf([projectId])}) reader`.execute(db)
      return rows.map(({ id }) => id)
    },

    async add(project: {
      label: string
      org: string | null
      ownerId: string
      products: readonly string[]
    }): Promise<string> {
      const id = uuidv7()
      await db
        .insertInto('project')
        .values({
          id,
          label: project.label,
          organisation_id: project.org,
          owner_id: project.ownerId,
          products: [...project.products],
          config: '{}',
          updated_by: project.ownerId,
        })
        .execute()
      return id
    },

    async countOwnedBy(personId: string): Promise<number> {
      const { count } = await db
        .selectFrom('project')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('owner_id', '=', personId)
        .executeTakeFirstOrThrow()
      return count
    },

    /** Updates only the given fields. */
    async update(
      projectId: string,
      { label, org, products, meta, config }: ProjectChanges,
      changedBy: string,
    ): Promise<void> {
      await db
        .updateTable('project')
        .set((eb) => ({
          ...(label !== undefined && { label }),
          ...(org !== undefined && { organisation_id: org }),
          ...(products !== undefined && { products }),
          ...(meta !== undefined && { meta: sql<string>`meta || ${JSON.stringify(meta)}::jsonb` }),
          ...(config !== undefined && { config: sql<string>`config || ${JSON.stringify(config)}::jsonb` }),
          revision: eb('revision', '+', 1),
          updated_at: sql<Date>`clock_timestamp()`,
          updated_by: changedBy,
        }))
        .where('id', '=', projectId)
        .execute()
    },

    /** Locks the project and its grants until the transaction ends. Returns its products. */
    async lock(projectId: string): Promise<string[]> {
      const row = await db
        .selectFrom('project')
        .select(['products', 'organisation_id'])
        .where('id', '=', projectId)
        .forUpdate()
        .executeTakeFirst()
      // The organisation's owner is one of the readers, so lock the owner as well.
      await db
        .selectFrom('organisation')
        .select('id')
        .where('id', '=', row?.organisation_id ?? null)
        .forKeyShare()
        .execute()
      return row?.products ?? []
    },

    /** Returns the projects of an organisation, each with the users who may read it. */
    async readersOfOrganisation(organisationId: string): Promise<{ id: string; readerIds: string[] }[]> {
      const ofOrganisation = sql`select id from project where organisation_id = ${organisationId}`
      const { rows } = await sql<{ id: string; readerIds: string[] }>`
        select record_id as id, array_agg(person_id) as "readerIds"
        from (${readersOf(sql`array(${ofOrganisation})`)}) reader group by record_id`.execute(db)
      return rows
    },

    async remove(projectId: string): Promise<void> {
      await db.deleteFrom('project').where('id', '=', projectId).execute()
    },

    async setDefault(personId: string, projectId: string): Promise<void> {
      await db
        .updateTable('person')
        .set({ default_project_id: projectId })
        .where('id', '=', personId)
        .execute()
    },

    /**
     * Returns whether the organisation exists and the user may put a project into it. Locks it until the transaction
     * ends.
     */
    async isPlace(orgId: string, { isRoot, personId }: Who): Promise<boolean> {
      const { rows } = await sql`
        select from organisation o where o.id = ${orgId} and (
          ${isRoot}::boolean
          or exists (select from membership m where m.organisation_id = o.id and m.person_id = ${personId})
        ) for key share`.execute(db)
      return rows.length > 0
    },
  }
}
export type ProjectRepository = ReturnType<typeof createProjectRepository>

/** Cursor after the default project, which precedes all others. */
const defaultPage = 'default'

interface ProjectRow extends RevisedRow {
  id: string
  label: string
  organisation_id: string | null
  orgLabel: string | null
  owner_id: string
  ownerFirstname: string | null
  ownerLastname: string | null
  products: string[]
  meta: { customer?: string; projectId?: string }
  config: { consoleColor?: string }
  access: Project['access']
  isDefault: boolean
  /** Null if the project has no grants. */
  grants: GrantRow[] | null
}

const projectOf = (row: ProjectRow): Project => ({
  _id: row.id,
  label: row.label,
  org: row.organisation_id,
  orgLabel: row.orgLabel,
  owner: row.owner_id,
  ownerName: `${row.ownerFirstname ?? ''} ${row.ownerLastname ?? ''}`,
  products: row.products,
  grants: (row.grants ?? []).map(grantOf),
  meta: { customer: row.meta.customer ?? '', projectId: row.meta.projectId ?? '' },
  config: { consoleColor: row.config.consoleColor ?? defaultConsoleColor },
  access: row.access,
  isDefault: row.isDefault,
  ...revisedOf(row),
})
