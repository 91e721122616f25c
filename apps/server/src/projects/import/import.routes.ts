import { projectTaskEndpoints } from '@pult/contract'
import type { FastifyInstance } from 'fastify'
import { route } from '#platform/http/route.ts'
import { signedIn } from '../../auth/permissions.ts'
import type { ProjectService } from '../project.service.ts'
import type { StartWithUpload } from '../start-with-upload.ts'
import { importType } from './project-import.ts'

interface ImportRoutesParts {
  projects: Pick<ProjectService, 'checkEdited'>
  startWithUpload: StartWithUpload
}

export function addImportRoutes(
  app: FastifyInstance,
  { projects, startWithUpload }: ImportRoutesParts,
): void {
  route(app, projectTaskEndpoints.import, { allow: signedIn }, async ({ caller, params, body, address }) => {
    await projects.checkEdited(caller, params.projectId)
    return startWithUpload.start({ type: importType, ...params, filename: body.file, caller, address })
  })
}
