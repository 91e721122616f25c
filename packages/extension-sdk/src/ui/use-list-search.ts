import { matchesSearch, parseSearch } from '@pult/contract'
import { useState } from 'react'
import type { ListSearchProps } from './ListSearch.tsx'

export interface ListSearchOptions<Item> {
  /** Returns the texts of a record that words search. */
  textsOf: (item: Item) => readonly string[]
  /**
   * The keys that can precede a colon, and a record's value for each: `true` and `false` match exactly, texts by
   * prefix.
   */
  fields?: Readonly<Record<string, (item: Item) => string | boolean | null | undefined>>
}

export interface ListSearchState<Item> {
  /** Props of a {@link ListSearch}. */
  field: Pick<ListSearchProps, 'value' | 'onChange' | 'keys'>
  matches: (item: Item) => boolean
}

/**
 * Searches loaded records. Terms are joined by AND, quotes group words, and an unknown key is plain text.
 *
 * @example
 * const search = useListSearch<Cue>({ textsOf: ({ label }) => [label], fields: { armed: ({ isArmed }) => isArmed } })
 * const found = cues.filter(search.matches)
 */
export function useListSearch<Item>({
  textsOf,
  fields = {},
}: ListSearchOptions<Item>): ListSearchState<Item> {
  const [value, onChange] = useState('')
  const names = Object.keys(fields)
  const search = parseSearch(value, names)
  return {
    field: { value, onChange, keys: names },
    matches: (item) => {
      const values = Object.entries(fields).map(([name, read]) => [name, read(item)] as const)
      return matchesSearch(search, { text: textsOf(item), fields: Object.fromEntries(values) })
    },
  }
}
