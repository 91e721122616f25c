import { projectEndpoints } from '@pult/contract'
import type { FastifyInstance } from 'fastify'
import { route } from '#platform/http/route.ts'
import { signedIn } from '../auth/permissions.ts'
import type { ProjectsRepository } from './projects.repository.ts'

export function addProjectRoutes(app: FastifyInstance, projects: ProjectsRepository): void {
  route(app, projectEndpoints.list, { allow: signedIn }, async ({ caller }) => {
    const items = await projects.list(caller)
    return { items, total: items.length }
  })
}
