import { projectTaskEndpoints } from '@pult/contract'
import type { FastifyInstance } from 'fastify'
import { type Caller, route } from '#platform/http/route.ts'
import { requireRecentSignIn, signedIn } from '../../auth/permissions.ts'
import type { ProjectService } from '../project.service.ts'
import type { StartWithUpload } from '../start-with-upload.ts'
import { importType } from './project-import.ts'

/** Rejects callers who may not import. An import by root adds grants, so root needs a recent sign-in (RULE-15). */
export const createImportCheck =
  ({ checkEdited }: Pick<ProjectService, 'checkEdited'>) =>
  async (caller: Caller, projectId: string): Promise<void> => {
    await checkEdited(caller, projectId)
    if (caller.isRoot) requireRecentSignIn(caller)
  }

interface ImportRoutesParts {
  check: ReturnType<typeof createImportCheck>
  startWithUpload: StartWithUpload
}

export function addImportRoutes(app: FastifyInstance, { check, startWithUpload }: ImportRoutesParts): void {
  route(app, projectTaskEndpoints.import, { allow: signedIn }, async ({ caller, params, body, address }) => {
    await check(caller, params.projectId)
    return startWithUpload.start({ type: importType, ...params, filename: body.file, caller, address })
  })
}
