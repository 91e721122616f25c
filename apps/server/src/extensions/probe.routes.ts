import { extensionEndpoints } from '@pult/contract'
import type { FastifyInstance } from 'fastify'
import { route } from '#platform/http/route.ts'
import { signedIn } from '../auth/permissions.ts'
import { type FindProject, mayOpen } from './app-access.ts'
import type { ExtensionService } from './extension.service.ts'
import { inLanguage } from './manifests/in-language.ts'

interface ProbeParts {
  extensions: ExtensionService
  findProject: FindProject
}

/** What the console loads: which fragments. */
export function addProbeRoutes(app: FastifyInstance, { extensions, findProject }: ProbeParts): void {
  route(app, extensionEndpoints.probe, { allow: signedIn }, async ({ caller, query, language }) => {
    const project = query.project === undefined ? null : await findProject(caller, query.project)
    return inLanguage(
      extensions.fragmentsWith((asked) => mayOpen(asked, caller, project), language),
      language,
    )
  })
}
