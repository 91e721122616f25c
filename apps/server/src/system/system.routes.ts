import { type Build, systemEndpoints } from '@pult/contract'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import { route } from '#platform/http/route.ts'
import { anyone } from '../auth/permissions.ts'

interface SystemParts {
  db: Db
  build: Build
  contactUrl: string | null
  privacyUrl: string | null
  imprintUrl: string | null
}

export function addSystemRoutes(app: FastifyInstance, parts: SystemParts): void {
  const { db, build, contactUrl, privacyUrl, imprintUrl } = parts
  route(app, systemEndpoints.build, { allow: anyone }, () => build)
  route(app, systemEndpoints.live, { allow: anyone }, () => ({ status: 'ok' as const }))
  route(app, systemEndpoints.ready, { allow: anyone }, async () => {
    await sql`select 1 from kysely_migration limit 1`.execute(db)
    return { status: 'ok' as const }
  })
  route(app, systemEndpoints.settings, { allow: anyone }, () => ({ contactUrl, privacyUrl, imprintUrl }))
}
