import { emitChange } from '#platform/realtime/changes.ts'
import type { Emit } from '#platform/realtime/events.ts'

/** Where everybody who may see the media of a project hears of them. */
export const mediaTopic = (projectId: string) => `/projects/${projectId}/media`

/** Tells those who see the media of a project that one has changed. */
export const announceMedium = (
  emit: Emit,
  projectId: string,
  { id, revision }: { id?: string; revision?: number },
): Promise<void> =>
  emitChange(emit, {
    topic: mediaTopic(projectId),
    collection: 'media',
    op: 'upsert',
    ...(id !== undefined && { id }),
    ...(revision !== undefined && { revision }),
  })
