import { projectTaskEndpoints } from '@pult/contract'
import type { FastifyInstance } from 'fastify'
import { type Caller, route } from '#platform/http/route.ts'
import { signedIn } from '../../auth/permissions.ts'
import type { StartWithUpload } from '../start-with-upload.ts'
import { inviteBatchType } from './invite-batch.ts'

interface InviteBatchRoutesParts {
  check: (caller: Caller, projectId: string) => Promise<void>
  startWithUpload: StartWithUpload
}

export function addInviteBatchRoutes(
  app: FastifyInstance,
  { check, startWithUpload }: InviteBatchRoutesParts,
): void {
  route(
    app,
    projectTaskEndpoints.inviteAll,
    { allow: signedIn },
    async ({ caller, params, body, address }) => {
      await check(caller, params.projectId)
      return startWithUpload.start({ type: inviteBatchType, ...params, filename: body.file, caller, address })
    },
  )
}
