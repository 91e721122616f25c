import type { MediaItem } from '@pult/sdk/api'
import { useState } from 'react'

/** The selected media of the page. Media that leave the page are deselected. */
export function useSelection(items: readonly MediaItem[] | undefined) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const present = (items ?? []).filter(({ _id }) => chosen.has(_id))
  return {
    items: present,
    ids: chosen,
    set: setChosen,
    has: (id: string) => chosen.has(id),
    toggle: (id: string) =>
      setChosen((before) => {
        const after = new Set(before)
        if (!after.delete(id)) after.add(id)
        return after
      }),
    clear: () => setChosen(new Set()),
  }
}
export type Selection = ReturnType<typeof useSelection>
