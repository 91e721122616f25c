import type { Profile } from '@pult/contract'
import type { Kysely } from 'kysely'
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
    /** Writes the fields that are sent and no other: two screens that change one each do not undo each other. */
    async update({ personId }: Caller, changes: ProfileChanges, address: string): Promise<Profile> {
      const fields = Object.keys(changes)
      if (fields.length === 0) {
        return db
          .selectFrom('person')
          .select(['firstname', 'lastname'])
          .where('id', '=', personId)
          .executeTakeFirstOrThrow()
      }
      return db.transaction().execute(async (trx) => {
        const profile = await trx
          .updateTable('person')
          .set(changes)
          .where('id', '=', personId)
          .returning(['firstname', 'lastname'])
          .executeTakeFirstOrThrow()
        await audit.within(trx).record({
          event: 'profile.changed',
          result: 'success',
          actorId: personId,
          target: personId,
          address,
          detail: { fields },
        })
        return profile
      })
    },
  }
}
export type ProfileService = ReturnType<typeof createProfileService>
