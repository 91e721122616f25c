import { oneAtATime, readAgain, refetchOn } from '@pult/sdk/host'
import { identityCalls } from './identity.ts'
import { isWorthRepeating, queryClient } from './query-client.ts'
import { connection, subscribe } from './realtime.ts'
import { identifySession, session } from './session.ts'
import type { TopicListener } from './topics.ts'

/** The queries that each topic's events refetch. A room whose records appear on every page adds one line. */
const collections: Record<string, TopicListener> = {
  projects: refetchOn(queryClient, ['projects']),
  organisations: refetchOn(queryClient, ['organisations']),
  // The settings of an extension that was removed or switched off leave the page.
  extensions: refetchOn(queryClient, ['settings', 'apps']),
  me: oneAtATime(
    async () => void (await Promise.all([readCredentials(), readAgain(queryClient, ['account'])])),
  ),
}

/** Keeps cached server data up to date. Unsaved input is not part of it. Returns a function that stops it. */
export function followCollections(): () => void {
  const stops = Object.entries(collections).map(([topic, follow]) =>
    subscribe(topic, (news) => {
      if (news.kind !== 'ended') follow(news)
    }),
  )
  stops.push(connection.subscribe(() => connection.get() === 'ready' && void refetchFailed()))
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
