import { limits } from '@pult/sdk/api'

/** What the page's address says of which events are shown: as it was entered. */
export interface Filter {
  search: string
  who: string
  /** An event's name, or the beginning of one. */
  what: string
  target: string
  result: string
  project: string
  /** `yyyy-MM-ddTHH:mm` in the browser's time zone. */
  from: string
  until: string
}

export const noFilter: Filter = {
  search: '',
  who: '',
  what: '',
  target: '',
  result: '',
  project: '',
  from: '',
  until: '',
}

export const filterOf = (query: Readonly<Record<string, string | undefined>>): Filter => ({
  ...noFilter,
  ...Object.fromEntries(Object.entries(query).filter(([name]) => name in noFilter)),
})

/** The same as the server's calls take it. */
export function queryOf({ search, who, what, target, result, project, from, until }: Filter): {
  search?: string
  from?: string
  until?: string
} {
  const terms = [
    ...termOf('actor', who),
    ...termOf('event', what),
    ...termOf('target', target),
    ...termOf('result', result),
    ...termOf('project', project),
    ...(search.trim() === '' ? [] : [search.trim()]),
  ]
  return {
    ...(terms.length > 0 && { search: terms.join(' ').slice(0, limits.searchMax) }),
    ...instantOf('from', from),
    ...instantOf('until', until),
  }
}

/** Quotes group words; there is no way to have one inside. */
function termOf(key: string, value: string): string[] {
  const cleaned = value.replaceAll('"', '').trim()
  return cleaned === '' ? [] : [`${key}:"${cleaned}"`]
}

function instantOf<Name extends string>(name: Name, local: string): Partial<Record<Name, string>> {
  const instant = new Date(local)
  return local === '' || Number.isNaN(instant.getTime())
    ? {}
    : ({ [name]: instant.toISOString() } as Partial<Record<Name, string>>)
}
