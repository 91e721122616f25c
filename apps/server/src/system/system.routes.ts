import { type Build, systemEndpoints } from '@pult/contract'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { AppError } from '#platform/app-error.ts'
import type { Db } from '#platform/database/database.ts'
import type { DiskSpace } from '#platform/disk-space.ts'
import { route } from '#platform/http/route.ts'
import { anyone } from '../auth/permissions.ts'

interface SystemParts {
  db: Db
  build: Build
  disk: Pick<DiskSpace, 'isFull'>
  /** Returns whether the server is about to stop. */
  isStopping: () => boolean
  contactUrl: string | null
  privacyUrl: string | null
  imprintUrl: string | null
}

export function addSystemRoutes(app: FastifyInstance, parts: SystemParts): void {
  const { db, build, disk, isStopping, contactUrl, privacyUrl, imprintUrl } = parts
  route(app, systemEndpoints.build, { allow: anyone }, () => build)
  route(app, systemEndpoints.live, { allow: anyone }, () => ({ status: 'ok' as const }))
  route(app, systemEndpoints.ready, { allow: anyone }, async () => {
    if (isStopping()) throw new AppError('BUSY')
    if (disk.isFull()) throw new AppError('SERVER_DISK_FULL')
    await sql`select 1 from kysely_migration limit 1`.execute(db)
    return { status: 'ok' as const }
  })
  route(app, systemEndpoints.settings, { allow: anyone }, () => ({ contactUrl, privacyUrl, imprintUrl }))
}
