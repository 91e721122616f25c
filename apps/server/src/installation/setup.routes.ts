import { setupEndpoints } from '@pult/contract'
import type { FastifyInstance } from 'fastify'
import { AppError } from '#platform/app-error.ts'
import { route } from '#platform/http/route.ts'
import { anyone } from '../auth/permissions.ts'
import type { InstallationService } from './installation.service.ts'
import type { SetupRestore } from './setup-restore.ts'

interface SetupRoutes {
  installation: InstallationService
  restore: SetupRestore
}

export function addSetupRoutes(app: FastifyInstance, { installation, restore }: SetupRoutes): void {
  async function refuseSetUp(): Promise<void> {
    if ((await installation.read()).isSetUp) throw new AppError('NOT_FOUND')
  }

  route(app, setupEndpoints.read, { allow: anyone }, async () => {
    await refuseSetUp()
    return { ...(await installation.check()), restoreFailedAt: restore.failedAt }
  })
  route(app, setupEndpoints.backups, { allow: anyone }, async ({ body, address }) => {
    await refuseSetUp()
    return restore.list(body.token, address)
  })
  route(app, setupEndpoints.restore, { allow: anyone }, async ({ body, address }) => {
    await refuseSetUp()
    await restore.begin(body, address)
    return {}
  })
}
