import { edgeValueEndpoints } from '@pult/contract'
import type { FastifyInstance } from 'fastify'
import { AppError } from '#platform/app-error.ts'
import type { Db } from '#platform/database/database.ts'
import { type Caller, type Permission, route } from '#platform/http/route.ts'
import { readValuesGrowth } from './growth.ts'
import { rings } from './rings.ts'

interface ValuesGrowthRoutesParts {
  db: Db
  /** Bytes of the values of a project. */
  quota: number
  /** Permission to see the edges of a project. */
  allow: Permission<Caller>
}

export function addValuesGrowthRoutes(
  app: FastifyInstance,
  { db, quota, allow }: ValuesGrowthRoutesParts,
): void {
  route(app, edgeValueEndpoints.growth, { allow }, async ({ params: { projectId } }) => {
    const [growth] = await readValuesGrowth(db, quota, projectId)
    if (growth === undefined) throw new AppError('NOT_FOUND')
    const { used, fullIn, kinds } = growth
    return {
      used,
      quota,
      fullIn,
      parts: kinds.map(({ kind, perDay, days, kept }) => ({
        part: rings[kind].setting,
        perDay: Math.round(perDay),
        days,
        kept,
      })),
    }
  })
}
