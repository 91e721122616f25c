import type { Fragment } from '@pult/contract'
import { queryClient } from '#platform/query-client.ts'
import { session } from '#platform/session.ts'
import { storage } from '#platform/storage.ts'
import { createStore } from '#platform/store.ts'
import { activeProjectQuery } from '../projects/projects.queries.ts'
import { fragmentsQuery } from './extensions.queries.ts'

// What was fetched ahead is not fetched again. A failure shows in the step's line at once, and whoever sees it decides
// about another try.
const once = { staleTime: 'static', retry: false } as const

/** `?safe-mode` starts without extensions, whatever one of them does. It lasts as long as the page. */
export const safeMode = createStore(new URLSearchParams(location.search).has('safe-mode'))

/**
 * What there is to load: the apps of the active project and, for root, those of root apps; an extension may bring both.
 * Asked once per page, unless it may have changed.
 */
export async function readFragments({ isStale = false } = {}): Promise<Fragment[]> {
  if (safeMode.get()) return []
  const how = isStale ? { staleTime: 0, retry: false } : once
  // Most often the project that was active is there still: the apps are asked for while that is found out.
  if (!isStale) for (const asked of likelyAsked()) queryClient.query({ ...asked, ...how }).catch(() => {})
  const project = await queryClient.query({ ...activeProjectQuery, ...once })
  const lists = await Promise.all([
    ...(project === null ? [] : [queryClient.query({ ...fragmentsQuery(project._id), ...how })]),
    ...(isRootSession() ? [queryClient.query({ ...fragmentsQuery(null), ...how })] : []),
  ])
  const byId = new Map<string, Fragment>()
  for (const fragment of lists.flat()) {
    const other = byId.get(fragment.id)
    byId.set(fragment.id, { ...fragment, apps: [...(other?.apps ?? []), ...fragment.apps] })
  }
  return [...byId.values()]
}

function likelyAsked() {
  const stored = storage.activeProjectId.read()
  return [
    ...(stored === null ? [] : [fragmentsQuery(stored)]),
    // Who has just signed in may be root: that is being asked at the same time.
    ...(session.get().status === 'unknown' || isRootSession() ? [fragmentsQuery(null)] : []),
  ]
}

const isRootSession = () => {
  const current = session.get()
  return current.status === 'signed-in' && current.credentials.isRoot
}
