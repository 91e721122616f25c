import { useApi, usePagedList } from '@pult/sdk'
import { projectEndpoints } from '@pult/sdk/api'
import { type AuditRow, type AuditSort, auditEndpoints } from '@pult/sdk/api/root'
import { useQuery } from '@tanstack/react-query'
import { type Filter, queryOf } from './audit-filter.ts'

const all = 'app-audit'

export function useEvents(filter: Filter, sort: AuditSort) {
  const call = useApi()
  return usePagedList<AuditRow>({
    queryKey: [all, 'events', filter, sort],
    isHeld: true,
    fetchPage: ({ after, signal, background }) =>
      call(auditEndpoints.list, {
        query: {
          ...queryOf(filter),
          ...(sort !== '-at' && { sort }),
          ...(after !== undefined && { after }),
        },
        signal,
        background,
      }),
  })
}

/** Polling interval in milliseconds. */
const newsEvery = 5000

/** Larger numbers are not shown exactly. */
export const newsCounted = 20

/**
 * Returns the number of matching events since the newest shown one, polled without extending the session. Without a
 * newest event, it counts all events.
 */
export function useNewsCount(filter: Filter, newest: AuditRow | undefined, enabled: boolean): number {
  const call = useApi()
  const { data = 0 } = useQuery({
    queryKey: [all, 'news', filter, newest?._id ?? null],
    queryFn: async ({ signal }) => {
      const { items } = await call(auditEndpoints.list, {
        query: {
          ...queryOf(filter),
          ...(newest !== undefined && { from: newest.at }),
          // The newest shown event is included.
          limit: String(newsCounted + 2),
        },
        signal,
        background: true,
      })
      const place = items.findIndex(({ _id }) => _id === newest?._id)
      return place === -1 ? items.length : place
    },
    enabled,
    refetchInterval: newsEvery,
    retry: false,
  })
  return data
}

/** The project's label, if the project still exists. */
export function useProjectLabel(projectId: string | null) {
  const call = useApi()
  const { data } = useQuery({
    queryKey: [all, 'project', projectId],
    queryFn: ({ signal }) => call(projectEndpoints.read, { params: { projectId: projectId ?? '' }, signal }),
    enabled: projectId !== null,
    retry: false,
  })
  return data?.label
}
