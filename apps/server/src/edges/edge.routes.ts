import { ReadableStream } from 'node:stream/web'
import {
  edgeEndpoints,
  edgeEnrolmentEndpoints,
  edgeEventEndpoints,
  edgeInstanceEndpoints,
  edgeProgramEndpoints,
  edgeTagEndpoints,
  edgeUpdateEndpoints,
  edgeValueEndpoints,
} from '@pult/contract'
import type { FastifyInstance } from 'fastify'
import { csvType } from '#platform/csv-text.ts'
import { type Caller, type Permission, route } from '#platform/http/route.ts'
import { anyone, recently, requireRecentSignIn, signedIn } from '../auth/permissions.ts'
import type { EdgeService } from './edge.service.ts'
import type { EdgeReleases } from './releases/edge-releases.ts'

interface EdgeRoutesParts {
  edges: EdgeService
  releases: EdgeReleases
  /** Permissions to see and to manage the edges of a project. */
  allow: { read: Permission<Caller>; manage: Permission<Caller> }
}

export function addEdgeRoutes(app: FastifyInstance, { edges, releases, allow }: EdgeRoutesParts): void {
  const { read, manage } = allow

  route(app, edgeEndpoints.list, { allow: read }, ({ caller, params, query }) =>
    edges.list(caller, params.projectId, query),
  )
  route(app, edgeEndpoints.read, { allow: read }, ({ caller, params }) => edges.read(caller, params))

  route(app, edgeTagEndpoints.facets, { allow: read }, ({ params }) => edges.tags.facets(params.projectId))
  route(app, edgeTagEndpoints.change, { allow: manage }, ({ params, body, ...who }) =>
    edges.tags.change(who, params.projectId, body),
  )

  route(app, edgeEventEndpoints.list, { allow: read }, ({ params }) => edges.events(params))
  route(app, edgeValueEndpoints.read, { allow: read }, ({ params, query }) => edges.values(params, query))
  route(app, edgeValueEndpoints.courses, { allow: read }, ({ params, query }) =>
    edges.courses(params.projectId, query.edges.split(',')),
  )
  route(app, edgeValueEndpoints.fleet, { allow: read }, ({ params }) => edges.fleetValues(params.projectId))
  route(app, edgeValueEndpoints.export, { allow: read }, async ({ params, query, reply }) => {
    const text = await edges.valuesCsv(params, query)
    reply.type(csvType)
    reply.header('content-disposition', `attachment; filename="edge-values-${params.edgeId}.csv"`)
    return text
  })

  route(app, edgeEndpoints.enrol, { allow: recently(manage) }, ({ params, body, idempotencyKey, ...who }) =>
    edges.enrol(who, params.projectId, body.label, idempotencyKey),
  )
  route(app, edgeEndpoints.update, { allow: manage }, ({ params, body, revision, ...who }) =>
    edges.update(who, params, body, revision),
  )
  route(app, edgeEndpoints.newCode, { allow: recently(manage) }, ({ params, ...who }) =>
    edges.newCode(who, params),
  )
  route(app, edgeEndpoints.move, { allow: recently(manage) }, async ({ params, body, ...who }) => {
    await manage.decide(who.caller, { projectId: body.project })
    return edges.move(who, params, body.project)
  })
  route(app, edgeEndpoints.revoke, { allow: manage }, ({ params, ...who }) => edges.revoke(who, params))
  route(app, edgeEndpoints.remove, { allow: recently(manage) }, async ({ params, ...who }) => {
    await edges.remove(who, params)
    return true as const
  })

  route(app, edgeEndpoints.addInstance, { allow: manage }, ({ params, body, ...who }) =>
    edges.addInstance(who, params, body.label),
  )
  route(app, edgeEndpoints.updateInstance, { allow: manage }, ({ params, body, ...who }) =>
    edges.updateInstance(who, params, params.instanceId, body),
  )
  route(app, edgeEndpoints.removeInstance, { allow: manage }, ({ params, ...who }) =>
    edges.removeInstance(who, params, params.instanceId),
  )

  route(app, edgeEndpoints.restart, { allow: manage }, ({ params, body, ...who }) =>
    edges.restart(who, params, body.instance),
  )
  route(app, edgeProgramEndpoints.start, { allow: manage }, ({ params, ...who }) =>
    edges.runProgram(who, params, 'start'),
  )
  route(app, edgeProgramEndpoints.stop, { allow: manage }, ({ params, ...who }) =>
    edges.runProgram(who, params, 'stop'),
  )
  route(app, edgeProgramEndpoints.log, { allow: manage }, ({ params, query }) => edges.log(params, query))
  route(app, edgeProgramEndpoints.logFile, { allow: manage }, async ({ params, reply }) => {
    const text = await edges.logFile(params)
    reply.type('text/plain; charset=utf-8')
    reply.header('content-disposition', `attachment; filename="edge-log-${params.instanceId}.txt"`)
    return ReadableStream.from(text)
  })
  route(app, edgeEndpoints.diagnose, { allow: manage }, ({ params, ...who }) => edges.diagnose(who, params))
  route(app, edgeEndpoints.updateAgent, { allow: recently(manage) }, ({ params, ...who }) =>
    edges.updateAgent(who, params),
  )
  route(app, edgeUpdateEndpoints.read, { allow: read }, ({ params }) => edges.updates.read(params.projectId))
  route(app, edgeUpdateEndpoints.update, { allow: manage }, ({ params, body, revision, ...who }) => {
    // `manual` stops the updates, and starts none.
    if (body.mode !== 'manual') requireRecentSignIn(who.caller)
    return edges.updates.setPolicy(who, params.projectId, body, revision)
  })
  route(app, edgeEndpoints.setDeck, { allow: manage }, ({ params, body, ...who }) =>
    edges.setDeck(who, params, body),
  )

  // Every user who sees the project may see the instances that it uses.
  route(app, edgeInstanceEndpoints.list, { allow: signedIn }, async ({ caller, params }) => {
    const items = await edges.assignedTo(caller, params.projectId)
    return { items, total: items.length }
  })

  route(app, edgeEnrolmentEndpoints.redeem, { allow: anyone }, ({ body, address }) =>
    edges.redeem(body, address),
  )

  // The file is the same for all callers, and the machine that downloads it has no identity yet.
  route(app, edgeEnrolmentEndpoints.agent, { allow: anyone }, async ({ reply }) => {
    const content = await releases.content()
    reply.header('content-type', 'text/javascript; charset=utf-8')
    reply.header('content-disposition', 'attachment; filename="edge-agent.mjs"')
    return content
  })
  route(app, edgeEnrolmentEndpoints.release, { allow: anyone }, () => releases.release())
}
