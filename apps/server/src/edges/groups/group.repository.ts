import {
  type BodyOf,
  type EdgeGroup,
  type EdgeRule,
  type edgeGroupEndpoints,
  edgePlace,
  edgeTag,
  limits,
} from '@pult/contract'
import { type RawBuilder, sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { AppError } from '#platform/app-error.ts'
import type { Db } from '#platform/database/database.ts'
import { orderOf } from '#platform/database/name-order.ts'
import { pageOf, pageSizeOf, searchCondition } from '#platform/database/page.ts'
import { keyOfSorted, sortedPage, withSortText } from '#platform/database/sorted-page.ts'
import type { ResourceStore } from '#platform/resource/resource.ts'
import { namesToStore } from '#platform/stored-names.ts'
import { lockProject } from '../lock-project.ts'
import { isMember } from './membership.ts'

const labelOrder = orderOf(sql`g.label`)

const searchable = {
  text: [sql<string>`g.label`],
  keys: { label: { text: sql<string>`g.label` } },
}

/** The groups of a project; `personId` is the user who changes them. */
export function createGroupRepository(
  db: Db,
  { projectId, personId }: { projectId: string; personId: string },
): ResourceStore<EdgeGroup, BodyOf<typeof edgeGroupEndpoints.create>> {
  const own = sql`g.project_id = ${projectId}`

  /** One statement selects the groups and counts their members. */
  const select = (found: RawBuilder<unknown>, rest: RawBuilder<unknown> = sql``) => sql<GroupRow>`
    select g.*, ${labelOrder} as "sortText", changer.firstname, changer.lastname,
      (select count(*) from edge e left join edge_presence p on p.edge_id = e.id
        where e.project_id = g.project_id and ${isMember}) as members,
      (select count(*) from edge e where e.project_id = g.project_id) as edges
    from edge_group g left join person changer on changer.id = g.updated_by where ${found} ${rest}`

  /** The columns of a rule. Tags and places that an edge or the stored rule has stay as they are. */
  async function columnsOf(rule: EdgeRule, groupId: string | null = null) {
    const { allTags = [], anyTags = [], places = [], versions = [], states = [] } = rule
    const { rows } = await sql<{ name: string }>`
      select name from unnest(${[...allTags, ...anyTags, ...places]}::text[]) name
      where exists (select from edge e where e.project_id = ${projectId} and (name = any(e.tags) or name = e.place))
        or exists (select from edge_group g
          where ${own} and g.id = ${groupId}::uuid and name = any(g.all_tags || g.any_tags || g.places))`.execute(
      db,
    )
    const stored = rows.map(({ name }) => name)
    return {
      all_tags: namesToStore(allTags, { stored, rule: edgeTag, path: ['rule', 'allTags'] }),
      any_tags: namesToStore(anyTags, { stored, rule: edgeTag, path: ['rule', 'anyTags'] }),
      places: namesToStore(places, { stored, rule: edgePlace, path: ['rule', 'places'] }),
      versions: [...new Set(versions)],
      states: [...new Set(states)],
    }
  }

  return {
    async list(query) {
      const size = pageSizeOf(query)
      const from = await withSortText(
        db,
        query,
        (id) => sql`select ${labelOrder} as text from edge_group g where ${own} and g.id = ${id}::uuid`,
      )
      const order = sortedPage(from, { id: sql`g.id`, text: labelOrder, isReverse: false })
      const found = sql`${own} and ${searchCondition(query.search, searchable)}`
      const [{ rows }, counted] = await Promise.all([
        select(
          sql`${found} and ${order.isAfter}`,
          sql`order by ${order.orderBy} limit ${size + 1}::int`,
        ).execute(db),
        sql<{ count: number }>`select count(*) from edge_group g where ${found}`.execute(db),
      ])
      return pageOf(rows, {
        size,
        count: counted.rows[0]?.count ?? 0,
        keyOf: keyOfSorted,
        itemOf: groupOf,
      })
    },

    async find(groupId) {
      const { rows } = await select(sql`${own} and g.id = ${groupId}::uuid`).execute(db)
      return rows[0] && groupOf(rows[0])
    },

    async lock(groupId) {
      await sql`select from edge_group g where ${own} and g.id = ${groupId}::uuid for update`.execute(db)
    },

    /** Adds a group. Locks the project row, so that the count remains valid. */
    async add({ label, rule }) {
      if (!(await lockProject(db, projectId))) return undefined
      const { rows } = await sql<{ count: number }>`
        select count(*) from edge_group g where ${own}`.execute(db)
      if ((rows[0]?.count ?? 0) >= limits.edgeGroupsMax) throw new AppError('TOO_MANY_EDGE_GROUPS')
      const columns = await columnsOf(rule)
      const { id } = await db
        .insertInto('edge_group')
        .values({ id: uuidv7(), project_id: projectId, label, ...columns, updated_by: personId })
        .returning('id')
        .executeTakeFirstOrThrow()
      return id
    },

    async update(groupId, { label, rule }) {
      const columns = rule && (await columnsOf(rule, groupId))
      await db
        .updateTable('edge_group')
        .set((eb) => ({
          ...(label !== undefined && { label }),
          ...columns,
          revision: eb('revision', '+', 1),
          updated_at: sql<Date>`clock_timestamp()`,
          updated_by: personId,
        }))
        .where('id', '=', groupId)
        .where('project_id', '=', projectId)
        .execute()
    },

    async remove(groupId) {
      await db
        .deleteFrom('edge_group')
        .where('id', '=', groupId)
        .where('project_id', '=', projectId)
        .execute()
    },

    async removeAll() {
      const { numDeletedRows } = await db
        .deleteFrom('edge_group')
        .where('project_id', '=', projectId)
        .executeTakeFirstOrThrow()
      return Number(numDeletedRows)
    },
  }
}

interface GroupRow {
  id: string
  sortText: string
  label: string
  all_tags: string[]
  any_tags: string[]
  places: string[]
  versions: string[]
  states: NonNullable<EdgeRule['states']>
  created_at: Date
  revision: number
  updated_at: Date
  updated_by: string | null
  firstname: string | null
  lastname: string | null
  members: number
  edges: number
}

const groupOf = (row: GroupRow): EdgeGroup => ({
  _id: row.id,
  label: row.label,
  rule: {
    ...(row.all_tags.length > 0 && { allTags: row.all_tags }),
    ...(row.any_tags.length > 0 && { anyTags: row.any_tags }),
    ...(row.places.length > 0 && { places: row.places }),
    ...(row.versions.length > 0 && { versions: row.versions }),
    ...(row.states.length > 0 && { states: row.states }),
  },
  count: row.members,
  matches: row.members === 0 ? 'nothing' : row.members === row.edges ? 'everything' : 'some',
  createdAt: row.created_at.toISOString(),
  revision: row.revision,
  updatedAt: row.updated_at.toISOString(),
  updatedBy:
    row.updated_by === null
      ? null
      : { _id: row.updated_by, firstname: row.firstname ?? '', lastname: row.lastname ?? '' },
})
