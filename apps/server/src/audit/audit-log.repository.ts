import { type AuditRow, parseSearch } from '@pult/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import { countUpTo, idAfter, type Page, type PageQuery, pageOf, pageSizeOf } from '#platform/database/page.ts'

/** Whose rows are read: those of one project, or all. */
export interface AuditScope {
  projectId?: string
}

/** Which of them, as the contract's query says it. */
export interface AuditFilter {
  search?: string | undefined
  from?: string | undefined
  until?: string | undefined
}

/** A part of a scope's rows, so small that reading it takes no time however few of them match. */
export interface AuditSlice {
  rows: AuditRow[]
  /** There is another part, after this row. */
  next: string | undefined
}

const sliceSize = 1000

type Condition = RawBuilder<boolean>

const all = (conditions: readonly Condition[]): Condition =>
  conditions.length === 0 ? sql`true` : sql`${sql.join(conditions, sql` and `)}`

const lower = (text: string) => sql<string>`lower(${text}::text)`
const nothing = sql<boolean>`false`
const results = ['success', 'failure'] as const

/** Of more records than this it is left to the database how to look for them. */
const resolvedMost = 1000

/**
 * Which rows have one of the ids that a name stands for. The ids are read first: knowing them, the database knows as
 * well how few rows there can be, and finds those by an index instead of reading all.
 */
async function hasIdOf(db: Db, column: RawBuilder<unknown>, ids: RawBuilder<unknown>): Promise<Condition> {
  const { rows } = await sql<{ id: string }>`${ids} limit ${resolvedMost + 1}::int`.execute(db)
  if (rows.length > resolvedMost) return sql`${column} in (${ids})`
  const [first, ...others] = rows.map(({ id }) => id)
  if (first === undefined) return nothing
  // Of one the index gives the rows in their order.
  return others.length === 0
    ? sql`${column} = ${first}::uuid`
    : sql`${column} = any(${[first, ...others]}::uuid[])`
}

const personName = sql<string>`lower(firstname || ' ' || lastname)`
const actor = sql`a.actor_id`

/** Events, results and addresses are stored in lower case. No sign is special: nothing here is a pattern. */
const fields: Record<string, (value: string, db: Db) => Condition | Promise<Condition>> = {
  event: (value) => sql`a.event collate "C" ^@ ${lower(value)}`,
  result: (value) => {
    const meant = results.filter((result) => result.startsWith(value.toLowerCase()))
    // Failures are few, and there is an index of them alone.
    return meant.length === 0 ? nothing : all(meant.length > 1 ? [] : [sql`a.result = ${meant[0]}`])
  },
  actor: (value, db) => hasIdOf(db, actor, sql`select id from person where ${personName} ^@ ${lower(value)}`),
  target: (value) => sql`lower(a.target) collate "C" ^@ ${lower(value)}`,
  address: (value) => sql`a.address collate "C" ^@ ${lower(value)}`,
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** A deleted project is still found by its id. */
const project = (value: string, db: Db): Condition | Promise<Condition> =>
  uuid.test(value)
    ? sql`a.project_id = ${value}::uuid`
    : hasIdOf(db, sql`a.project_id`, sql`select id from project where lower(label) ^@ ${lower(value)}`)

async function word(text: string, db: Db): Promise<Condition> {
  const named = sql`select id from person where strpos(${personName}, ${lower(text)}) > 0`
  return sql`(
    strpos(a.event, ${lower(text)}) > 0
    or strpos(lower(a.target), ${lower(text)}) > 0
    or strpos(a.address, ${lower(text)}) > 0
    or ${await hasIdOf(db, actor, named)}
  )`
}

/** What a search asks of a row. Within one project its key is none. */
async function searched(db: Db, { projectId }: AuditScope, search: string | undefined): Promise<Condition> {
  const known = projectId === undefined ? { ...fields, project } : fields
  const terms = parseSearch(search ?? '', Object.keys(known))
  const conditions: Condition[] = []
  for (const text of terms.words) conditions.push(await word(text, db))
  for (const { key, value } of terms.fields) conditions.push((await known[key]?.(value, db)) ?? nothing)
  return all(conditions)
}

/** What the indexes know of a row: whose it is, and when it was written. */
function inRange({ projectId }: AuditScope, { from, until }: AuditFilter): Condition {
  return all([
    ...(projectId === undefined ? [] : [sql<boolean>`a.project_id = ${projectId}`]),
    ...(from === undefined ? [] : [sql<boolean>`a.at >= ${new Date(from)}`]),
    ...(until === undefined ? [] : [sql<boolean>`a.at < ${new Date(until)}`]),
  ])
}

/** Where a row stands in the order. One that is not of the scope stands nowhere. */
const placeOf = ({ projectId }: AuditScope, id: string) => sql`(
  select at, id from audit where id = ${id}${projectId === undefined ? sql`` : sql` and project_id = ${projectId}`}
)`

/** What was written down, to be read by root or, of a project, by its owner. */
export function createAuditLog(db: Db) {
  const range = (from: Db, scope: AuditScope, filter: AuditFilter, after: string | undefined) =>
    from
      .selectFrom('audit as a')
      .where(inRange(scope, filter))
      .$if(after !== undefined, (query) =>
        query.where(sql<boolean>`(a.at, a.id) < ${placeOf(scope, after ?? '')}`),
      )
      .orderBy('a.at', 'desc')
      .orderBy('a.id', 'desc')

  /** With the one who did it; of somebody who is gone there is the id alone. */
  const withActor = (query: ReturnType<typeof range>) =>
    query
      .leftJoin('person as p', 'p.id', 'a.actor_id')
      .select([
        'a.id',
        'a.at',
        'a.event',
        'a.result',
        'a.actor_id',
        'a.target',
        'a.project_id',
        'a.address',
        'a.detail',
        sql<string>`coalesce(p.firstname || ' ' || p.lastname, '')`.as('actorName'),
      ])

  type Row = Awaited<ReturnType<ReturnType<typeof withActor>['execute']>>[number]
  const rowOf = (row: Row): AuditRow => ({
    _id: row.id,
    at: row.at.toISOString(),
    event: row.event,
    result: row.result as AuditRow['result'],
    actor: row.actor_id === null ? null : { _id: row.actor_id, name: row.actorName },
    target: row.target,
    project: row.project_id,
    address: row.address,
    detail: row.detail,
  })

  return {
    /** One page, the newest first. */
    async list(scope: AuditScope, query: PageQuery & AuditFilter): Promise<Page<AuditRow>> {
      const size = pageSizeOf(query)
      const after = idAfter(query)
      const matches = await searched(db, scope, query.search)
      return db.transaction().execute(async (trx) => {
        // One event is half of all rows, another one in a million: each search is planned for what it asks.
        await sql`set local plan_cache_mode = force_custom_plan`.execute(trx)
        const rows = await withActor(range(trx, scope, query, after).where(matches))
          .limit(size + 1)
          .execute()
        // What is rare is looked for in all rows; not once more where they are all here.
        const isWhole = after === undefined && rows.length <= size
        const count = isWhole
          ? rows.length
          : await countUpTo(trx, range(trx, scope, query, undefined).where(matches).select('a.id'))
        return pageOf(rows, { size, count, keyOf: ({ id }) => id, itemOf: rowOf })
      })
    },

    /** What matches among the next rows after `after`, the newest first. */
    async slice(scope: AuditScope, filter: AuditFilter, after: string | undefined): Promise<AuditSlice> {
      const matches = await searched(db, scope, filter.search)
      const last = await range(db, scope, filter, after)
        .select('a.id')
        .offset(sliceSize - 1)
        .limit(1)
        .executeTakeFirst()
      const rows = await withActor(
        range(db, scope, filter, after)
          .where(matches)
          .$if(last !== undefined, (query) =>
            query.where(sql<boolean>`(a.at, a.id) >= ${placeOf(scope, last?.id ?? '')}`),
          ),
      ).execute()
      return { rows: rows.map(rowOf), next: last?.id }
    },
  }
}
export type AuditLog = ReturnType<typeof createAuditLog>
