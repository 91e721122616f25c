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

/** Returns whether a text is a time as the fields write it: an existing minute of the years 1 to 9999. */
export function isLocalTime(text: string): boolean {
  const minute = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?=$|:\d\d(?:\.\d{1,3})?$)/.exec(text)?.[0]
  // A date that does not exist becomes another one: 31 February is in March.
  const [asUtc, local] = [new Date(`${minute}Z`), new Date(text)]
  return (
    minute !== undefined &&
    !Number.isNaN(local.getTime()) &&
    !Number.isNaN(asUtc.getTime()) &&
    asUtc.toISOString().startsWith(minute) &&
    !minute.startsWith('0000')
  )
}

/** Takes only times that {@link isLocalTime} accepts. */
function instantOf<Name extends string>(name: Name, local: string): Partial<Record<Name, string>> {
  return local === '' ? {} : ({ [name]: new Date(local).toISOString() } as Partial<Record<Name, string>>)
}
