import { createReadStream } from 'node:fs'
import { extensionEndpoints } from '@pult/contract'
import type { FastifyInstance } from 'fastify'
import { AppError } from '#platform/app-error.ts'
import { type Caller, route } from '#platform/http/route.ts'
import { signedIn } from '../auth/permissions.ts'
import { mayOpen } from './app-access.ts'
import { type ExtensionService, extensionBase } from './extension.service.ts'

interface ProbeParts {
  extensions: ExtensionService
  findProject: (
    caller: Caller,
    projectId: string,
  ) => Promise<{ _id: string; owner: string; products: string[] }>
}

/** What the console loads: which fragments, and their files. */
export function addProbeRoutes(app: FastifyInstance, { extensions, findProject }: ProbeParts): void {
  route(app, extensionEndpoints.probe, { allow: signedIn }, async ({ caller, query }) => {
    const project = query.project === undefined ? null : await findProject(caller, query.project)
    return extensions.fragmentsWith((asked) => mayOpen(asked, caller, project))
  })

  // The address is looked up among those of the files that the extensions list; it never becomes a path.
  app.get(`${extensionBase}/*`, { schema: { hide: true } }, async (request, reply) => {
    const file = extensions.fileAt(request.url)
    if (file === undefined) throw new AppError('NOT_FOUND')
    return reply
      .type(file.contentType)
      .header('cache-control', 'public, max-age=31536000, immutable')
      .send(createReadStream(file.path))
  })
}
