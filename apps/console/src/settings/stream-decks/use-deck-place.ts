import { limits } from '@pult/contract'
import { useSearchParams } from 'react-router'
import { type DeckModel, findModel, keyCount } from './deck-models.ts'

/** What of the decks is on screen: it stands in the address, so that it is there again after a reload. */
export interface DeckPlace {
  slot: number
  model: DeckModel
  /** The key that is edited. */
  key: number | null
  /** Keys are pressed instead of edited. */
  isUsed: boolean
  go: (more: { slot?: number; model?: string; key?: number; mode?: 'use' | 'edit' }) => void
}

export function useDeckPlace(): DeckPlace {
  const [search, setSearch] = useSearchParams()
  const model = findModel(search.get('model'))
  return {
    slot: numberIn(search.get('slot'), limits.deckSlots) ?? 0,
    model,
    key: numberIn(search.get('key'), keyCount(model)),
    isUsed: search.get('mode') === 'use',
    go: (more) =>
      setSearch(
        (before) => {
          const after = new URLSearchParams(before)
          for (const [name, value] of Object.entries(more)) after.set(name, String(value))
          return after
        },
        { replace: true, preventScrollReset: true },
      ),
  }
}

function numberIn(text: string | null, end: number): number | null {
  return text !== null && /^\d+$/.test(text) && Number(text) < end ? Number(text) : null
}
