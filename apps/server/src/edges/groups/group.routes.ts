import { edgeGroupEndpoints } from '@pult/contract'
import type { FastifyInstance } from 'fastify'
import type { Kysely } from 'kysely'
import type { Database } from '#platform/database/schema.ts'
import type { Caller, Permission } from '#platform/http/route.ts'
import type { Events } from '#platform/realtime/events.ts'
import { addResourceRoutes } from '#platform/resource/resource-routes.ts'
import type { AuditService } from '../../audit/audit.service.ts'
import { rootAnd } from '../../auth/permissions.ts'
import { edgeTopic } from '../edge-topic.ts'
import { createGroupRepository } from './group.repository.ts'

interface EdgeGroupRoutesParts {
  db: Kysely<Database>
  events: Events
  audit: AuditService
  /** Permissions to see and to manage the edges of a project. */
  allow: { read: Permission<Caller>; manage: Permission<Caller> }
}

export function addEdgeGroupRoutes(
  app: FastifyInstance,
  { db, events, audit, allow: { read, manage } }: EdgeGroupRoutesParts,
): void {
  addResourceRoutes(app, edgeGroupEndpoints, {
    db,
    events,
    allow: { read, write: manage, removeAll: rootAnd(manage) },
    store: (from, { projectId }, { personId }) => createGroupRepository(from, { projectId, personId }),
    commands: new Map(),
    // The rule decides on which machines the schedules of the group run.
    needsProof: ({ rule }) => rule !== undefined,
    collection: 'edges',
    topicOf: ({ projectId }) => edgeTopic(projectId),
    record: (trx, { verb, place, caller, address, item, detail }) =>
      audit.within(trx).record({
        event:
          verb === 'created'
            ? 'edge-group.created'
            : verb === 'changed'
              ? 'edge-group.changed'
              : 'edge-group.removed',
        result: 'success',
        actorId: caller.personId,
        target: item?._id ?? place.projectId,
        projectId: place.projectId,
        address,
        detail: { ...(item !== undefined && { label: item.label, rule: item.rule }), ...detail },
      }),
  })
}
