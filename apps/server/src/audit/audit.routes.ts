import { ReadableStream } from 'node:stream/web'
import { auditEndpoints, type Project } from '@pult/contract'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { type Caller, route } from '#platform/http/route.ts'
import { recentlySignedIn, root, rootRecently, signedIn } from '../auth/permissions.ts'
import type { AuditService } from './audit.service.ts'
import { type AuditFileFormat, attachmentOf, contentTypeOf } from './audit-file.ts'
import type { AuditFilter, AuditScope } from './audit-log.repository.ts'

interface AuditRoutesParts {
  audit: AuditService
  /** Returns the project if the caller is its owner or root; throws otherwise. */
  ownedProject: (caller: Caller, projectId: string) => Promise<Project>
}

export function addAuditRoutes(app: FastifyInstance, { audit, ownedProject }: AuditRoutesParts): void {
  function sendFile(
    reply: FastifyReply,
    { label, ...scope }: AuditScope & { label: string | null },
    { format, ...filter }: AuditFilter & { format: AuditFileFormat },
  ): ReadableStream<string> {
    reply.type(contentTypeOf(format)).header('content-disposition', attachmentOf(label, format))
    return ReadableStream.from(audit.file(scope, filter, format))
  }

  route(app, auditEndpoints.list, { allow: root }, ({ query }) => audit.list({}, query))

  route(app, auditEndpoints.export, { allow: rootRecently }, ({ query, reply }) =>
    sendFile(reply, { label: null }, query),
  )

  route(app, auditEndpoints.ofProject, { allow: signedIn }, async ({ caller, params, query }) => {
    await ownedProject(caller, params.projectId)
    return audit.list(params, query)
  })

  route(
    app,
    auditEndpoints.exportOfProject,
    { allow: recentlySignedIn },
    async ({ caller, params, query, reply }) => {
      const { label } = await ownedProject(caller, params.projectId)
      return sendFile(reply, { ...params, label }, query)
    },
  )
}
