import { type Task, taskEndpoints } from '@pult/contract'
import { type QueryState, useQuery } from '@tanstack/react-query'
import type { Call } from '../call.ts'
import { readingOf } from '../data/call-query.ts'
import { keyOf } from '../data/query-key.ts'
import { useConsoleHost } from '../host.ts'

/** Milliseconds before its expiry at which a link is renewed. */
const renewBefore = 120_000
/** Age in milliseconds at which a link is renewed. A link is valid for at least ten minutes (DEC-49). */
const renewAfter = 600_000 - renewBefore

type LinkState = Pick<QueryState<string | null>, 'data' | 'dataUpdatedAt' | 'dataUpdateCount'>

/**
 * Returns the milliseconds until a link must be renewed. The age decides, because the browser's clock may differ from
 * the server's. The age of a link from a list is unknown, so its expiry time counts as well.
 */
function msToRenewal({ data: url, dataUpdatedAt, dataUpdateCount }: LinkState): number {
  if (url === null) return Number.POSITIVE_INFINITY
  const byAge = dataUpdatedAt + renewAfter - Date.now()
  if (dataUpdateCount > 0) return byAge
  const until = Number(new URLSearchParams(url?.split('?')[1]).get('until'))
  return Math.min(byAge, until * 1000 - Date.now() - renewBefore)
}

const paramsOf = ({ project: projectId, _id: taskId }: Task) => ({ projectId, taskId })

const readFileUrl = async (call: Call, task: Task, how: Partial<ReturnType<typeof readingOf>> = {}) =>
  (await call(taskEndpoints.read, { ...how, params: paramsOf(task) })).state.fileUrl ?? null

/**
 * Returns a link to the file of a task, for the `href` of an anchor. The link is renewed before it expires while the
 * component is mounted. Undefined while the link is unknown, and if the user may not read the file.
 */
export function useResultLink(task: Task): string | undefined {
  const { call } = useConsoleHost()
  const { fileUrl, fileName } = task.state
  const { data } = useQuery({
    queryKey: [...keyOf(taskEndpoints.read, { params: paramsOf(task) }), 'file'],
    queryFn: (context) => readFileUrl(call, task, readingOf(context)),
    enabled: fileName !== undefined,
    initialData: fileUrl,
    staleTime: ({ state }) => Date.now() - state.dataUpdatedAt + msToRenewal(state),
    refetchInterval: ({ state }) => {
      const left = msToRenewal(state)
      return Number.isFinite(left) && Math.max(left, 10_000)
    },
  })
  return data ?? undefined
}

/** Saves the file of a task, with a new link. */
export async function downloadResult(call: Call, task: Task): Promise<void> {
  const url = await readFileUrl(call, task)
  if (url === null) return
  const link = document.createElement('a')
  link.href = url
  link.download = task.state.fileName ?? ''
  link.rel = 'noreferrer'
  link.click()
}
