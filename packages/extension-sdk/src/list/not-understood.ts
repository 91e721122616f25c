/** The values that a parameter of an address may have: a list of them, any text, or those that a function accepts. */
export type ParameterValues = readonly string[] | 'text' | ((value: string) => boolean)

/** A parameter of the page's address with a value that the page does not understand. */
export interface NotUnderstood {
  name: string
  value: string
}

/**
 * Returns the parameters of a page's address whose values the page does not understand. A page must not drop them: without
 * its filter, a list shows other records than the link means. See {@link NotUnderstoodNote}.
 *
 * @example notUnderstoodIn(query, { state: ['open', 'failed'], sort: ['newest', 'oldest'] })
 */
export function notUnderstoodIn(
  query: Readonly<Record<string, string | undefined>>,
  known: Readonly<Record<string, ParameterValues>>,
): NotUnderstood[] {
  return Object.entries(known).flatMap(([name, values]) => {
    const value = query[name]
    return value === undefined || isUnderstood(value, values) ? [] : [{ name, value }]
  })
}

function isUnderstood(value: string, values: ParameterValues): boolean {
  if (values === 'text') return true
  return typeof values === 'function' ? values(value) : values.includes(value)
}
