/** The event filters in the page's address, as entered. */
export interface Filter {
  search: string
  who: string
  /** An event's name or its beginning. */
  what: string
  target: string
  result: string
  /** Differs from `project`, which names the active project in every address. */
  inProject: string
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
  inProject: '',
  from: '',
  until: '',
}

/** The filters of the list's view; null without a choice. */
export const filterOf = (chosen: { [Name in keyof Filter]: string | null }): Filter => ({
  ...noFilter,
  ...Object.fromEntries(Object.entries(chosen).map(([name, value]) => [name, value ?? ''])),
})

/** Returns the filters in the server's format. The server rejects filters that are too long. */
export function queryOf({ search, who, what, target, result, inProject, from, until }: Filter): {
  search?: string
  from?: string
  until?: string
} {
  const terms = [
    ...termOf('actor', who),
    ...termOf('event', what),
    ...termOf('target', target),
    ...termOf('result', result),
    ...termOf('project', inProject),
    ...(search.trim() === '' ? [] : [search.trim()]),
  ]
  return {
    ...(terms.length > 0 && { search: terms.join(' ') }),
    ...instantOf('from', from),
    ...instantOf('until', until),
  }
}

/** Quotes a text, because quotes group words. Quotation marks inside a group are not possible. */
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
