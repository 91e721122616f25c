import { projectEndpoints } from '@pult/contract'
import { followLive, oneAtATime, type Touched } from '@pult/sdk/host'
import { identityCalls } from './identity.ts'
import { isWorthRepeating, queryClient } from './query-client.ts'
import { connection, subscribe } from './realtime.ts'
import { identifySession, session } from './session.ts'

/**
 * What each topic's events make stale. A room whose records appear on every page adds one line. Every page loads this
 * file, so rooms that not every page loads are named by path.
 */
export const collections: Readonly<Record<string, readonly Touched[]>> = {
  // Not all that is below a project, which has other topics.
  projects: [projectEndpoints.list, projectEndpoints.read, '/overview', '/orgs/:orgId/overview'],
  organisations: ['/orgs'],
  // The settings of an extension that was removed or switched off leave the page.
  extensions: ['/me/extension-settings'],
  me: ['/me/account'],
}

/** Keeps cached server data up to date. Unsaved input is not part of it. Returns a function that stops it. */
export function followCollections(): () => void {
  const identify = oneAtATime(readCredentials)
  const stops = Object.entries(collections).map(([topic, touches]) =>
    followLive({ client: queryClient, subscribe }, [topic], { touches }),
  )
  stops.push(
    subscribe('me', ({ kind }) => kind !== 'ended' && identify()),
    connection.subscribe(() => connection.get() === 'ready' && void refetchFailed()),
  )
  return () => {
    for (const stop of stops) stop()
  }
}

/** Refetches active queries that failed while the server was unreachable. */
const refetchFailed = () =>
  queryClient.refetchQueries({
    type: 'active',
    predicate: ({ state }) => state.status === 'error' && isWorthRepeating(state.error),
  })

async function readCredentials(): Promise<void> {
  const before = session.get()
  if (before.status !== 'signed-in') return
  const credentials = await (await identityCalls.load()).readMe({ background: true })
  if (session.get() === before) identifySession(credentials)
}
