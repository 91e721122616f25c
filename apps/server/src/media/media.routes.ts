import { mediaEndpoints } from '@pult/contract'
import type { FastifyInstance } from 'fastify'
import type { Kysely } from 'kysely'
import type { Database } from '#platform/database/schema.ts'
import { type Caller, type Permission, route } from '#platform/http/route.ts'
import type { Events } from '#platform/realtime/events.ts'
import { addResourceRoutes } from '#platform/resource/resource-routes.ts'
import type { AuditService } from '../audit/audit.service.ts'
import { root } from '../auth/permissions.ts'
import { mediaTopic } from './announcements.ts'
import type { MediaService } from './media.service.ts'

interface MediaRoutesParts {
  db: Kysely<Database>
  events: Events
  audit: AuditService
  media: MediaService
  /** To see the media of a project, and to change them. */
  allow: { read: Permission<Caller>; write: Permission<Caller> }
}

const auditEvents = {
  created: 'medium.created',
  changed: 'medium.changed',
  removed: 'medium.removed',
  removedAll: 'media.removed',
} as const

export function addMediaRoutes(
  app: FastifyInstance,
  { db, events, audit, media, allow }: MediaRoutesParts,
): void {
  route(app, mediaEndpoints.tags, { allow: allow.read }, async ({ params }) => {
    const items = await media.tags(params.projectId)
    return { items, total: items.length }
  })

  addResourceRoutes(app, mediaEndpoints, {
    db,
    events,
    allow: { ...allow, removeAll: rootAnd(allow.write) },
    store: (from, place, caller, emit) => media.store(from, place, caller, emit),
    commands: new Map([['transcode', { allow: allow.write, run: ({ state }) => madeAnew(state) }]]),
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

/** The formats of a picture that failed are tried again; all others have theirs. */
const madeAnew = (state: string) => (state === 'failed' ? { state: 'processing' as const } : {})

/** A project that is not there, or not seen, is a 404 for this as well. */
const rootAnd = (allow: Permission<Caller>): Permission<Caller> => ({
  name: `${root.name} with the ${allow.name}`,
  decide: async (caller, params) => root.decide(await allow.decide(caller, params), params),
})
