import { type FirstSteps, firstProducts, rootFirstStepsEndpoints } from '@pult/contract'
import type { FastifyInstance } from 'fastify'
import { type Kysely, sql } from 'kysely'
import type { Database } from '#platform/database/schema.ts'
import { type Caller, route } from '#platform/http/route.ts'
import { root } from '../auth/permissions.ts'
import { invitationAction } from '../invitations/invitation.ts'
import { isLinkOpen } from '../token-links/open-link.ts'

/** Ids ascend with creation, so each subquery reads one row of a primary key or stops at the first match. */
async function readFirstSteps(
  db: Kysely<Database>,
  { personId, otpEnabled }: Pick<Caller, 'personId' | 'otpEnabled'>,
): Promise<Omit<FirstSteps, 'mail' | 'backups'>> {
  const { rows } = await sql<Omit<FirstSteps, 'mail' | 'backups' | 'secondFactor'> & { hasPasskey: boolean }>`
    select
      exists (select from passkey where person_id = ${personId}::uuid) as "hasPasskey",
      (select json_build_object('_id', id, 'label', label) from organisation order by id limit 1) as organisation,
      (select json_build_object('_id', id, 'label', label) from project
        where not products <@ ${[...firstProducts]}::text[] order by id limit 1) as project,
      (select json_build_object('_id', id, 'label', label) from edge
        where enrolled_at is not null and revoked_at is null order by id limit 1) as edge,
      (select id from project where products @> '{edges}'::text[] order by id limit 1) as "edgeProject",
      coalesce(
        (select firstname || ' ' || lastname from person where id <> ${personId}::uuid order by id limit 1),
        (select email from token_link where action = ${invitationAction} and created_by is not null
          and ${isLinkOpen} order by id limit 1)
      ) as invited
  `.execute(db)
  const [found] = rows
  if (found === undefined) throw new Error('A select without a table has returned no row')
  const { hasPasskey, ...facts } = found
  return { ...facts, secondFactor: hasPasskey ? 'passkey' : otpEnabled ? 'otp' : null }
}

interface FirstStepsParts {
  db: Kysely<Database>
  hasMailServer: boolean
  /** Whether backups have a place and run by a schedule. */
  hasBackups: boolean
}

export function addFirstStepsRoutes(
  app: FastifyInstance,
  { db, hasMailServer, hasBackups }: FirstStepsParts,
): void {
  route(app, rootFirstStepsEndpoints.read, { allow: root }, async ({ caller }) => ({
    mail: hasMailServer,
    backups: hasBackups,
    ...(await readFirstSteps(db, caller)),
  }))
}
