import { noteEndpoints } from '@pult/contract'
import type { FastifyInstance } from 'fastify'
import type { Kysely } from 'kysely'
import type { Database } from '#platform/database/schema.ts'
import type { Caller, Permission } from '#platform/http/route.ts'
import type { Events } from '#platform/realtime/events.ts'
import { addResourceRoutes } from '#platform/resource/resource-routes.ts'
import type { AuditService } from '../../audit/audit.service.ts'
import { rootAnd } from '../../auth/permissions.ts'
import { createNoteRepository } from './note.repository.ts'

interface NoteRoutesParts {
  db: Kysely<Database>
  events: Events
  audit: AuditService
  /** Permission to read and write the notes of a project. */
  allow: Permission<Caller>
}

const auditEvents = {
  created: 'note.created',
  changed: 'note.changed',
  removed: 'note.removed',
  restored: 'note.restored',
  removedAll: 'notes.removed',
} as const

export function addNoteRoutes(app: FastifyInstance, { db, events, audit, allow }: NoteRoutesParts): void {
  addResourceRoutes(app, noteEndpoints, {
    db,
    events,
    allow: { read: allow, write: allow, removeAll: rootAnd(allow) },
    store: (from, { projectId }, { personId }) => createNoteRepository(from, { projectId, personId }),
    commands: new Map([
      ['pin', { allow, run: () => ({ isPinned: true }) }],
      ['unpin', { allow, run: () => ({ isPinned: false }) }],
    ]),
    collection: 'notes',
    topicOf: ({ projectId }) => `/projects/${projectId}/notes`,
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
