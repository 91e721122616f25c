import type { Row } from './rows.ts'

const id = /\b[A-Z]+-\d{2}\b/g

/** Returns the row ids in a test's full title, without duplicates. */
export function idsIn(title: string): string[] {
  return [...new Set(title.match(id) ?? [])]
}

/**
 * Returns ids in titles that have no row, although their family has rows. With such a typo a row seems untested, and a
 * test seems to cover a row. Words such as `UTF-16` have no family and are ignored.
 */
export function unknownIds(titles: Iterable<string>, rows: Row[]): string[] {
  const known = new Set(rows.map((row) => row.id))
  const families = new Set(rows.map((row) => familyOf(row.id)))
  const named = new Set([...titles].flatMap(idsIn))
  return [...named].filter((each) => !known.has(each) && families.has(familyOf(each))).toSorted()
}

export function familyOf(rowId: string): string {
  return rowId.slice(0, rowId.lastIndexOf('-'))
}
