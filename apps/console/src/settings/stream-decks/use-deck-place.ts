import { limits } from '@pult/contract'
import { usePageQuery } from '@pult/sdk'
import { type DeckModel, findModel, keyCount } from './deck-models.ts'

/** The selected slot and key, stored in the URL so that they survive a reload. */
export interface DeckPlace {
  slot: number
  model: DeckModel
  /** The key being edited. */
  key: number | null
  /** True while keys are pressed instead of edited. */
  isUsed: boolean
  go: (more: { slot?: number; model?: string; key?: number; mode?: 'use' | 'edit' }) => void
}

export function useDeckPlace(): DeckPlace {
  const [query, change] = usePageQuery()
  const model = findModel(query['model'])
  return {
    slot: numberIn(query['slot'], limits.deckSlots) ?? 0,
    model,
    key: numberIn(query['key'], keyCount(model)),
    isUsed: query['mode'] === 'use',
    go: (more) =>
      change(Object.fromEntries(Object.entries(more).map(([name, value]) => [name, String(value)]))),
  }
}

function numberIn(text: string | undefined, end: number): number | null {
  return text !== undefined && /^\d+$/.test(text) && Number(text) < end ? Number(text) : null
}
