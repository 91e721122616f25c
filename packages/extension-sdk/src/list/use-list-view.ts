import type { DataTableSettings } from '@pult/ui'
import { useState } from 'react'
import { useTypedValue } from '../forms/use-typed-value.ts'
import { usePageQuery } from '../page-query.ts'
import { notUnderstoodIn, type ParameterValues } from './not-understood.ts'

/**
 * The filters of a list by their names in the address, with their known values, `text` for any value, or a function that
 * returns whether it understands a value.
 */
export type ListFilters = Readonly<Record<string, ParameterValues>>

/** The chosen value of each filter; null without a choice. */
export type ChosenFilters<Filters extends ListFilters> = {
  [Name in keyof Filters]: (Filters[Name] extends readonly (infer Value)[] ? Value : string) | null
}

export interface ListViewOptions<Sort extends string, Filters extends ListFilters> {
  /** The orders of the list: the id of a column for ascending, with a leading `-` for descending. */
  sorts: readonly Sort[]
  /** The default order, which the address omits. */
  usualSort: Sort
  /** The view reports other values in the address as not understood. */
  filters: Filters
}

/**
 * Returns the view of a list that is stored in the page's address: search, filters, order and hidden columns. Reload,
 * back navigation and shared links restore it. Widths of columns are lost when the page closes.
 *
 * @example
 * const view = useListView({ sorts: ['label', '-label'], usualSort: 'label', filters: { state: ['armed', 'idle'] } })
 * <DataTable settings={view.settings} onSettingsChange={view.setSettings} … />
 */
export function useListView<Sort extends string, const Filters extends ListFilters>({
  sorts,
  usualSort,
  filters,
}: ListViewOptions<Sort, Filters>) {
  const [query, changeQuery] = usePageQuery()
  const { search = '', hide = '' } = query
  const [typed, setTyped] = useTypedValue(search, (text) => changeQuery({ search: text }))
  const [widths, setWidths] = useState<DataTableSettings['widths']>()
  const sort = sorts.find((one) => one === query['sort']) ?? usualSort
  const chosen = Object.fromEntries(
    Object.entries(filters).map(([name, known]) => {
      const isUnderstood = notUnderstoodIn(query, { [name]: known }).length === 0
      return [name, isUnderstood ? (query[name] ?? null) : null]
    }),
  )
  const parameters = notUnderstoodIn(query, { sort: sorts, ...filters })
  const setSort = (next: Sort) => changeQuery({ sort: next === usualSort ? '' : next })
  return {
    /** The debounced search, for the request. */
    search,
    /** The text of the search field. */
    typed,
    setTyped,
    filters: chosen as ChosenFilters<Filters>,
    setFilters: (changes: Partial<ChosenFilters<Filters>>) =>
      changeQuery(Object.fromEntries(Object.entries(changes).map(([name, value]) => [name, value ?? '']))),
    sort,
    /** Changes the order of a list without column headers. */
    setSort,
    settings: {
      sort: { column: sort.replace('-', ''), direction: sort.startsWith('-') ? 'descending' : 'ascending' },
      hidden: hide === '' ? [] : hide.split(','),
      widths,
    } satisfies DataTableSettings as DataTableSettings,
    setSettings: ({ sort: order, hidden, widths: changed }: DataTableSettings) => {
      setWidths(changed)
      const next =
        order === undefined ? usualSort : `${order.direction === 'descending' ? '-' : ''}${order.column}`
      changeQuery({ sort: next === usualSort ? '' : next, hide: hidden?.join(',') ?? '' })
    },
    /** For `ListFrame`: the parts of the address that the list does not understand. */
    notUnderstood: {
      parameters,
      onRemove: () => changeQuery(Object.fromEntries(parameters.map(({ name }) => [name, '']))),
    },
    isFiltered: search !== '' || Object.values(chosen).some((value) => value !== null),
    clear: () => {
      setTyped('')
      changeQuery({ search: '', ...Object.fromEntries(Object.keys(filters).map((name) => [name, ''])) })
    },
  }
}
