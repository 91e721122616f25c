import { parseSearch } from '@pult/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import { begins, contains, idsOf, isLong } from '#platform/database/page.ts'

/** A condition on a task `t`. */
interface Term {
  condition: RawBuilder<boolean>
  /** Whether an index answers it. Otherwise the search reads only the newest tasks. */
  isIndexed: boolean
}

/** Title, type and, of an ended task, info, with a trigram index. */
const indexed = sql<string>`t.search`

const columns: Readonly<Record<string, RawBuilder<string>>> = {
  title: sql`t.title`,
  type: sql`t.type`,
  kind: sql`t.kind`,
  state: sql`t.state`,
}

const personName = sql<string>`firstname || ' ' || lastname`

async function createdBy(db: Db, isNamed: RawBuilder<boolean>): Promise<Term> {
  const people = sql`select id from person where ${isNamed}`
  const ids = await idsOf(db, people)
  return ids === undefined
    ? { condition: sql`t.created_by in (${people})`, isIndexed: false }
    : { condition: sql`t.created_by = any(${ids}::uuid[])`, isIndexed: true }
}

/** The index does not cover the info of open tasks. They are few, and another index has them. */
async function wordTerm(db: Db, word: string): Promise<Term> {
  const creator = await createdBy(db, contains(personName, word))
  return {
    condition: sql`(
      ${contains(indexed, word)}
      or t.fulfilled_at is null and ${contains(sql`t.info`, word)}
      or ${creator.condition}
    )`,
    isIndexed: isLong(word) && creator.isIndexed,
  }
}

async function fieldTerm(db: Db, key: string, value: string): Promise<Term> {
  const column = columns[key]
  if (column === undefined) return createdBy(db, begins(personName, value))
  const matches = begins(column, value)
  return (key === 'title' || key === 'type') && isLong(value)
    ? { condition: sql`${contains(indexed, value)} and ${matches}`, isIndexed: true }
    : { condition: matches, isIndexed: false }
}

/** Returns the condition of a search: all of its terms must match. An empty search matches every task. */
export async function taskSearch(db: Db, search: string): Promise<Term> {
  const { words, fields } = parseSearch(search, [...Object.keys(columns), 'user'])
  const terms: Term[] = []
  for (const word of words) terms.push(await wordTerm(db, word))
  for (const { key, value } of fields) terms.push(await fieldTerm(db, key, value))
  return terms.length === 0
    ? { condition: sql`true`, isIndexed: true }
    : {
        condition: sql`${sql.join(
          terms.map(({ condition }) => condition),
          sql` and `,
        )}`,
        isIndexed: terms.some(({ isIndexed }) => isIndexed),
      }
}
