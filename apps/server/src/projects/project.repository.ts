import { defaultConsoleColor, type Grant, type Project } from '@pult/contract'
import { type Expression, type RawBuilder, sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
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
import type { Caller } from '#platform/http/route.ts'
import { grantOf } from './grants/grant.ts'

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
const peopleEntryOf = (projectId: string) => `p-${projectId}/r-project-details:people`

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
 * The ids of the same, for lists: three indexes are read in turn, where the condition above would have every project
 * looked at. An array, so that the projects themselves are found by their key, in its order.
 */
const idsVisibleTo = (personId: string) => sql<string[]>`array(
  select id from project where owner_id = ${personId}::uuid
  union select of_own.id from project of_own join organisation own on own.id = of_own.organisation_id
    where own.owner_id = ${personId}::uuid
  union select project_id from project_grant where person_id = ${personId}::uuid
)`

export function createProjectRepository(db: Db) {
  const projects = () =>
    db
      .selectFrom('project as p')
      .leftJoin('organisation as o', 'o.id', 'p.organisation_id')
      .leftJoin('person as owner', 'owner.id', 'p.owner_id')
      .leftJoin('person as changer', 'changer.id', 'p.updated_by')

  const allVisibleTo = ({ isRoot, personId }: Who) =>
    projects().$if(!isRoot, (query) => query.where(sql<boolean>`p.id = any(${idsVisibleTo(personId)})`))

  const oneVisibleTo = ({ isRoot, personId }: Who, projectId: string) =>
    projects()
      .where('p.id', '=', projectId)
      .$if(!isRoot, (query) => query.where(isVisibleTo(sql`${personId}::uuid`)))

  const columns = ({ isRoot, personId }: Who) =>
    [
      'p.id',
      'p.label',
      'p.organisation_id',
      'o.label as orgLabel',
      'p.owner_id',
      'owner.firstname as ownerFirstname',
      'owner.lastname as ownerLastname',
      'p.products',
      'p.meta',
      'p.config',
      'p.created_at',
      'p.revision',
      'p.updated_at',
      'changer.id as updatedById',
      'changer.firstname as updatedByFirstname',
      'changer.lastname as updatedByLastname',
      sql<Project['access']>`case
        when p.owner_id = ${personId}::uuid then 'owner'
        when ${isRoot}::boolean then 'root'
        when o.owner_id = ${personId}::uuid then 'organisation-owner'
        else 'grant' end`.as('access'),
      sql<boolean>`coalesce(p.id = (select default_project_id from person where id = ${personId}::uuid), false)`.as(
        'isDefault',
      ),
    ] as const

  const selectOne = (who: Who, projectId: string) => oneVisibleTo(who, projectId).select(columns(who))
  type Row = Awaited<ReturnType<ReturnType<typeof selectOne>['execute']>>[number]

  /** All grants for those who may edit the project or see its people, else the caller's own. */
  async function withGrants(rows: readonly Row[], { personId, scope }: Who): Promise<Project[]> {
    const grants =
      rows.length === 0
        ? []
        : await db
            .selectFrom('project_grant as g')
            .innerJoin('person', 'person.id', 'g.person_id')
            .select([
              'g.id',
              'g.project_id',
              'g.person_id',
              'g.product_role',
              'person.firstname',
              'person.lastname',
            ])
            .where(sql<boolean>`g.project_id = any(${rows.map(({ id }) => id)}::uuid[])`)
            .orderBy('g.id')
            .execute()
    const byProject = Map.groupBy(grants, (grant) => grant.project_id)
    return rows.map((row) => {
      const all = byProject.get(row.id) ?? []
      const seesAll = row.access !== 'grant' || scope.includes(peopleEntryOf(row.id))
      const shown = seesAll ? all : all.filter((grant) => grant.person_id === personId)
      return projectOf(row, shown.map(grantOf))
    })
  }

  return {
    /** The default project first, then in the order of their creation. */
    async list(who: Who, query: PageQuery): Promise<Page<Project>> {
      const size = pageSizeOf(query)
      const isFirstPage = query.after === undefined
      const after = query.after === defaultPage ? undefined : idAfter(query)
      const matching = allVisibleTo(who).where(searchCondition(query.search, searchable))
      const defaultId = sql<string>`(select default_project_id from person where id = ${who.personId}::uuid)`
      const [first, rest, count] = await Promise.all([
        isFirstPage
          ? matching.select(columns(who)).where('p.id', '=', defaultId).execute()
          : Promise.resolve([]),
        matching
          .select(columns(who))
          .where(sql<boolean>`p.id is distinct from ${defaultId}`)
          .$if(after !== undefined, (from) => from.where('p.id', '>', after ?? ''))
          .orderBy('p.id')
          .limit(size + 1)
          .execute(),
        countUpTo(db, matching.select('p.id')),
      ])
      const page = pageOf([...first, ...rest], {
        size,
        count,
        keyOf: (row) => (row.isDefault ? defaultPage : row.id),
        itemOf: (row) => row,
      })
      return { ...page, items: await withGrants(page.items, who) }
    },

    async find(who: Who, projectId: string): Promise<Project | undefined> {
      const row = await selectOne(who, projectId).executeTakeFirst()
      return row && (await withGrants([row], who))[0]
    },

    async isVisible(who: Who, projectId: string): Promise<boolean> {
      const row = await oneVisibleTo(who, projectId).select('p.id').executeTakeFirst()
      return row !== undefined
    },

    /** Of these people, those who may read the project: asked for all subscribers at once. */
    async readersAmong(projectId: string, personIds: readonly string[]): Promise<string[]> {
      const { rows } = await sql<{ id: string }>`
        select person.id from person, project p left join organisation o on o.id = p.organisation_id
        where p.id = ${projectId} and person.id = any(${personIds}::uuid[])
          and (person.is_root or ${isVisibleTo(sql`person.id`)})`.execute(db)
      return rows.map(({ id }) => id)
    },

    /** Everybody who may read it now. */
    async readerIds(projectId: string): Promise<string[]> {
      const { rows } = await sql<{ id: string }>`
        select p.owner_id as id from project p where p.id = ${projectId}
        union select o.owner_id from project p join organisation o on o.id = p.organisation_id where p.id = ${projectId}
        union select g.person_id from project_grant g where g.project_id = ${projectId}
        union select id from person where is_root`.execute(db)
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
}

const projectOf = (row: ProjectRow, grants: Grant[]): Project => ({
  _id: row.id,
  label: row.label,
  org: row.organisation_id,
  orgLabel: row.orgLabel,
  owner: row.owner_id,
  ownerName: `${row.ownerFirstname ?? ''} ${row.ownerLastname ?? ''}`,
  products: row.products,
  grants,
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
