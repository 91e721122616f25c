import { foldCase } from './text.ts'

/** A parsed search. All terms must match. */
export interface Search {
  /** Texts that must occur in the record. */
  words: string[]
  /** Fields that must equal `true` or `false`, or begin with any other value. */
  fields: { key: string; value: string }[]
}

// A key with a quoted or bare value, a quoted text, or a bare word.
const term = /([\p{L}\p{N}_.-]+):(?:"([^"]*)"|(\S*))|"([^"]*)"|(\S+)/gu

/**
 * Parses `key:value` terms and words; quotes group words. A term with an unknown key is plain text.
 *
 * @example parseSearch('owner:ada hall "north side"', ['owner'])
 */
export function parseSearch(text: string, knownKeys: readonly string[]): Search {
  const search: Search = { words: [], fields: [] }
  for (const [whole, key, quotedValue, bareValue, quoted, bare] of text.matchAll(term)) {
    const value = quotedValue ?? bareValue
    if (key !== undefined && knownKeys.includes(key)) {
      if (value) search.fields.push({ key, value })
      continue
    }
    const word = key === undefined ? (quoted ?? bare ?? '') : whole.replaceAll('"', '')
    if (word !== '') search.words.push(word)
  }
  return search
}

/** Returns whether a record matches: `true` and `false` exactly, other values by prefix, without case and accents. See {@link foldCase}. */
export function matchesSearch(
  { words, fields }: Search,
  record: { text: readonly string[]; fields: Readonly<Record<string, string | boolean | null | undefined>> },
): boolean {
  const texts = record.text.map(foldCase)
  return (
    words.map(foldCase).every((word) => texts.some((text) => text.includes(word))) &&
    fields.every(({ key, value }) => {
      const actual = record.fields[key]
      if (typeof actual === 'boolean') return String(actual) === foldCase(value)
      return foldCase(actual ?? '').startsWith(foldCase(value))
    })
  )
}
