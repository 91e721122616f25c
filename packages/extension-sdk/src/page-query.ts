import { firstCharacters, limits } from '@pult/contract'
import { useLayoutEffect, useRef } from 'react'
import { useSearchParams } from 'react-router'

/**
 * Returns the query of the page's address, such as a search and filters, and a function that changes it. The query
 * survives reload and back navigation, and can be shared as a link. A change replaces the history entry; an empty text
 * removes its name. `search` is cut to the 200 characters that the server accepts.
 *
 * @example const [{ search = '' }, change] = usePageQuery(); change({ search: 'ada' })
 */
export function usePageQuery(): [
  query: Readonly<Record<string, string | undefined>>,
  change: (changes: Readonly<Record<string, string>>) => void,
] {
  const [params, setParams] = useSearchParams()
  // Changes may arrive faster than the page renders them, and no change may undo an earlier one. So the rendered value
  // counts only after all changes made here have been rendered.
  const latest = useRef(params)
  const awaited = useRef<string[]>([])
  useLayoutEffect(() => {
    const place = awaited.current.indexOf(params.toString())
    awaited.current = place < 0 ? [] : awaited.current.slice(place + 1)
    if (awaited.current.length === 0) latest.current = params
  }, [params])
  const change = (changes: Readonly<Record<string, string>>) => {
    const after = new URLSearchParams(latest.current)
    for (const [name, value] of Object.entries(changes)) {
      if (value === '') after.delete(name)
      else after.set(name, value)
    }
    if (after.toString() === latest.current.toString()) return
    latest.current = after
    awaited.current.push(after.toString())
    setParams(after, { replace: true })
  }
  const query: Record<string, string | undefined> = Object.fromEntries(params)
  const { search } = query
  return [
    search === undefined ? query : { ...query, search: firstCharacters(search, limits.searchMax) },
    change,
  ]
}
