import { oneAtATime, readAgain } from '@pult/sdk/host'
import { identityCalls } from './identity.ts'
import { queryClient } from './query-client.ts'
import { subscribe } from './realtime.ts'
import { identifySession, session } from './session.ts'

/** By topic, what is read again when it tells of a change. A room whose records are shown everywhere adds one line. */
const collections: Record<string, () => Promise<void>> = {
  projects: () => readAgain(queryClient, ['projects']),
  organisations: () => readAgain(queryClient, ['organisations']),
  me: async () => void (await Promise.all([readCredentials(), readAgain(queryClient, ['account'])])),
}

/**
 * Keeps what the server has told us as it is there. What somebody is typing is not part of that. Returns how to stop.
 */
export function followCollections(): () => void {
  const stops = Object.entries(collections).map(([topic, read]) => {
    const follow = oneAtATime(read)
    return subscribe(topic, ({ kind }) => {
      if (kind !== 'ended') follow()
    })
  })
  return () => {
    for (const stop of stops) stop()
  }
}

async function readCredentials(): Promise<void> {
  const before = session.get()
  if (before.status !== 'signed-in') return
  const credentials = await (await identityCalls.load()).readMe({ background: true })
  if (session.get() === before && credentials._id === before.credentials._id) identifySession(credentials)
}
