import { emitChange } from '#platform/realtime/changes.ts'
import type { Emit } from '#platform/realtime/events.ts'

/** Topic of a project's media. */
export const mediaTopic = (projectId: string) => `/projects/${projectId}/media`

/** Publishes a change of one medium to the users who may read the project's media. */
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
