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
import type { Caller } from '#platform/http/route.ts'
import { type GrantRow, grantOf } from './grants/grant.ts'

/** What an update writes; a field that is left out stays as it is. */
export interface ProjectChanges {
  label?: string
  org?: string | null
  products?: string[]
  meta?: { customer?: string; projectId?: string }
  config?: { consoleColor?: string }
}

type Who = Pick<Caller, 'isRoot' | 'personId' | 'scope'>

/** Whoever may open the list of a project's people is shown all of them. */
const seesPeople = ({ scope }: Who) =>
  sql`concat('p-', p.id, '/r-project-details:people') = any(${[...scope]}::text[])`

const searchable = {
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

/** Who may read a project `p` of an organisation `o`: DEC-14, its line "see a project". */
const isVisibleTo = (personId: Expression<string> | RawBuilder<string>) => sql<boolean>`(
  p.owner_id = ${personId} or o.owner_id = ${personId}
  or exists (select 1 from project_grant g where g.project_id = p.id and g.person_id = ${personId})
)`

/**
 * The ids of the same after one of them, for lists: in their order, from three indexes, of which no more is read than can
 * be part of the answer. The condition above would have every project looked at.
 */
const idsVisibleTo = (personId: string, { after, most }: Range) => sql`
  (select id from project where owner_id = ${personId}::uuid and ${isAfter(sql`id`, after)} order by id ${first(most)})
  union
  (select of_own.id from organisation own cross join lateral (
    select id from project where organisation_id = own.id and ${isAfter(sql`id`, after)} order by id ${first(most)}
  ) of_own where own.owner_id = ${personId}::uuid)
  union
  (select distinct project_id from project_grant
    where person_id = ${personId}::uuid and ${isAfter(sql`project_id`, after)} order by project_id ${first(most)})`

/** Everybody who may read each of some projects: the same once more, for those who are told of changes. */
const readersOf = (projectIds: readonly string[]) => sql<Reader>`
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

/** The ids of a list that somebody looks at, as above. */
function idsOf({ isRoot, personId }: Who, search: string | undefined, range: Range) {
  const { after, most } = range
  if (search === undefined || search === '') {
    return isRoot
      ? sql`select id from project where ${isAfter(sql`id`, after)} order by id ${first(most)}`
      : sql`select id from (${idsVisibleTo(personId, range)}) seen order by id ${first(most)}`
  }
  // An array, so that the projects themselves are found by their key.
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

  /** All grants for those who may edit the project or see its people, else the caller's own. */
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
    /** The default project first, then in the order of their creation. */
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

    /** The same as a condition, for what is read of a project. */
    visibleCondition: (who: Who, projectId: string) => sql<boolean>`exists (${seen(who, projectId)})`,

    async seenIds(who: Who): Promise<readonly string[] | 'all'> {
      if (who.isRoot) return 'all'
      const { rows } = await sql<{ id: string }>`${idsOf(who, undefined, {})}`.execute(db)
      return rows.map(({ id }) => id)
    },

    /** Of these people, those who may read each of the projects: asked for all subscribers at once. */
    readersAmong: (projectIds: readonly string[], personIds: readonly string[]) =>
      amongPeople(db, readersOf(projectIds), personIds),

    /** Everybody who may read it now. */
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

    /** Changes what is given. */
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

    /** Nobody else changes it, or its grants, until the transaction ends. Answers its products. */
    async lock(projectId: string): Promise<string[]> {
      const row = await db
        .selectFrom('project')
        .select(['products', 'organisation_id'])
        .where('id', '=', projectId)
        .forUpdate()
        .executeTakeFirst()
      // Who sees it follows from who owns the organisation, so that stays the same as well.
      await db
        .selectFrom('organisation')
        .select('id')
        .where('id', '=', row?.organisation_id ?? null)
        .forKeyShare()
        .execute()
      return row?.products ?? []
    },

    async idsOfOrganisation(organisationId: string): Promise<string[]> {
      const rows = await db
        .selectFrom('project')
        .select('id')
        .where('organisation_id', '=', organisationId)
        .execute()
      return rows.map(({ id }) => id)
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

    /** Whether there is such an organisation and the person may put a project there; it stays while this is decided. */
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

/** Says that the page before ended with the default project, which stands before all others. */
const defaultPage = 'default'

interface ProjectRow {
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
  created_at: Date
  revision: number
  updated_at: Date
  updatedById: string | null
  updatedByFirstname: string | null
  updatedByLastname: string | null
  access: Project['access']
  isDefault: boolean
  /** Null when there are none. */
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
})
