import { backupEndpoints } from '@pult/contract'
import type { FastifyInstance } from 'fastify'
import { route } from '#platform/http/route.ts'
import { root, rootRecently } from '../auth/permissions.ts'
import type { BackupService } from './backup.service.ts'

export function addBackupRoutes(app: FastifyInstance, backups: BackupService): void {
  route(app, backupEndpoints.read, { allow: root }, () => backups.read())
  route(app, backupEndpoints.start, { allow: rootRecently }, ({ caller, address }) =>
    backups.start(caller.personId, address),
  )
}
