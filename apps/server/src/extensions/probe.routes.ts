import { extensionEndpoints } from '@pult/contract'
import type { FastifyInstance } from 'fastify'
import { AppError } from '#platform/app-error.ts'
import { type Caller, route } from '#platform/http/route.ts'
import { signedIn } from '../auth/permissions.ts'

interface ProbeParts {
  isProjectVisible: (caller: Caller, projectId: string) => Promise<boolean>
}

/** No extension is bundled yet, so that there is none to list for anybody; a project that is not seen is a 404 already. */
export function addProbeRoute(app: FastifyInstance, { isProjectVisible }: ProbeParts): void {
  route(app, extensionEndpoints.probe, { allow: signedIn }, async ({ caller, query }) => {
    const isSeen = query.project === undefined || (await isProjectVisible(caller, query.project))
    if (!isSeen) throw new AppError('NOT_FOUND')
    return []
  })
}
