import type { EdgePresence } from '@pult/contract'
import { type Change, emitChange } from '#platform/realtime/changes.ts'
import type { Emit, NewEvent } from '#platform/realtime/events.ts'

/** The topic of a project's edges. */
export const edgeTopic = (projectId: string) => `/projects/${projectId}/edges`

/** Events about edges between nodes. Clients cannot subscribe to this topic. */
export const edgeNodeTopic = 'edge-nodes'

/** Every node reads each event, so events stay small. */
const mostAtOnce = 200

export const tellEdgeChanged = (
  emit: Emit,
  projectId: string,
  edge: { id: string; op?: 'upsert' | 'remove'; revision?: number },
): Promise<void> =>
  emitChange(emit, { topic: edgeTopic(projectId), collection: 'edges', op: 'upsert', ...edge })

/** Publishes changes of many edges in one statement. */
export const tellEdgesChanged = (
  emit: Emit,
  edges: readonly { projectId: string; id: string }[],
): Promise<void> =>
  emitChange(
    emit,
    ...edges.map(
      ({ projectId, id }): Change => ({ topic: edgeTopic(projectId), collection: 'edges', op: 'upsert', id }),
    ),
  )

/** Publishes news of many edges in one statement, with one event per project. */
export async function tellByProject<Item extends { projectId: string }>(
  emit: Emit,
  items: readonly Item[],
  { name, toldOf }: { name: 'edge:presence' | 'edge:alert'; toldOf: (item: Item) => object },
): Promise<void> {
  const news: NewEvent[] = []
  for (const [projectId, ofProject] of Map.groupBy(items, (item) => item.projectId)) {
    for (let from = 0; from < ofProject.length; from += mostAtOnce) {
      const edges = ofProject.slice(from, from + mostAtOnce).map(toldOf)
      news.push({ topic: edgeTopic(projectId), name, data: { edges } })
    }
  }
  await emit(...news)
}

export const tellPresence = (
  emit: Emit,
  items: readonly { projectId: string; id: string; isOnline: boolean; seenAt: Date }[],
): Promise<void> =>
  tellByProject(emit, items, {
    name: 'edge:presence',
    toldOf: ({ id, isOnline, seenAt }): EdgePresence => ({
      _id: id,
      state: isOnline ? 'online' : 'offline',
      lastSeenAt: seenAt.toISOString(),
    }),
  })
