import type { EdgeJob } from '@pult/contract'
import { followTasks, isOpen, shareOf, type TaskList, taskListQuery } from '@pult/sdk/task-list'
import { QueryObserver } from '@tanstack/react-query'
import { api } from '#platform/api.ts'
import { endedShare, followOpenJobs, openJobsQuery, seesJobs } from '#platform/open-jobs/open-jobs.queries.ts'
import { queryClient } from '#platform/query-client.ts'
import { subscribe } from '#platform/realtime.ts'
import { session } from '#platform/session.ts'
import { activeProjectQuery } from '../projects/projects.queries.ts'
import { taskNoticeScope } from '../settings/settings.queries.ts'
import { createAnnouncer } from './announce.ts'
import { changesBetween } from './task-changes.ts'
import { noTasks, type TasksGlance, tasksGlance } from './tasks-glance.ts'

/**
 * Reads and follows the tasks of the active project and the jobs of its edges, and announces the changes of tasks that
 * the user chose. Returns a function that stops it.
 */
export function watchTasks(projectId: string): () => void {
  const query = taskListQuery(api, projectId)
  const announcer = createAnnouncer(() => queryClient.getQueryData(query.queryKey))
  const observer = new QueryObserver(queryClient, query)
  let before: TaskList | undefined
  let since = ''

  const jobs = watchJobs(projectId, () => show(glanceAt(before, jobs.open())))

  const stopFollowing = followTasks(queryClient, { call: api, subscribe }, projectId)
  const stopObserving = observer.subscribe(({ data }) => {
    if (data === undefined || data === before) return
    show(glanceAt(data, jobs.open()))
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
    jobs.stop()
    announcer.stop()
    tasksGlance.set(noTasks)
  }
}

/** Follows the unfinished jobs, if the user may see them. */
function watchJobs(projectId: string, onChange: () => void) {
  const now = session.get()
  const project = queryClient.getQueryData(activeProjectQuery.queryKey) ?? null
  if (now.status !== 'signed-in' || !seesJobs(project, now.credentials))
    return { open: () => [], stop: () => {} }
  const observer = new QueryObserver(queryClient, openJobsQuery(projectId))
  const stops = [observer.subscribe(onChange), followOpenJobs(projectId)]
  return {
    open: () => observer.getCurrentResult().data?.items ?? [],
    stop: () => {
      for (const stop of stops) stop()
    },
  }
}

function glanceAt(tasks: TaskList | undefined, jobs: readonly EdgeJob[]): TasksGlance {
  const open = [...(tasks?.byId.values() ?? [])].filter(isOpen)
  const running = open.length + jobs.length
  const shares = [...open.map(shareOf), ...jobs.map(endedShare)].filter((share) => share !== null)
  const sum = shares.reduce((total, share) => total + share, 0)
  return { running, percent: shares.length === 0 ? null : Math.round((100 * sum) / running) }
}

/** Updates the store only if the summary has changed, so that the header does not render on every report. */
function show(glance: TasksGlance): void {
  const { running, percent } = tasksGlance.get()
  if (glance.running !== running || glance.percent !== percent) tasksGlance.set(glance)
}
