import type { MediaItem } from '@pult/sdk/api'
import { useState } from 'react'

/** The media of the page that somebody has chosen. What leaves the page is not chosen any more. */
export function useSelection(items: readonly MediaItem[] | undefined) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const present = (items ?? []).filter(({ _id }) => chosen.has(_id))
  return {
    items: present,
    has: (id: string) => chosen.has(id),
    toggle: (id: string) =>
      setChosen((before) => {
        const after = new Set(before)
        if (!after.delete(id)) after.add(id)
        return after
      }),
    only: (id: string) => setChosen(new Set([id])),
    clear: () => setChosen(new Set()),
  }
}
export type Selection = ReturnType<typeof useSelection>
