import type { Profile } from '@pult/contract'
import { type Kysely, sql } from 'kysely'
import { AppError } from '#platform/app-error.ts'
import type { Database } from '#platform/database/schema.ts'
import type { Caller } from '#platform/http/route.ts'
import type { AuditService } from '../../audit/audit.service.ts'

interface ProfileServiceParts {
  db: Kysely<Database>
  audit: AuditService
}

interface ProfileChanges {
  firstname?: string | undefined
  lastname?: string | undefined
}

export function createProfileService({ db, audit }: ProfileServiceParts) {
  return {
    /** Writes only the fields of the body, so that two screens do not undo each other's changes. */
    async update({ personId }: Caller, changes: ProfileChanges, address: string): Promise<Profile> {
      const fields = Object.keys(changes)
      if (fields.length === 0) {
        return db
          .selectFrom('person')
          .select(['firstname', 'lastname'])
          .where('id', '=', personId)
          .executeTakeFirstOrThrow()
      }
      const row = {
        event: 'profile.changed',
        result: 'success',
        actorId: personId,
        target: personId,
        address,
        detail: { fields },
      } as const
      // A single statement needs one round trip and no transaction.
      const { rows } = await sql<Profile>`
        with changed as (
          update person set firstname = coalesce(${changes.firstname ?? null}, firstname),
            lastname = coalesce(${changes.lastname ?? null}, lastname)
          where id = ${personId} returning firstname, lastname
        ), recorded as (
          ${audit.recordForEach(sql`changed`, row)}
        )
        select firstname, lastname from changed`.execute(db)
      const [profile] = rows
      if (profile === undefined) throw new AppError('UNAUTHENTICATED')
      return profile
    },
  }
}
export type ProfileService = ReturnType<typeof createProfileService>
