import { extensionEndpoints } from '@pult/contract'
import type { FastifyInstance } from 'fastify'
import { route } from '#platform/http/route.ts'
import { signedIn } from '../auth/permissions.ts'
import type { FindProject } from './app-access.ts'
import type { ReadFragments } from './fragments.ts'

interface ProbeParts {
  readFragments: ReadFragments
  findProject: FindProject
}

/** Serves the fragments that the console loads. */
export function addProbeRoutes(app: FastifyInstance, { readFragments, findProject }: ProbeParts): void {
  route(app, extensionEndpoints.probe, { allow: signedIn }, async ({ caller, query, language }) => {
    const project = query.project === undefined ? null : await findProject(caller, query.project)
    return readFragments(caller, project, language)
  })
}
