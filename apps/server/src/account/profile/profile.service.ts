import type { Profile } from '@pult/contract'
import type { Kysely } from 'kysely'
import type { Database } from '#platform/database/schema.ts'
import type { Caller } from '#platform/http/route.ts'
import type { AuditService } from '../../audit/audit.service.ts'

interface ProfileServiceParts {
  db: Kysely<Database>
  audit: AuditService
}

export function createProfileService(_parts: ProfileServiceParts) {
  return {
    async update(
      _caller: Caller,
      _changes: { firstname?: string | undefined; lastname?: string | undefined },
      _address: string,
    ): Promise<Profile> {
      throw new Error('not built')
    },
  }
}
export type ProfileService = ReturnType<typeof createProfileService>
