import type { Endpoint } from '@pult/contract'
import type { QueryKey } from '@tanstack/react-query'

/** Which record or list a call reads. */
export interface Place {
  params?: Record<string, string> | undefined
  query?: object | undefined
}

/**
 * Names the data that a change or an event makes stale: everything below a path of the API, or the replies of one
 * endpoint.
 *
 * @example '/orgs' // the organisations, their members and their invitations
 * @example projectEndpoints.list // the pages of the list, but nothing of a project
 */
export type Touched = string | Endpoint

/**
 * Returns the key under which the reply of a call is cached: the segments of its path, and the query without missing
 * and empty values. Calls for the same data have the same key wherever they are made.
 *
 * @example keyOf(edgeEndpoints.read, { params: { projectId, edgeId } }) // ['projects', projectId, 'edges', edgeId, {}]
 */
export const keyOf = ({ path }: Pick<Endpoint, 'path'>, { params = {}, query }: Place = {}): QueryKey => [
  ...segmentsOf(path).map((segment) =>
    segment.startsWith(':') ? (params[segment.slice(1)] ?? '') : segment,
  ),
  queryOf(query),
]

/** Returns a query without missing and empty values, which the server would refuse or treat like missing ones. */
export const queryOf = (query: object = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined && value !== ''))

/** Returns whether a change of this data makes the reply under a key stale. */
export function isTouched(key: QueryKey, touched: Touched): boolean {
  const places = segmentsOf(typeof touched === 'string' ? touched : touched.path)
  if (typeof touched !== 'string' && typeof key[places.length] !== 'object') return false
  return places.every(
    (place, at) => typeof key[at] === 'string' && (place.startsWith(':') || place === key[at]),
  )
}

const segmentsOf = (path: string): string[] => path.split('/').filter((segment) => segment !== '')
