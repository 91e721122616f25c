import { type AuditRow, type AuditSort, parseSearch } from '@pult/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import {
  countUpTo,
  idAfter,
  idsOf,
  type Page,
  type PageQuery,
  pageOf,
  pageSizeOf,
  runSearch,
  scannedMost,
} from '#platform/database/page.ts'
import type { Database } from '#platform/database/schema.ts'

/** The rows of one project, or all rows. */
export interface AuditScope {
  projectId?: string
}

/** The filters of the contract's query. */
export interface AuditFilter {
  search?: string | undefined
  from?: string | undefined
  until?: string | undefined
}

export interface AuditListQuery extends PageQuery, AuditFilter {
  search?: string | undefined
  sort?: AuditSort | undefined
}

/** A slice of a scope's rows, small enough to be read quickly even if few rows match. */
export interface AuditSlice {
  rows: AuditRow[]
  /** Set if another page follows after this row. */
  next: string | undefined
}

const sliceSize = 1000

type Condition = RawBuilder<boolean>

const all = (conditions: readonly Condition[]): Condition =>
  conditions.length === 0 ? sql`true` : sql`${sql.join(conditions, sql` and `)}`

const lower = (text: string) => sql<string>`lower(${text}::text)`
/** Names are found without case and accents, as in the lists. */
const folded = (text: string) => sql<string>`fold(${text}::text)`
const nothing = sql<boolean>`false`
const results = ['success', 'failure'] as const

/** Matches rows with one of the ids that a name resolves to. */
async function hasIdOf(db: Db, column: RawBuilder<unknown>, query: RawBuilder<unknown>): Promise<Condition> {
  const ids = await idsOf(db, query)
  if (ids === undefined) return sql`${column} in (${query})`
  const [first, ...others] = ids
  if (first === undefined) return nothing
  // With a single id, the index returns the rows in order.
  return others.length === 0 ? sql`${column} = ${first}::uuid` : sql`${column} = any(${ids}::uuid[])`
}

const personName = sql<string>`fold(firstname || ' ' || lastname)`
/** The entries that keep the names of deleted accounts. */
const removals = sql`audit r where r.event collate "C" = 'person.removed' and r.result = 'success'`
const removedName = sql<string>`r.detail ->> 'name'`
const actor = sql`a.actor_id`

/** Events, results and addresses are stored in lower case. Searches are literal: no character acts as a pattern. */
const fieldConditions: Record<string, (value: string, db: Db) => Condition | Promise<Condition>> = {
  event: (value) => sql`a.event collate "C" ^@ ${lower(value)}`,
  result: (value) => {
    const meant = results.filter((result) => result.startsWith(value.toLowerCase()))
    // Failures are rare and have a partial index.
    return meant.length === 0 ? nothing : all(meant.length > 1 ? [] : [sql`a.result = ${meant[0]}`])
  },
  actor: (value, db) =>
    hasIdOf(
      db,
      actor,
      sql`select id from person where ${personName} ^@ ${folded(value)}
        union select r.target::uuid from ${removals} and fold(${removedName}) ^@ ${folded(value)}`,
    ),
  target: (value) => sql`lower(a.target) collate "C" ^@ ${lower(value)}`,
  address: (value) => sql`a.address collate "C" ^@ ${lower(value)}`,
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The id also finds the rows of a deleted project. */
const project = (value: string, db: Db): Condition | Promise<Condition> =>
  uuid.test(value)
    ? sql`a.project_id = ${value}::uuid`
    : hasIdOf(db, sql`a.project_id`, sql`select id from project where fold(label) ^@ ${folded(value)}`)

async function word(text: string, db: Db): Promise<Condition> {
  const named = sql`select id from person where strpos(${personName}, ${folded(text)}) > 0
    union select r.target::uuid from ${removals} and strpos(fold(${removedName}), ${folded(text)}) > 0`
  return sql`(
    strpos(a.event, ${lower(text)}) > 0
    or strpos(lower(a.target), ${lower(text)}) > 0
    or strpos(a.address, ${lower(text)}) > 0
    or ${await hasIdOf(db, actor, named)}
  )`
}

/** The conditions of a search. */
interface Terms {
  /** The `key:value` terms, which indexes answer. */
  fields: Condition
  words: Condition
  hasWords: boolean
}

/** Converts a search to conditions. The key `project` does not exist within one project. */
async function searched(db: Db, { projectId }: AuditScope, search: string | undefined): Promise<Terms> {
  const known = projectId === undefined ? { ...fieldConditions, project } : fieldConditions
  const terms = parseSearch(search ?? '', Object.keys(known))
  const ofFields: Condition[] = []
  for (const { key, value } of terms.fields) ofFields.push((await known[key]?.(value, db)) ?? nothing)
  const ofWords: Condition[] = []
  for (const text of terms.words) ofWords.push(await word(text, db))
  return { fields: all(ofFields), words: all(ofWords), hasWords: ofWords.length > 0 }
}

/** Conditions on the indexed columns: project and time. */
function inRange({ projectId }: AuditScope, { from, until }: AuditFilter): Condition {
  return all([
    ...(projectId === undefined ? [] : [sql<boolean>`a.project_id = ${projectId}`]),
    ...(from === undefined ? [] : [sql<boolean>`a.at >= ${new Date(from)}`]),
    ...(until === undefined ? [] : [sql<boolean>`a.at < ${new Date(until)}`]),
  ])
}

/** The position of a row in the order; null for a row outside of the scope. */
const placeOf = ({ projectId }: AuditScope, id: string) => sql`(
  select at, id from audit where id = ${id}${projectId === undefined ? sql`` : sql` and project_id = ${projectId}`}
)`

/** The rows of a filter that meet a condition, or the newest 20,000 of those (decision record 43). */
const rowsOf = (scope: AuditScope, filter: AuditFilter, condition: Condition, isOfNewest: boolean) =>
  sql<Database['audit']>`(
    select * from audit a where ${inRange(scope, filter)} and ${condition}
    ${isOfNewest ? sql`order by a.at desc, a.id desc limit ${scannedMost}::int` : sql``}
  )`.as('a')

/** Reads the audit log for root or, within one project, for its owner. */
export function createAuditLog(db: Db) {
  const inOrder = (
    from: Db,
    rows: ReturnType<typeof rowsOf>,
    scope: AuditScope,
    { after, sort = '-at' }: { after?: string | undefined; sort?: AuditSort | undefined },
  ) => {
    const isBeyond = sort === '-at' ? sql`<` : sql`>`
    const direction = sort === '-at' ? 'desc' : 'asc'
    return from
      .selectFrom(rows)
      .$if(after !== undefined, (query) =>
        query.where(sql<boolean>`(a.at, a.id) ${isBeyond} ${placeOf(scope, after ?? '')}`),
      )
      .orderBy('a.at', direction)
      .orderBy('a.id', direction)
  }

  /** Joins the actor. Root sees the names of deleted accounts, for others only the id remains. */
  const withActor = (query: ReturnType<typeof inOrder>, { projectId }: AuditScope) =>
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
        sql<string>`coalesce(p.firstname || ' ' || p.lastname, ${
          projectId === undefined
            ? sql`(select ${removedName} from ${removals} and r.target = a.actor_id::text limit 1)`
            : null
        }, '')`.as('actorName'),
        sql<boolean>`p.id is null`.as('isDeleted'),
      ])

  type Row = Awaited<ReturnType<ReturnType<typeof withActor>['execute']>>[number]
  const rowOf = (row: Row): AuditRow => ({
    _id: row.id,
    at: row.at.toISOString(),
    event: row.event,
    result: row.result as AuditRow['result'],
    actor:
      row.actor_id === null
        ? null
        : {
            _id: row.actor_id,
            name: row.actorName,
            ...(row.isDeleted && { isDeleted: true }),
          },
    target: row.target,
    project: row.project_id,
    address: row.address,
    detail: row.detail,
  })

  return {
    /** Returns one page, newest first unless sorted otherwise. */
    async list(scope: AuditScope, query: AuditListQuery): Promise<Page<AuditRow>> {
      const size = pageSizeOf(query)
      const after = idAfter(query)
      const { fields, words, hasWords } = await searched(db, scope, query.search)
      return runSearch(db, { isIndexed: true }, async (trx, isTooSlow) => {
        // No index answers words. The server searches them in the newest rows that match all other conditions.
        const isOfNewest = hasWords || isTooSlow
        const looked = rowsOf(scope, query, isTooSlow ? sql`true` : fields, isOfNewest)
        const matching = (from: string | undefined) =>
          inOrder(trx, looked, scope, { after: from, sort: query.sort }).where(
            isTooSlow ? all([fields, words]) : words,
          )
        const rows = await withActor(matching(after), scope)
          .limit(size + 1)
          .execute()
        // A search for rare rows reads the whole table. If the page holds all results, skip the count.
        const isWhole = after === undefined && rows.length <= size
        const count = isWhole ? rows.length : await countUpTo(trx, matching(undefined).select('a.id'))
        const last = inOrder(trx, looked, scope, {})
          .select('a.id')
          .offset(scannedMost - 1)
          .limit(1)
        const isPartial = isOfNewest && (await last.executeTakeFirst()) !== undefined
        return pageOf(rows, { size, count, isPartial, keyOf: ({ id }) => id, itemOf: rowOf })
      })
    },

    /** Returns the matching rows among the next slice after `after`, newest first. */
    async slice(scope: AuditScope, filter: AuditFilter, after: string | undefined): Promise<AuditSlice> {
      const { fields, words } = await searched(db, scope, filter.search)
      const range = inOrder(db, rowsOf(scope, filter, sql`true`, false), scope, { after })
      const last = await range
        .select('a.id')
        .offset(sliceSize - 1)
        .limit(1)
        .executeTakeFirst()
      const rows = await withActor(
        range
          .where(all([fields, words]))
          .$if(last !== undefined, (query) =>
            query.where(sql<boolean>`(a.at, a.id) >= ${placeOf(scope, last?.id ?? '')}`),
          ),
        scope,
      ).execute()
      return { rows: rows.map(rowOf), next: last?.id }
    },
  }
}
export type AuditLog = ReturnType<typeof createAuditLog>
