import { limits } from '@pult/contract'
import { SearchField, type SearchFieldProps } from '@pult/ui'
import { useTexts } from '../texts.ts'

const catalogues = {
  de: { clear: 'Clear the search', keys: 'Search in' },
  en: { clear: 'Clear the search', keys: 'Search in' },
  'de-DE': { clear: 'Suche leeren', keys: 'Suchen in' },
}

export interface ListSearchProps
  extends Pick<SearchFieldProps, 'label' | 'value' | 'onChange' | 'keys' | 'description' | 'onKeyDown'> {}

/**
 * The search of a list, as everywhere in the console: words, `key:value` and `"quoted words"`, all of which must match.
 *
 * @example <ListSearch label="Search cues" {...search.field} />
 */
export function ListSearch(props: ListSearchProps) {
  const texts = useTexts(catalogues)
  return (
    <SearchField maxLength={limits.searchMax} clearLabel={texts.clear} keysLabel={texts.keys} {...props} />
  )
}
