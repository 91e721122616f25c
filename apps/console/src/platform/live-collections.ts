import { identityCalls } from './identity.ts'
import { queryClient } from './query-client.ts'
import { subscribe } from './realtime.ts'
import { identifySession, session } from './session.ts'

/** By topic, what is read again when it tells of a change. A room whose records are shown everywhere adds one line. */
const collections: Record<string, () => Promise<void>> = {
  projects: () => invalidate('projects'),
  organisations: () => invalidate('organisations'),
  me: async () => void (await Promise.all([readCredentials(), invalidate('account')])),
}

/** Keeps what the server has told us as it is there. What somebody is typing is not part of that. */
export function followCollections(): void {
  for (const [topic, readAgain] of Object.entries(collections)) {
    const follow = oneAtATime(readAgain)
    subscribe(topic, ({ kind }) => {
      if (kind !== 'ended') follow()
    })
  }
}

async function invalidate(room: string): Promise<void> {
  const filter = { queryKey: [room] }
  // What is on its way may be from before the change, and would count as fresh when it arrives.
  const onTheirWay = queryClient.getQueryCache().findAll({ ...filter, fetchStatus: 'fetching' })
  await Promise.allSettled(onTheirWay.map(async ({ promise }) => promise))
  await queryClient.invalidateQueries(filter)
}

async function readCredentials(): Promise<void> {
  const before = session.get()
  if (before.status !== 'signed-in') return
  const credentials = await (await identityCalls.load()).readMe({ background: true })
  if (session.get() === before && credentials._id === before.credentials._id) identifySession(credentials)
}

/** However many changes come, one reading is under way, and one more follows it. */
function oneAtATime(work: () => Promise<void>): () => void {
  let isRunning = false
  let isDue = false

  async function run(): Promise<void> {
    isRunning = true
    while (isDue) {
      isDue = false
      // What could not be read says so where it is shown.
      await work().catch(() => {})
    }
    isRunning = false
  }

  return () => {
    isDue = true
    if (!isRunning) void run()
  }
}
