import { projectTaskEndpoints } from '@pult/contract'
import type { FastifyInstance } from 'fastify'
import { route } from '#platform/http/route.ts'
import { signedIn } from '../../auth/permissions.ts'
import type { ProjectService } from '../project.service.ts'
import type { StartWithUpload } from '../start-with-upload.ts'
import { inviteBatchType } from './invite-batch.ts'

interface InviteBatchRoutesParts {
  projects: Pick<ProjectService, 'checkOwned'>
  startWithUpload: StartWithUpload
}

export function addInviteBatchRoutes(
  app: FastifyInstance,
  { projects, startWithUpload }: InviteBatchRoutesParts,
): void {
  route(
    app,
    projectTaskEndpoints.inviteAll,
    { allow: signedIn },
    async ({ caller, params, body, address }) => {
      await projects.checkOwned(caller, params.projectId)
      return startWithUpload.start({ type: inviteBatchType, ...params, filename: body.file, caller, address })
    },
  )
}
