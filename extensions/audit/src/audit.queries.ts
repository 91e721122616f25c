import { useCall, usePages } from '@pult/sdk'
import { type AuditRow, type AuditSort, auditEndpoints } from '@pult/sdk/api/root'
import { type Filter, queryOf } from './audit-filter.ts'

export const useEvents = (filter: Filter, sort: AuditSort) =>
  usePages(
    auditEndpoints.list,
    { query: { ...queryOf(filter), sort: sort === '-at' ? undefined : sort } },
    { isHeld: true },
  )

/** Polling interval in milliseconds. */
const newsEvery = 5000

/** Larger numbers are not shown exactly. */
export const newsCounted = 20

/**
 * Returns the number of matching events since the newest shown one, polled without extending the session. Without a
 * newest event, it counts all events.
 */
export function useNewsCount(filter: Filter, newest: AuditRow | undefined): number {
  // The newest shown event is included.
  const query = { ...queryOf(filter), ...(newest && { from: newest.at }), limit: String(newsCounted + 2) }
  const { data = 0 } = useCall(
    auditEndpoints.list,
    { query },
    {
      every: newsEvery,
      retry: false,
      select: ({ items }) => {
        const place = items.findIndex(({ _id }) => _id === newest?._id)
        return place === -1 ? items.length : place
      },
    },
  )
  return data
}
