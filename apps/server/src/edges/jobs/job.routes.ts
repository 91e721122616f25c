import { edgeJobEndpoints } from '@pult/contract'
import type { FastifyInstance } from 'fastify'
import { type Caller, type Permission, route } from '#platform/http/route.ts'
import type { createEdgeJobs } from './edge-jobs.ts'

interface EdgeJobRoutesParts {
  jobs: ReturnType<typeof createEdgeJobs>
  /** Permissions to see and to manage the edges of a project. */
  allow: { read: Permission<Caller>; manage: Permission<Caller> }
}

export function addEdgeJobRoutes(app: FastifyInstance, { jobs, allow }: EdgeJobRoutesParts): void {
  const { read, manage } = allow

  route(app, edgeJobEndpoints.choices, { allow: read }, ({ params }) => jobs.choices(params.projectId))
  route(app, edgeJobEndpoints.preview, { allow: manage }, ({ params, body }) =>
    jobs.preview(params.projectId, body),
  )
  route(app, edgeJobEndpoints.list, { allow: read }, ({ params, query }) =>
    jobs.list(params.projectId, query),
  )
  route(app, edgeJobEndpoints.start, { allow: manage }, ({ params, body, idempotencyKey, ...who }) =>
    jobs.start(who, params.projectId, body, idempotencyKey),
  )
  route(app, edgeJobEndpoints.read, { allow: read }, ({ params }) => jobs.read(params))
  route(app, edgeJobEndpoints.lines, { allow: read }, ({ params, query }) => jobs.lines(params, query))
  route(app, edgeJobEndpoints.log, { allow: read }, ({ params }) => jobs.log(params))
  route(app, edgeJobEndpoints.cancel, { allow: manage }, ({ params, ...who }) => jobs.cancel(who, params))
  route(app, edgeJobEndpoints.retry, { allow: manage }, ({ params, idempotencyKey, ...who }) =>
    jobs.retry(who, params, idempotencyKey),
  )
}
