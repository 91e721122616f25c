import { limits } from '@pult/contract'
import { useLayoutEffect, useRef } from 'react'
import { useSearchParams } from 'react-router'

/**
 * What stands behind the `?` of the page's address: a search, filters. It survives a reload and the way back, and can be
 * handed on as a link. A change replaces the entry of the history; an empty text takes a name out. Of a `search` counts
 * what the server accepts, its first 200 characters.
 *
 * @example const [{ search = '' }, change] = usePageQuery(); change({ search: 'ada' })
 */
export function usePageQuery(): [
  query: Readonly<Record<string, string | undefined>>,
  change: (changes: Readonly<Record<string, string>>) => void,
] {
  const [params, setParams] = useSearchParams()
  // Changes may come faster than the page is rendered with them, and none must undo one before it: what is rendered
  // counts once every change that was made here has been.
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
  return [search === undefined ? query : { ...query, search: search.slice(0, limits.searchMax) }, change]
}
