import { limits } from '@pult/contract'
import { SearchField, type SearchFieldProps } from '@pult/ui'
import { useRef } from 'react'
import { useTexts } from '../texts.ts'
import { useHotkey } from '../use-hotkey.ts'

const catalogues = {
  de: {
    focus: 'Search this list',
    clear: 'Clear the search',
    keys: 'How to search',
    keysText: 'All words must match. Quotes keep words together. A key searches one field, such as',
  },
  'de-DE': {
    focus: 'Diese Liste durchsuchen',
    clear: 'Suche leeren',
    keys: 'So wird gesucht',
    keysText:
      'Alle Wörter müssen vorkommen. Anführungszeichen halten Wörter zusammen. Ein Schlüssel sucht in einem Feld, etwa',
  },
}

export interface ListSearchProps
  extends Pick<SearchFieldProps, 'label' | 'value' | 'onChange' | 'keys' | 'description' | 'onKeyDown'> {}

/**
 * Renders the search field of a list with the console's syntax: words, `key:value` and `"quoted words"`, all of which
 * must match. `/` focuses it, Escape clears it.
 *
 * @example <ListSearch label="Search cues" {...search.field} />
 */
export function ListSearch(props: ListSearchProps) {
  const texts = useTexts(catalogues)
  const field = useRef<HTMLInputElement>(null)
  const focus = () => field.current?.focus()
  useHotkey('/', focus, { label: texts.focus })
  // On some keyboards the slash needs Shift.
  useHotkey('shift+/', focus)
  return (
    <SearchField
      inputRef={field}
      shortcut="/"
      maxLength={limits.searchMax}
      clearLabel={texts.clear}
      keysLabel={texts.keys}
      keysText={
        <p>
          {texts.keysText} <code>{`${props.keys?.[0] ?? ''}:"…"`}</code>
        </p>
      }
      {...props}
    />
  )
}
