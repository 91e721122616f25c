import { defaultConsoleColor, type ProjectState } from '@pult/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import { orderOf } from '#platform/database/name-order.ts'
import { countedAtMost, searchCondition } from '#platform/database/page.ts'
import { idsVisibleTo, isVisibleTo, searchable, seesPeople, type Who } from './project.repository.ts'

/** The part of a project's state that this room provides. `roles` are product roles. */
export type ProjectFrame = Omit<
  ProjectState,
  'fleet' | 'reach' | 'problems' | 'tasks' | 'lastActivityAt' | 'consoleColor'
> & { consoleColor: string; products: string[] }

/** The projects of an organisation, or all. */
export interface Extent {
  org?: string | undefined
}

const inExtent = ({ org }: Extent) => (org === undefined ? sql`true` : sql`p.organisation_id = ${org}::uuid`)

/** A project in a sorted list, with its sort key. */
export interface Place {
  id: string
  key: string
}

interface PageOfPlaces {
  search: string | undefined
  after: Place | undefined
  most: number
}

/** Returns the ids of the projects in which a person holds a role, from the scope of the session. */
export const projectsWithRole = ({ scope }: Pick<Who, 'scope'>, role: string): string[] =>
  scope.flatMap((entry) =>
    entry.endsWith(`/r-${role}`) ? entry.slice('p-'.length, -`/r-${role}`.length) : [],
  )

/** Queries over all projects that a user may see: ids as queries for other rooms, and pages of the overview. */
export function createProjectOverview(db: Db) {
  const readable = ({ isRoot, personId }: Who): RawBuilder<boolean> =>
    // An array, so that PostgreSQL finds the projects by primary key.
    isRoot ? sql`true` : sql`p.id = any(array(${idsVisibleTo(personId, {})}))`

  const listed = (who: Who, extent: Extent, search: string | undefined) => sql`
    from project p left join organisation o on o.id = p.organisation_id
    where ${readable(who)} and ${inExtent(extent)} and ${searchCondition(search, searchable)}`

  return {
    /** Returns a query of the projects that the caller may see. */
    readableIds: ({ isRoot, personId }: Who, extent: Extent): RawBuilder<unknown> =>
      isRoot || extent.org !== undefined
        ? sql`
            select p.id from project p left join organisation o on o.id = p.organisation_id
            where ${inExtent(extent)} and ${isRoot ? sql`true` : isVisibleTo(sql`${personId}::uuid`)}`
        : sql`select id from (${idsVisibleTo(personId, {})}) seen`,

    /** Returns a query of the projects in which the caller holds a role of a product's app. */
    idsWithRole: (
      who: Who,
      { role, sku }: { role: string; sku: string },
      extent: Extent,
    ): RawBuilder<unknown> => sql`
      select p.id from project p where ${sku} = any(p.products) and ${inExtent(extent)}
        and (${who.isRoot ? sql`true` : sql`p.owner_id = ${who.personId}::uuid or p.id = any(${projectsWithRole(who, role)}::uuid[])`})`,

    /** Returns a query of the projects whose people the caller manages. */
    ownedIds: ({ isRoot, personId }: Who, extent: Extent): RawBuilder<unknown> => sql`
      select p.id from project p
      where ${inExtent(extent)} and ${isRoot ? sql`true` : sql`p.owner_id = ${personId}::uuid`}`,

    /** Returns the given projects that match a search. Does not check who may see them. */
    async matching(projectIds: readonly string[], search: string | undefined): Promise<ReadonlySet<string>> {
      if (search === undefined || projectIds.length === 0) return new Set(projectIds)
      const { rows } = await sql<{ id: string }>`
        select p.id from project p left join organisation o on o.id = p.organisation_id
        where p.id = any(${projectIds}::uuid[]) and ${searchCondition(search, searchable)}`.execute(db)
      return new Set(rows.map(({ id }) => id))
    },

    /** Returns the next readable projects in order of creation. */
    async idsOnPage(
      who: Who,
      extent: Extent,
      {
        search,
        after,
        except,
        most,
      }: { search: string | undefined; after: string | undefined; except: readonly string[]; most: number },
    ): Promise<string[]> {
      const { rows } = await sql<{ id: string }>`
        select p.id ${listed(who, extent, search)}
          and p.id <> all(${except}::uuid[]) and ${after === undefined ? sql`true` : sql`p.id > ${after}::uuid`}
        order by p.id limit ${most}::int`.execute(db)
      return rows.map(({ id }) => id)
    },

    /** Returns the next readable projects by name. */
    async byName(who: Who, extent: Extent, { search, after, most }: PageOfPlaces): Promise<Place[]> {
      const key = orderOf(sql`p.label`)
      const { rows } = await sql<Place>`
        select p.id, ${key} as key ${listed(who, extent, search)}
          and ${after === undefined ? sql`true` : sql`(${key}, p.id) > (${after.key}, ${after.id}::uuid)`}
        order by ${key}, p.id limit ${most}::int`.execute(db)
      return rows
    },

    /**
     * Returns the next readable projects, newest first by `at`: the time of a project `p` in an organisation `o`, or
     * null.
     */
    async byTime(
      who: Who,
      extent: Extent,
      at: RawBuilder<Date | null>,
      { search, after, most }: PageOfPlaces,
    ): Promise<Place[]> {
      const { rows } = await sql<{ id: string; time: Date }>`
        select id, time from (
          select p.id, date_trunc('milliseconds', coalesce(${at}, 'epoch')) as time ${listed(who, extent, search)}
        ) timed
        where ${after === undefined ? sql`true` : sql`(time, id) < (${after.key}::timestamptz, ${after.id}::uuid)`}
        order by time desc, id desc limit ${most}::int`.execute(db)
      return rows.map(({ id, time }) => ({ id, key: time.toISOString() }))
    },

    async count(who: Who, extent: Extent, search: string | undefined): Promise<number> {
      const { rows } = await sql<{ count: number }>`
        select count(*) from (
          select ${listed(who, extent, search)} limit ${countedAtMost}::int
        ) counted`.execute(db)
      return rows[0]?.count ?? 0
    },

    /** Returns readable projects with the caller's relation to them, by id. */
    async frames(who: Who, projectIds: readonly string[]): Promise<ReadonlyMap<string, ProjectFrame>> {
      const { rows } = await sql<ProjectFrame>`
        select p.id as "_id", p.label, p.organisation_id as org, o.label as "orgLabel", p.products,
          coalesce(p.config ->> 'consoleColor', ${defaultConsoleColor}) as "consoleColor", relation.access,
          coalesce(p.id = (select default_project_id from person where id = ${who.personId}::uuid), false) as "isDefault",
          array(
            select product_role from project_grant
            where project_id = p.id and person_id = ${who.personId}::uuid and product_role is not null order by id
          ) as roles,
          case when relation.access <> 'grant' or ${seesPeople(who)} then (
            select json_build_object('total', count(*), 'first', coalesce(json_agg(
              json_build_object('_id', person.id, 'name', person.firstname || ' ' || person.lastname) order by place
            ) filter (where place <= 5), '[]'))
            from (
              select person_id, row_number() over (order by person_id <> p.owner_id, min(id::text)) as place
              from (
                select p.owner_id as person_id, p.id
                union all select person_id, id from project_grant where project_id = p.id
              ) involved group by person_id
            ) each join person on person.id = each.person_id
          ) end as people
        from project p left join organisation o on o.id = p.organisation_id
          cross join lateral (select case
            when p.owner_id = ${who.personId}::uuid then 'owner'
            when ${who.isRoot}::boolean then 'root'
            when o.owner_id = ${who.personId}::uuid then 'organisation-owner'
            else 'grant' end as access) relation
        where p.id = any(${projectIds}::uuid[]) and ${who.isRoot ? sql`true` : isVisibleTo(sql`${who.personId}::uuid`)}`.execute(
        db,
      )
      return new Map(rows.map((row) => [row._id, row]))
    },
  }
}
export type ProjectOverview = ReturnType<typeof createProjectOverview>
