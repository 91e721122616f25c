import { edgeScheduleEndpoints } from '@pult/contract'
import type { FastifyInstance } from 'fastify'
import type { Kysely } from 'kysely'
import { AppError } from '#platform/app-error.ts'
import type { Database } from '#platform/database/schema.ts'
import { type Caller, type Permission, route } from '#platform/http/route.ts'
import type { Events } from '#platform/realtime/events.ts'
import { addResourceRoutes } from '#platform/resource/resource-routes.ts'
import type { AuditService } from '../../audit/audit.service.ts'
import { recently, rootAnd } from '../../auth/permissions.ts'
import { jobTopic } from '../jobs/job-worker.ts'
import { createScheduleRepository, runsOf } from './schedule.repository.ts'
import { checkRhythm, movedAfter, timesAfter } from './times.ts'

interface EdgeScheduleRoutesParts {
  db: Kysely<Database>
  events: Events
  audit: AuditService
  /** Permissions to see and to manage the edges of a project. */
  allow: { read: Permission<Caller>; manage: Permission<Caller> }
}

const shownTimes = 3

export function addEdgeScheduleRoutes(
  app: FastifyInstance,
  { db, events, audit, allow: { read, manage } }: EdgeScheduleRoutesParts,
): void {
  addResourceRoutes(app, edgeScheduleEndpoints, {
    db,
    events,
    allow: { read, write: manage, create: recently(manage), removeAll: rootAnd(manage) },
    store: (from, { projectId }, { personId }) => createScheduleRepository(from, { projectId, personId }),
    commands: new Map(),
    // The schedule acts for the account that changed it last. Pausing starts nothing.
    needsProof: ({ isPaused, ...others }) => isPaused === false || Object.keys(others).length > 0,
    collection: 'edge-schedules',
    topicOf: ({ projectId }) => jobTopic(projectId),
    record: (trx, { verb, place, caller, address, item, detail }) =>
      audit.within(trx).record({
        event:
          verb === 'created'
            ? 'edge-schedule.created'
            : verb === 'changed'
              ? 'edge-schedule.changed'
              : 'edge-schedule.removed',
        result: 'success',
        actorId: caller.personId,
        target: item?._id ?? place.projectId,
        projectId: place.projectId,
        address,
        detail: {
          ...(item !== undefined && {
            label: item.label,
            command: item.command,
            cron: item.cron,
            timeZone: item.timeZone,
          }),
          ...detail,
        },
      }),
  })
  route(app, edgeScheduleEndpoints.runs, { allow: read }, async ({ params }) => {
    const items = await runsOf(db, params)
    if (items === undefined) throw new AppError('NOT_FOUND')
    return { items, total: items.length }
  })
  route(app, edgeScheduleEndpoints.times, { allow: read }, async ({ query }) => {
    const now = new Date()
    checkRhythm(query, now)
    const times = timesAfter(query, now, shownTimes)
    return {
      times: times.map((time) => time.toISOString()),
      moved: movedAfter(query, now)?.toISOString() ?? null,
    }
  })
}
