import type { Row } from './rows.ts'

const id = /\b[A-Z]+-\d{2}\b/g

/** The ids of rows that a test's full title names, each once. */
export function idsIn(title: string): string[] {
  return [...new Set(title.match(id) ?? [])]
}

/**
 * Ids in titles that no row has, though rows of that family exist: a slip of the pen makes a row look untested and the
 * test look as if it covered something. `UTF-16` and the like have no family and are only words.
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
