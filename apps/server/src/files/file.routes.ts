import { fileEndpoints } from '@pult/contract'
import type { FastifyInstance } from 'fastify'
import { type Caller, type Permission, route } from '#platform/http/route.ts'
import { signedIn } from '../auth/permissions.ts'
import type { TaskDriver } from '../tasks/tokens/task-driver.ts'
import type { FileService } from './file.service.ts'
import type { UploadService } from './upload.service.ts'

interface FileRoutesParts {
  files: FileService
  uploads: UploadService
  /** Permission to request an upload address. */
  allow: Permission<Caller | TaskDriver>
}

export function addFileRoutes(app: FastifyInstance, { files, uploads, allow }: FileRoutesParts): void {
  route(app, fileEndpoints.create, { allow }, ({ caller, body, language }) =>
    uploads.create(caller, body, language),
  )

  route(app, fileEndpoints.resume, { allow }, ({ caller, params, language }) =>
    uploads.resume(caller, params.filename, language),
  )

  route(app, fileEndpoints.complete, { allow }, ({ caller, params }) =>
    uploads.complete(caller, params.filename),
  )

  route(app, fileEndpoints.read, { allow: signedIn }, ({ caller, params }) =>
    files.read(caller, params.fileId),
  )

  route(app, fileEndpoints.link, { allow: signedIn }, ({ caller, params }) =>
    files.link(caller, params.fileId),
  )

  route(app, fileEndpoints.remove, { allow: signedIn }, async ({ caller, params }) => {
    await files.remove(caller, params.fileId)
    return true as const
  })
}
