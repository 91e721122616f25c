import { useSearchParams } from 'react-router'

/**
 * What stands behind the `?` of the page's address: a search, filters. It survives a reload and the way back, and can be
 * handed on as a link. A change replaces the entry of the history; an empty text takes a name out.
 *
 * @example const [{ search = '' }, change] = usePageQuery(); change({ search: 'ada' })
 */
export function usePageQuery(): [
  query: Readonly<Record<string, string | undefined>>,
  change: (changes: Readonly<Record<string, string>>) => void,
] {
  const [params, setParams] = useSearchParams()
  const change = (changes: Readonly<Record<string, string>>) =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before)
        for (const [name, value] of Object.entries(changes)) {
          if (value === '') after.delete(name)
          else after.set(name, value)
        }
        return after
      },
      { replace: true },
    )
  return [Object.fromEntries(params), change]
}
