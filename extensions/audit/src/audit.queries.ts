import { useApi, usePagedList } from '@pult/sdk'
import { type AuditRow, auditEndpoints, projectEndpoints } from '@pult/sdk/api'
import { useQuery } from '@tanstack/react-query'
import { type Filter, queryOf } from './audit-filter.ts'

const all = 'app-audit'

export function useEvents(filter: Filter) {
  const call = useApi()
  return usePagedList<AuditRow>({
    queryKey: [all, 'events', filter],
    isHeld: true,
    fetchPage: ({ after, signal, background }) =>
      call(auditEndpoints.list, {
        query: { ...queryOf(filter), ...(after !== undefined && { after }) },
        signal,
        background,
      }),
  })
}

/** Milliseconds. */
const newsEvery = 5000

/** Above it the number says nothing more. */
export const newsCounted = 20

/**
 * How many events that match have come since the newest one that is shown: asked for now and then, which is no use of the
 * session. Undefined for none shown counts from the beginning.
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
          // The newest itself is among them.
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

/** What a project is called, as long as it is there. */
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
