import { defaultConsoleColor, type Grant, type Project } from '@pult/contract'
import { type Expression, type Kysely, type RawBuilder, sql } from 'kysely'
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

/** What an update writes; a field that is left out stays as it is. */
export interface ProjectChanges {
  label?: string
  org?: string | null
  products?: string[]
  meta?: { customer?: string; projectId?: string }
  config?: { consoleColor?: string }
}

type Who = Pick<Caller, 'isRoot' | 'personId'>

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

export function createProjectRepository(db: Db) {
  const visibleTo = ({ isRoot, personId }: Who) =>
    db
      .selectFrom('project as p')
      .leftJoin('organisation as o', 'o.id', 'p.organisation_id')
      .leftJoin('person as changer', 'changer.id', 'p.updated_by')
      .$if(!isRoot, (query) => query.where(isVisibleTo(sql`${personId}::uuid`)))

  const columns = ({ isRoot, personId }: Who) =>
    [
      'p.id',
      'p.label',
      'p.organisation_id',
      'o.label as orgLabel',
      'p.owner_id',
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

  const select = (who: Who) => visibleTo(who).select(columns(who))
  type Row = Awaited<ReturnType<ReturnType<typeof select>['execute']>>[number]

  /** All grants for those who may edit the project, else the caller's own. */
  async function withGrants(rows: readonly Row[], { personId }: Who): Promise<Project[]> {
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
    return rows.map((row) =>
      projectOf(
        row,
        grants
          .filter(
            (grant) =>
              grant.project_id === row.id && (row.access !== 'grant' || grant.person_id === personId),
          )
          .map(grantOf),
      ),
    )
  }

  return {
    /** The default project first, then in the order of their creation. */
    async list(who: Who, query: PageQuery): Promise<Page<Project>> {
      const size = pageSizeOf(query)
      const matching = visibleTo(who).where(searchCondition(query.search, searchable))
      const defaultId = sql<string>`(select default_project_id from person where id = ${who.personId}::uuid)`
      const [first, rest, count] = await Promise.all([
        query.after === undefined
          ? matching.select(columns(who)).where('p.id', '=', defaultId).execute()
          : Promise.resolve([]),
        matching
          .select(columns(who))
          .where(sql<boolean>`p.id is distinct from ${defaultId}`)
          .$if(query.after !== undefined && query.after !== firstPage, (from) =>
            from.where('p.id', '>', query.after ?? ''),
          )
          .orderBy('p.id')
          .limit(size + 1)
          .execute(),
        countUpTo(db as Kysely<Database>, matching.select('p.id')),
      ])
      const page = pageOf([...first, ...rest], {
        size,
        count,
        keyOf: (row) => (row.isDefault ? firstPage : row.id),
        itemOf: (row) => row,
      })
      return { ...page, items: await withGrants(page.items, who) }
    },

    async find(who: Who, projectId: string): Promise<Project | undefined> {
      const row = await select(who).where('p.id', '=', projectId).executeTakeFirst()
      return row && (await withGrants([row], who))[0]
    },

    async isVisible(who: Who, projectId: string): Promise<boolean> {
      const row = await visibleTo(who).select('p.id').where('p.id', '=', projectId).executeTakeFirst()
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

    /** Everybody but root users who may read it now. */
    async readerIds(projectId: string): Promise<string[]> {
      const { rows } = await sql<{ id: string }>`
        select p.owner_id as id from project p where p.id = ${projectId}
        union select o.owner_id from project p join organisation o on o.id = p.organisation_id where p.id = ${projectId}
        union select g.person_id from project_grant g where g.project_id = ${projectId}`.execute(db)
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

    /** Changes what is given, unless the record is no longer of the revision that the change was made from. */
    async update(
      projectId: string,
      { label, org, products, meta, config }: ProjectChanges,
      { changedBy, revision }: { changedBy: string; revision: number | undefined },
    ): Promise<boolean> {
      const row = await db
        .updateTable('project')
        .set((eb) => ({
          ...(label === undefined ? {} : { label }),
          ...(org === undefined ? {} : { organisation_id: org }),
          ...(products === undefined ? {} : { products }),
          ...(meta === undefined ? {} : { meta: sql<string>`meta || ${JSON.stringify(meta)}::jsonb` }),
          ...(config === undefined
            ? {}
            : { config: sql<string>`config || ${JSON.stringify(config)}::jsonb` }),
          revision: eb('revision', '+', 1),
          updated_at: sql<Date>`now()`,
          updated_by: changedBy,
        }))
        .where('id', '=', projectId)
        .$if(revision !== undefined, (query) => query.where('revision', '=', revision ?? 0))
        .returning('id')
        .executeTakeFirst()
      return row !== undefined
    },

    /** Nobody else changes it, or its grants, until the transaction ends. */
    async lock(projectId: string): Promise<void> {
      await db.selectFrom('project').select('id').where('id', '=', projectId).forUpdate().execute()
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

    /** Whether the person may put a project there. */
    async isMember(orgId: string, { isRoot, personId }: Who): Promise<boolean> {
      const row = await db
        .selectFrom('organisation as o')
        .select('o.id')
        .where('o.id', '=', orgId)
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
        .executeTakeFirst()
      return row !== undefined
    },

    async findGrant(projectId: string, grantId: string): Promise<Grant | undefined> {
      const row = await db
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
        .where('g.project_id', '=', projectId)
        .where('g.id', '=', grantId)
        .executeTakeFirst()
      return row && grantOf(row)
    },

    /** Nothing happens when the project is gone, or the person holds the role already. */
    async joinProject(projectId: string, personId: string, productRole: string | null): Promise<void> {
      await sql`
        insert into project_grant (id, project_id, person_id, product_role)
        select ${uuidv7()}::uuid, id, ${personId}::uuid, ${productRole} from project where id = ${projectId}
        on conflict do nothing`.execute(db)
    },

    async addGrant(projectId: string, personId: string, productRole: string | null): Promise<string> {
      const id = uuidv7()
      await db
        .insertInto('project_grant')
        .values({ id, project_id: projectId, person_id: personId, product_role: productRole })
        .execute()
      return id
    },

    async setProductRole(grantId: string, productRole: string | null): Promise<void> {
      await db
        .updateTable('project_grant')
        .set({ product_role: productRole })
        .where('id', '=', grantId)
        .execute()
    },

    async removeGrant(grantId: string): Promise<void> {
      await db.deleteFrom('project_grant').where('id', '=', grantId).execute()
    },
  }
}
export type ProjectRepository = ReturnType<typeof createProjectRepository>

/** Says that the page before ended with the default project, which stands before all others. */
const firstPage = 'default'

interface GrantRow {
  id: string
  person_id: string
  product_role: string | null
  firstname: string
  lastname: string
}

const grantOf = (row: GrantRow): Grant => ({
  _id: row.id,
  user: row.person_id,
  name: `${row.firstname} ${row.lastname}`,
  productRole: row.product_role,
})

interface ProjectRow {
  id: string
  label: string
  organisation_id: string | null
  orgLabel: string | null
  owner_id: string
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
