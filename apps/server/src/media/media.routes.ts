import { mediaEndpoints } from '@pult/contract'
import type { FastifyInstance } from 'fastify'
import type { Kysely } from 'kysely'
import type { Database } from '#platform/database/schema.ts'
import { type Caller, type Permission, route } from '#platform/http/route.ts'
import type { Events } from '#platform/realtime/events.ts'
import { addResourceRoutes } from '#platform/resource/resource-routes.ts'
import type { AuditService } from '../audit/audit.service.ts'
import { rootAnd } from '../auth/permissions.ts'
import { mediaTopic } from './announcements.ts'
import type { MediaService } from './media.service.ts'

interface MediaRoutesParts {
  db: Kysely<Database>
  events: Events
  audit: AuditService
  media: MediaService
  /** Permissions to read and to change the media of a project. */
  allow: { read: Permission<Caller>; write: Permission<Caller> }
}

const auditEvents = {
  created: 'medium.created',
  changed: 'medium.changed',
  removed: 'medium.removed',
  restored: 'medium.restored',
  removedAll: 'media.removed',
} as const

export function addMediaRoutes(
  app: FastifyInstance,
  { db, events, audit, media, allow }: MediaRoutesParts,
): void {
  route(app, mediaEndpoints.tags, { allow: allow.read }, ({ params }) => media.tags(params.projectId))

  addResourceRoutes(app, mediaEndpoints, {
    db,
    events,
    allow: { ...allow, removeAll: rootAnd(allow.write) },
    store: (from, place, caller, emit) => media.store(from, place, caller, emit),
    commands: new Map([['transcode', { allow: allow.write, run: ({ state }) => remadeFormats(state) }]]),
    collection: 'media',
    topicOf: ({ projectId }) => mediaTopic(projectId),
    record: (trx, { verb, place, caller, address, item, detail }) =>
      audit.within(trx).record({
        event: auditEvents[verb],
        result: 'success',
        actorId: caller.personId,
        target: item?._id ?? place.projectId,
        projectId: place.projectId,
        address,
        detail: { ...(item !== undefined && { label: item.label }), ...detail },
      }),
  })
}

/** Returns the update that makes the formats of a picture again, unless a task already does. */
const remadeFormats = (state: string) => (state === 'processing' ? {} : { state: 'processing' as const })
