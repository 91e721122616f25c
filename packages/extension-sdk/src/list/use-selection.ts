import { useState } from 'react'
import type { PagedListState } from '../paged-list.ts'

/** A record that a list selects by its id. */
interface Selectable {
  _id: string
}

/**
 * Returns the selected records of a paged list. Records stay selected while another page or filter is shown, so that an
 * action changes everything that has a tick.
 *
 * @param list Result of `usePagedList`.
 * @param isFiltered Set while the search or a filter hides records.
 * @example
 * const selection = useSelection(list, view.isFiltered)
 * <DataTable selected={selection.ids} onSelectedChange={selection.set} … />
 * <SelectionBar label={texts.selected(selection.items.length, selection.elsewhere)} onClear={selection.clear} … />
 */
export function useSelection<Item extends Selectable>(
  list: Pick<PagedListState<Item>, 'items' | 'isWaiting' | 'goBack' | 'goNext'>,
  isFiltered: boolean,
) {
  const { items: shown = [], isWaiting, goBack, goNext } = list
  const [chosen, setChosen] = useState<ReadonlyMap<string, Item>>(new Map())
  const places = new Map(shown.map((item) => [item._id, item]))
  // A record that the whole list does not have was deleted.
  const isWhole = list.items !== undefined && !isWaiting && !isFiltered && goBack === null && goNext === null
  const kept = [...chosen].flatMap(([id, known]): [string, Item][] => {
    const item = places.get(id) ?? (isWhole ? undefined : known)
    return item === undefined ? [] : [[id, item]]
  })
  if (kept.length < chosen.size || kept.some(([id, item]) => chosen.get(id) !== item))
    setChosen(new Map(kept))
  const add = (items: readonly Item[]) =>
    setChosen((before) => new Map([...before, ...items.map((item): [string, Item] => [item._id, item])]))
  return {
    /** The selected records. One that the page does not show is as it was last shown. */
    items: kept.map(([, item]) => item),
    /** Their ids. */
    ids: new Set(kept.map(([id]) => id)) as ReadonlySet<string>,
    /** Number of selected records that the page does not show. */
    elsewhere: kept.filter(([id]) => !places.has(id)).length,
    /** Selects exactly these records of the page and of those selected before. */
    set: (ids: ReadonlySet<string>) =>
      setChosen((before) => new Map([...before, ...places].filter(([id]) => ids.has(id)))),
    /** Selects these records in addition. */
    add,
    clear: () => setChosen(new Map()),
  }
}
