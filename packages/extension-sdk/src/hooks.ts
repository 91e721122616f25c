import type { Credentials, Endpoint, Project, ReplyOf } from '@pult/contract'
import { useEffect } from 'react'
import { type CallInput, type Notification, useAppHost } from './host.ts'

/**
 * The active project, which the person works on. It stays the same while the app is open.
 *
 * @throws in a root app, which has none: see {@link useProjectIfAny}.
 */
export function useProject(): Project {
  const { project, app } = useAppHost()
  if (project === null) throw new Error(`The app ${app.id} has no project`)
  return project
}

/** The active project; null in a root app. */
export function useProjectIfAny(): Project | null {
  return useAppHost().project
}

/** Who is signed in. */
export function useCredentials(): Credentials {
  return useAppHost().credentials
}

/**
 * Whether the person has a role in the active project: `reports`, or `reports:export` of one of its parts. Root and the
 * project's owner have every role. For what is shown; the server checks every call itself.
 */
export function useRole(role: string): boolean {
  return useAppHost().hasRole(role)
}

/**
 * Calls the server's API by its endpoints.
 *
 * @example const call = useApi(); await call(projectEndpoints.update, { params: { projectId }, body: { label } })
 * @throws an error with a `code` as the endpoint declares it, and a `message` for people.
 */
export function useApi(): <E extends Endpoint>(endpoint: E, input?: CallInput<E>) => Promise<ReplyOf<E>> {
  const { call } = useAppHost()
  return (endpoint, input) => call(endpoint, input ?? {})
}

/** Shows short messages at the edge of the console, which leave by themselves. */
export function useNotify(): (notification: Notification) => void {
  return useAppHost().notify
}

/** Adds to the title of the browser's tab while the calling component is mounted. */
export function usePageTitle(title: string): void {
  const { pushTitle } = useAppHost()
  useEffect(() => pushTitle(title), [pushTitle, title])
}

/** The language of the console, as BCP 47: `de`. */
export function useLocale(): string {
  return useAppHost().locale
}
