import { followTasks, isOpen, shareOf, type TaskList, taskListQuery } from '@pult/sdk/task-list'
import { QueryObserver } from '@tanstack/react-query'
import { api } from '#platform/api.ts'
import { queryClient } from '#platform/query-client.ts'
import { subscribe } from '#platform/realtime.ts'
import { session } from '#platform/session.ts'
import { taskNoticeScope } from '../settings/settings.queries.ts'
import { createAnnouncer } from './announce.ts'
import { changesBetween } from './task-changes.ts'
import { noTasks, type TasksGlance, tasksGlance } from './tasks-glance.ts'

/**
 * Reads and follows the tasks of the active project, and announces the changes that the user chose. Returns a
 * function that stops it.
 */
export function watchTasks(projectId: string): () => void {
  const query = taskListQuery(api, projectId)
  const announcer = createAnnouncer(() => queryClient.getQueryData(query.queryKey))
  const observer = new QueryObserver(queryClient, query)
  let before: TaskList | undefined
  let since = ''

  const stopFollowing = followTasks(queryClient, { call: api, subscribe }, projectId)
  const stopObserving = observer.subscribe(({ data }) => {
    if (data === undefined || data === before) return
    show(glanceAt(data))
    const now = session.get()
    const scope = taskNoticeScope()
    // Tasks that had started or ended before the page opened are not announced.
    if (before === undefined) since = data.ids[0] ?? ''
    else if (now.status === 'signed-in' && scope !== 'off') {
      const personId = scope === 'mine' ? now.credentials._id : null
      announcer.add(changesBetween(before, data, { personId, since }))
    }
    before = data
  })
  return () => {
    stopObserving()
    stopFollowing()
    announcer.stop()
    tasksGlance.set(noTasks)
  }
}

function glanceAt({ byId }: TaskList): TasksGlance {
  let running = 0
  let shares: number | null = null
  for (const task of byId.values()) {
    if (!isOpen(task)) continue
    running += 1
    const share = shareOf(task)
    if (share !== null) shares = (shares ?? 0) + share
  }
  return { running, percent: shares === null ? null : Math.round((100 * shares) / running) }
}

/** Updates the store only if the summary has changed, so that the header does not render on every report. */
function show(glance: TasksGlance): void {
  const { running, percent } = tasksGlance.get()
  if (glance.running !== running || glance.percent !== percent) tasksGlance.set(glance)
}
