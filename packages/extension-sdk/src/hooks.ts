import type { Credentials, Project } from '@pult/contract'
import { useEffect, useMemo, useRef, useState } from 'react'
import { backendOf } from './backend.ts'
import type { Call } from './call.ts'
import { type TopicNews, useAppHost, useConsoleHost } from './host.ts'
import type { Notification } from './notification.ts'

/**
 * Returns the active project. It stays the same while the app is open.
 *
 * @example const { _id, label } = useProject()
 * @throws in a root app, which has no project: see {@link useProjectIfAny}.
 */
export function useProject(): Project {
  const { project, app } = useAppHost()
  if (project === null) throw new Error(`The app ${app.id} has no project`)
  return project
}

/**
 * Returns the active project, or null in a root app.
 *
 * @example const place = useProjectIfAny()?.label ?? 'all projects'
 */
export function useProjectIfAny(): Project | null {
  return useAppHost().project
}

/**
 * Returns the signed-in user.
 *
 * @example const { firstname, isRoot } = useCredentials()
 */
export function useCredentials(): Credentials {
  return useConsoleHost().credentials
}

/**
 * Returns whether the user holds a role in the active project: `reports`, or `reports:export` for one of its parts.
 * Root and the project's owner hold every role. Use it only for display; the server checks every call.
 *
 * @example const mayExport = useRole('reports:export')
 */
export function useRole(role: string): boolean {
  return useAppHost().hasRole(role)
}

/**
 * Returns the user's roles in the active project, in the form that {@link useRole} expects: `['reports',
 * 'reports:export']`. Root and the project's owner hold every role, even those that are not listed.
 *
 * @example const roles = useScope()
 */
export function useScope(): readonly string[] {
  const { project, credentials } = useAppHost()
  const { scope } = credentials
  const own = project === null ? null : `p-${project._id}/r-`
  return useMemo(
    () =>
      own === null
        ? []
        : scope.filter((entry) => entry.startsWith(own)).map((entry) => entry.slice(own.length)),
    [scope, own],
  )
}

/**
 * Returns a function that calls the server's API by its endpoints. Inside a query of `@tanstack/react-query` pass
 * {@link callOf}, so that the call can be cancelled and background refetches do not count as use of the session.
 *
 * @example const call = useApi(); await call(projectEndpoints.update, { params: { projectId }, body: { label } })
 * @example useQuery({ queryKey, queryFn: (context) => call(projectEndpoints.list, callOf(context)) })
 * @throws {ApiError} with a `code` that the endpoint declares, and a `message` for users.
 */
export function useApi(): Call {
  return useConsoleHost().call
}

/**
 * Returns a function that calls the app's own service, which the server proxies at `/api/apps/{appId}`. Declare the
 * endpoints with `endpoint()` and `z` of `@pult/sdk/api`; their paths are relative to that address. The service
 * receives the id of the active project.
 *
 * @example
 * const report = endpoint('GET', '/reports/:name', { summary: 'One report.', reply: z.object({ rows: z.number() }) })
 * const backend = useBackend()
 * const { rows } = await backend(report, { params: { name: 'today' } })
 * @throws {ApiError} BACKEND_MISSING, BACKEND_UNREACHABLE, BACKEND_TIMED_OUT, or a `code` of the service itself.
 */
export function useBackend(): Call {
  const { app, project, call } = useAppHost()
  const projectId = project?._id ?? null
  return useMemo(() => backendOf(call, app.id, projectId), [call, app.id, projectId])
}

/**
 * Returns a function that shows short messages at the edge of the console. They disappear automatically.
 *
 * @example const notify = useNotify(); notify({ title: 'Report sent', tone: 'success' })
 * @example notify({ title: 'Sending the report failed', error })
 */
export function useNotify(): (notification: Notification) => void {
  return useConsoleHost().notify
}

/**
 * Adds to the title of the browser tab while the calling component is mounted. Inner titles precede outer ones.
 *
 * @example usePageTitle('Reports')
 */
export function usePageTitle(title: string): void {
  const { claimTitle } = useConsoleHost()
  const [show] = useState(claimTitle)
  useEffect(() => show(title), [show, title])
}

/**
 * Subscribes to a topic of the contract while the calling component is mounted, across reconnects. Null subscribes to
 * no topic.
 *
 * @example useTopic(`/projects/${projectId}/notes`, (news) => news.kind === 'event' && show(news.data))
 */
export function useTopic(topic: string | null, listener: (news: TopicNews) => void): void {
  const { subscribe } = useConsoleHost()
  const latest = useRef(listener)
  useEffect(() => {
    latest.current = listener
  })
  useEffect(() => {
    if (topic !== null) return subscribe(topic, (news) => latest.current(news))
  }, [subscribe, topic])
}

/**
 * Returns a function that loads a page of the console as a new document, for changes of what the console has loaded, such
 * as a deleted project. Without a path, it reloads the page. Use it instead of `location`: where the browser blocks site
 * data, `location` ends the session.
 *
 * @example const openDocument = useOpenDocument(); openDocument('/')
 */
export function useOpenDocument(): (href?: string) => void {
  return useConsoleHost().openDocument
}

/**
 * Returns the language of the console as a BCP 47 tag: `de`.
 *
 * @example new Intl.ListFormat(useLocale()).format(names)
 */
export function useLocale(): string {
  return useConsoleHost().locale
}
