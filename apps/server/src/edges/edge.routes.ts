import { readFile } from 'node:fs/promises'
import { edgeEndpoints, edgeEnrolmentEndpoints, edgeInstanceEndpoints } from '@pult/contract'
import type { FastifyInstance } from 'fastify'
import { AppError } from '#platform/app-error.ts'
import { type Caller, type Permission, route } from '#platform/http/route.ts'
import { anyone, signedIn } from '../auth/permissions.ts'
import type { EdgeService } from './edge.service.ts'

interface EdgeRoutesParts {
  edges: EdgeService
  /** To see the edges of a project, and to do something with them. */
  allow: { read: Permission<Caller>; manage: Permission<Caller> }
  /** The built agent. */
  agentFile: string
}

export function addEdgeRoutes(app: FastifyInstance, { edges, allow, agentFile }: EdgeRoutesParts): void {
  const { read, manage } = allow

  route(app, edgeEndpoints.list, { allow: read }, ({ caller, params, query }) =>
    edges.list(caller, params.projectId, query),
  )
  route(app, edgeEndpoints.read, { allow: read }, ({ caller, params }) => edges.read(caller, params))

  route(app, edgeEndpoints.enrol, { allow: manage }, ({ params, body, idempotencyKey, ...who }) =>
    edges.enrol(who, params.projectId, body.label, idempotencyKey),
  )
  route(app, edgeEndpoints.update, { allow: manage }, ({ params, body, revision, ...who }) =>
    edges.update(who, params, body, revision),
  )
  route(app, edgeEndpoints.newCode, { allow: manage }, ({ params, ...who }) => edges.newCode(who, params))
  route(app, edgeEndpoints.revoke, { allow: manage }, ({ params, ...who }) => edges.revoke(who, params))
  route(app, edgeEndpoints.remove, { allow: manage }, async ({ params, ...who }) => {
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
  route(app, edgeEndpoints.diagnose, { allow: manage }, ({ params, ...who }) => edges.diagnose(who, params))
  route(app, edgeEndpoints.setDeck, { allow: manage }, ({ params, body, ...who }) =>
    edges.setDeck(who, params, body),
  )

  // Whoever sees the project: what it uses is no secret to those who work on it.
  route(app, edgeInstanceEndpoints.list, { allow: signedIn }, async ({ caller, params }) => {
    const items = await edges.assignedTo(caller, params.projectId)
    return { items, total: items.length }
  })

  route(app, edgeEnrolmentEndpoints.redeem, { allow: anyone }, ({ body, address }) =>
    edges.redeem(body.code, address),
  )

  // The same file for everybody, and the machine that fetches it is nobody yet.
  route(app, edgeEnrolmentEndpoints.agent, { allow: anyone }, async ({ reply }) => {
    const text = await readFile(agentFile, 'utf8').catch(() => undefined)
    if (text === undefined) throw new AppError('NOT_FOUND')
    reply.header('content-type', 'text/javascript; charset=utf-8')
    reply.header('content-disposition', 'attachment; filename="edge-agent.mjs"')
    return text
  })
}
