import type { Fragment } from '@pult/contract'
import { isReadSinceOpening } from '@pult/sdk/host'
import { queryClient } from '#platform/query-client.ts'
import { session } from '#platform/session.ts'
import { createStore } from '#platform/store.ts'
import { activeProjectQuery } from '../projects/projects.queries.ts'
import { fragmentsQuery } from './extensions.queries.ts'

// A prefetched answer is not fetched again. The step's line shows a failure immediately and offers a retry.
const once = { staleTime: 'static', retry: false } as const

/** `?safe-mode` starts with bundled extensions only (DEC-24). It applies until the page is reloaded. */
export const safeMode = createStore(new URLSearchParams(location.search).has('safe-mode'))

/** The replies of the last {@link readFragments}. The cache drops them, and can have later ones of another reader. */
let lastRead: readonly Fragment[][] = []

/** Returns whether the extensions were read since a topic was opened at a position. */
export const areFragmentsReadSince = (at: string | undefined): boolean =>
  lastRead.length > 0 && lastRead.every((fragments) => isReadSinceOpening(fragments, at))

/**
 * Reads the extensions to load: those with apps of the active project and, for root, those with root apps. Read once
 * per page unless stale.
 */
export async function readFragments({ isStale = false } = {}): Promise<Fragment[]> {
  const how = isStale ? { staleTime: 0, retry: false } : once
  const project = await queryClient.query({ ...activeProjectQuery, ...once })
  const lists = await Promise.all([
    ...(project === null ? [] : [queryClient.query({ ...fragmentsQuery(project._id), ...how })]),
    ...(isRootSession() ? [queryClient.query({ ...fragmentsQuery(null), ...how })] : []),
  ])
  lastRead = lists
  const byId = new Map<string, Fragment>()
  for (const fragment of lists.flat()) {
    const other = byId.get(fragment.id)
    byId.set(fragment.id, { ...fragment, apps: [...(other?.apps ?? []), ...fragment.apps] })
  }
  return [...byId.values()].filter(({ isBundled }) => isBundled || !safeMode.get())
}

const isRootSession = () => {
  const current = session.get()
  return current.status === 'signed-in' && current.credentials.isRoot
}
