import { projectTaskEndpoints } from '@pult/contract'
import type { FastifyInstance } from 'fastify'
import { type Caller, route } from '#platform/http/route.ts'
import { signedIn } from '../../auth/permissions.ts'
import type { StartWithUpload } from '../start-with-upload.ts'
import { importType } from './project-import.ts'

interface ImportRoutesParts {
  check: (caller: Caller, projectId: string) => Promise<void>
  startWithUpload: StartWithUpload
}

export function addImportRoutes(app: FastifyInstance, { check, startWithUpload }: ImportRoutesParts): void {
  route(app, projectTaskEndpoints.import, { allow: signedIn }, async ({ caller, params, body, address }) => {
    await check(caller, params.projectId)
    return startWithUpload.start({ type: importType, ...params, filename: body.file, caller, address })
  })
}
