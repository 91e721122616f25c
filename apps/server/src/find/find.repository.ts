import type { Thing, ThingKind } from '@pult/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import { begins, contains, isLong } from '#platform/database/page.ts'
import { reported } from '../edges/fleet.ts'

/** The words of a search, in projects that the caller may read for this kind of record. */
export interface Search {
  words: readonly string[]
  /** Projects by id; `all` for root. */
  projectIds: readonly string[] | 'all'
  /** The product that a project must use, for records of an app. */
  sku: string | null
  /** Records of this project come first. */
  projectId: string | null
}

/** Limit of results per kind. */
const most = 8
/** Number of matches from which the best are chosen: this many of the active project, and this many of all others. */
const candidates = 100
/** Words shorter than a trigram are searched only in this number of newest records. */
const newestMost = 2000
/** Number of newest records per kind that a search without words returns. */
const newestShown = 3
const excerptLength = 90

interface Source {
  table: RawBuilder<unknown>
  /** The text whose `fold` has a trigram index, for a row `r`. It is the label, or begins with its line. */
  text: RawBuilder<string>
  /** The columns `id`, `label`, `detail` and `state`, and for edges `trouble`, for a row `r` and the first word. */
  columns: (word: string) => RawBuilder<unknown>
  /** Another condition on `r`. */
  where?: RawBuilder<unknown>
}

/** Returns an excerpt that starts a few words before the match. */
const excerptOf = (text: RawBuilder<string>, word: string) => sql`
  case when position(fold(${word}) in fold(${text})) <= 30 then left(${text}, ${excerptLength})
  else '… ' || regexp_replace(
    substring(${text} from position(fold(${word}) in fold(${text})) - 30 for ${excerptLength}), '^\\S+\\s+', ''
  ) end`

const sources = {
  edge: {
    table: sql`edge`,
    text: sql<string>`r.label`,
    columns: () => sql`r.id::text, r.label, null::text as detail,
      (select case
        when r.token_hash is null and r.code_hash is null then 'revoked'
        when r.token_hash is null or presence.edge_id is null then 'enrolling'
        when not presence.is_online then 'offline' when presence.troubles is null then 'online' else 'trouble' end
        from (select 1) one left join edge_presence presence on presence.edge_id = r.id) as state,
      (select json_build_object(
        'disk', case when p.troubles ? 'disk'
          then round(100 * (1 - ${reported('disk.free')} / nullif(${reported('disk.total')}, 0))) end,
        'stopped', (select count(*) from jsonb_object_keys(p.troubles) name where name like 'program:%'))
        from edge_presence p where p.edge_id = r.id and p.is_online and p.troubles is not null) as trouble`,
  },
  medium: {
    table: sql`media`,
    text: sql<string>`r.label || E'\\n' || tags_text(r.tags)`,
    columns: () => sql`r.id::text, r.label, nullif(tags_text(r.tags), '') as detail, r.type as state`,
  },
  note: {
    table: sql`note`,
    text: sql<string>`r.label || E'\\n' || r.text`,
    columns: (word) =>
      sql`r.id::text, r.label, nullif(${excerptOf(sql<string>`r.text`, word)}, '') as detail, null::text as state`,
  },
  task: {
    table: sql`task`,
    text: sql<string>`r.search`,
    columns: () => sql`r.id::text, r.title as label, null::text as detail, r.state`,
    where: sql`r.archived_at is null`,
  },
} satisfies Partial<Record<ThingKind, Source>>

export function createFindRepository(db: Db) {
  async function rowsOf(kind: ThingKind, query: RawBuilder<FoundRow>): Promise<Thing[]> {
    const { rows } = await query.execute(db)
    return rows.map(({ id, label, detail, state, trouble, projectId, projectLabel }) => ({
      kind,
      id,
      label,
      detail,
      state,
      ...(trouble != null && { trouble }),
      project: { _id: projectId, label: projectLabel },
    }))
  }

  return {
    records(kind: keyof typeof sources, search: Search): Promise<Thing[]> {
      const { table, text, columns, where = sql`true` }: Source = sources[kind]
      const [first = ''] = search.words
      const shown = sql`
        select ${columns(first)}, p.id as "projectId", p.label as "projectLabel",
          coalesce(p.id = ${search.projectId}::uuid, false) as "isHere",
          position(fold(${first}) in fold(${kind === 'task' ? sql`r.title` : sql`r.label`})) as place, r.id as key
        from`
      return rowsOf(
        kind,
        sql<FoundRow>`
          select * from (${shown} ${table} r join project p on p.id = r.project_id
            where r.id in (${chosen(table, text, where, search)}) and ${usesProduct(search.sku)}) found
          ${bestFirst(search.words, first === '' ? newestShown : most)}`,
      )
    },

    /** Programs, with the project of their edge. */
    programs({ words, projectIds, sku, projectId }: Search): Promise<Thing[]> {
      const [first = ''] = words
      if (!words.some(isLong)) return Promise.resolve([])
      return rowsOf(
        'program',
        sql<FoundRow>`
          select * from (
            select e.id || '/' || i.id as id, i.label, e.label as detail, null::text as state, p.id as "projectId",
              p.label as "projectLabel", coalesce(p.id = ${projectId}::uuid, false) as "isHere",
              position(fold(${first}) in fold(i.label)) as place, i.id as key
            from edge_instance i join edge e on e.id = i.edge_id join project p on p.id = e.project_id
            where ${all(sql<string>`i.label`, words)} and ${isIn(sql`e.project_id`, projectIds)} and ${usesProduct(sku)}
            limit ${candidates}
          ) found ${bestFirst(words, most)}`,
      )
    },

    /** People with a role in one of the projects, and their owners. */
    people({ words, projectIds, sku, projectId }: Search): Promise<Thing[]> {
      const [first = ''] = words
      const name = sql<string>`person.firstname || ' ' || person.lastname`
      return rowsOf(
        'person',
        sql<FoundRow>`
          select * from (
            select person.id::text, person.firstname || ' ' || person.lastname as label, null::text as detail,
              null::text as state, place.id as "projectId", place.label as "projectLabel",
              coalesce(place.id = ${projectId}::uuid, false) as "isHere",
              position(fold(${first}) in fold(${name})) as place, person.id as key
            from person cross join lateral (
              select p.id, p.label from (
                select project_id from project_grant where person_id = person.id
                union select id from project where owner_id = person.id
              ) member join project p on p.id = member.project_id
              where ${isIn(sql`p.id`, projectIds)} and ${usesProduct(sku)}
              order by coalesce(p.id = ${projectId}::uuid, false) desc, p.id limit 1
            ) place
            where ${all(name, words)}
            limit ${candidates}
          ) found ${bestFirst(words, most)}`,
      )
    },

    /** The projects that the caller sees (DEC-14, the line "see a project"), for all but root. */
    async places(personId: string): Promise<PlaceRow[]> {
      const { rows } = await sql<PlaceRow>`
        select id, owner_id = ${personId}::uuid as "isOwner" from project where owner_id = ${personId}::uuid
          or organisation_id in (select id from organisation where owner_id = ${personId}::uuid)
          or id in (select project_id from project_grant where person_id = ${personId}::uuid)`.execute(db)
      return rows
    },
  }
}
export interface PlaceRow {
  id: string
  isOwner: boolean
}

interface FoundRow {
  id: string
  label: string
  detail: string | null
  state: string | null
  trouble?: Thing['trouble'] | null
  projectId: string
  projectLabel: string
}

/** Records with all words: some of the active project, and of all others if an index can answer the words. */
function chosen(
  table: RawBuilder<unknown>,
  text: RawBuilder<string>,
  where: RawBuilder<unknown>,
  { words, projectIds, projectId }: Search,
): RawBuilder<unknown> {
  const isLegible = isIn(sql`r.project_id`, projectIds)
  const isHere = sql`r.project_id = ${projectId}::uuid and ${isLegible} and ${where}`
  const newest = (count: number) => sql`
    select r.* from ${table} r where ${isHere} order by r.id desc limit ${count}`
  if (words.length === 0) return sql`select id from (${newest(newestShown)}) r`
  const matches = all(text, words)
  if (!words.some(isLong))
    return sql`select r.id from (${newest(newestMost)}) r where ${matches} limit ${candidates}`
  return sql`
    (select r.id from ${table} r where ${isHere} and ${matches} limit ${candidates})
    union
    (select r.id from ${table} r where ${isLegible} and ${where} and ${matches} limit ${candidates})
    union
    (select r.id from ${table} r where ${isLegible} and ${where} and ${hasLabel(text, words)} limit ${most})`
}

/** Whether the label is these words, by the index. */
const hasLabel = (text: RawBuilder<string>, words: readonly string[]) =>
  sql`(fold(${text}) = fold(${words.join(' ')}) or ${begins(text, `${words.join(' ')}\n`)})`

/**
 * The label that is the search, then records of the active project, then labels that begin with the first word or contain
 * it, of these the shorter ones, then new records.
 */
const bestFirst = (words: readonly string[], count: number) => sql`
  order by fold(label) = fold(${words.join(' ')}) desc, "isHere" desc, place = 1 desc, place > 0 desc,
    case when place > 0 and ${words.length > 0} then length(label) end, key desc limit ${count}`

const all = (text: RawBuilder<string>, words: readonly string[]) =>
  words.length === 0
    ? sql`true`
    : sql`${sql.join(
        words.map((word) => contains(text, word)),
        sql` and `,
      )}`

const isIn = (column: RawBuilder<unknown>, projectIds: readonly string[] | 'all') =>
  projectIds === 'all' ? sql`true` : sql`${column} = any(${[...projectIds]}::uuid[])`

const usesProduct = (sku: string | null) => (sku === null ? sql`true` : sql`${sku} = any(p.products)`)
