import { type BodyOf, type EdgeFacets, type edgeTagEndpoints, withoutHidden } from '@pult/contract'
import type { Kysely } from 'kysely'
import { AppError } from '#platform/app-error.ts'
import type { Database } from '#platform/database/schema.ts'
import { emitChange } from '#platform/realtime/changes.ts'
import type { Events } from '#platform/realtime/events.ts'
import type { AuditService } from '../../audit/audit.service.ts'
import { edgeTopic } from '../edge-topic.ts'
import { createTagRepository, haveTooMany } from './tag.repository.ts'

interface EdgeTagsParts {
  db: Kysely<Database>
  events: Events
  audit: AuditService
}

/** Removes repeated tags. Keeps the first occurrence and the order. */
export const distinctTags = (tags: readonly string[]): string[] => [...new Set(tags)]

/** Changes the tags of several edges, and lists the values by which a fleet can be filtered. */
export function createEdgeTags({ db, events, audit }: EdgeTagsParts) {
  return {
    facets: (projectId: string): Promise<EdgeFacets> => createTagRepository(db).facets(projectId),

    /** @throws {AppError} NOT_FOUND or TOO_MANY_TAGS because of one edge. Then no edge changes. */
    change: (
      { caller, address }: { caller: { personId: string }; address: string },
      projectId: string,
      { edges, add = [], remove = [] }: BodyOf<typeof edgeTagEndpoints.change>,
    ): Promise<{ changed: number }> =>
      events.transaction(async (trx, emit) => {
        const { personId } = caller
        const edgeIds = [...new Set(edges)]
        const within = createTagRepository(trx)
        if ((await within.lock(projectId, edgeIds)) < edgeIds.length) throw new AppError('NOT_FOUND')
        const tagged = await within.change(edgeIds, {
          add: distinctTags(add),
          // As stored by an earlier release, and as stored now.
          remove: [...remove, ...remove.map(withoutHidden)],
          personId,
        })
        if (haveTooMany(tagged)) throw new AppError('TOO_MANY_TAGS')
        const row = {
          event: 'edge.changed',
          result: 'success',
          actorId: personId,
          projectId,
          address,
        } as const
        await audit.within(trx).record(
          ...tagged.map(({ id, label, added, removed }) => ({
            ...row,
            target: id,
            detail: {
              label,
              ...(added.length > 0 && { tagsAdded: added }),
              ...(removed.length > 0 && { tagsRemoved: removed }),
            },
          })),
        )
        const topic = edgeTopic(projectId)
        await emitChange(
          emit,
          ...tagged.map(({ id, revision }) => ({
            topic,
            collection: 'edges' as const,
            op: 'upsert' as const,
            id,
            revision,
          })),
        )
        return { changed: tagged.length }
      }),
  }
}
