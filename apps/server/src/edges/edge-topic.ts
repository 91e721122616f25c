import type { EdgePresence } from '@pult/contract'
import { type Change, emitChange } from '#platform/realtime/changes.ts'
import type { Emit, NewEvent } from '#platform/realtime/events.ts'

/** The topic of a project's edges. */
export const edgeTopic = (projectId: string) => `/projects/${projectId}/edges`

/** Events about edges between nodes. Clients cannot subscribe to this topic. */
export const edgeNodeTopic = 'edge-nodes'

/** Edges per event. Every node reads each event, so events must stay small. */
const mostAtOnce = 200

export const publishEdgeChange = (
  emit: Emit,
  projectId: string,
  edge: { id: string; op?: 'upsert' | 'remove'; revision?: number },
): Promise<void> =>
  emitChange(emit, { topic: edgeTopic(projectId), collection: 'edges', op: 'upsert', ...edge })

/** Publishes changes of many edges in one statement. */
export const publishEdgeChanges = (
  emit: Emit,
  edges: readonly { projectId: string; id: string }[],
): Promise<void> =>
  emitChange(
    emit,
    ...edges.map(
      ({ projectId, id }): Change => ({ topic: edgeTopic(projectId), collection: 'edges', op: 'upsert', id }),
    ),
  )

/** Publishes events about many edges in one statement, with one event per project and 200 edges. */
export async function publishByProject<Item extends { projectId: string }>(
  emit: Emit,
  items: readonly Item[],
  { name, dataOf }: { name: 'edge:presence' | 'edge:alert'; dataOf: (item: Item) => object },
): Promise<void> {
  const events: NewEvent[] = []
  for (const [projectId, ofProject] of Map.groupBy(items, (item) => item.projectId)) {
    for (let from = 0; from < ofProject.length; from += mostAtOnce) {
      const edges = ofProject.slice(from, from + mostAtOnce).map(dataOf)
      events.push({ topic: edgeTopic(projectId), name, data: { edges } })
    }
  }
  await emit(...events)
}

export const publishPresence = (
  emit: Emit,
  items: readonly { projectId: string; id: string; isOnline: boolean; seenAt: Date }[],
): Promise<void> =>
  publishByProject(emit, items, {
    name: 'edge:presence',
    dataOf: ({ id, isOnline, seenAt }): EdgePresence => ({
      _id: id,
      state: isOnline ? 'online' : 'offline',
      lastSeenAt: seenAt.toISOString(),
    }),
  })
