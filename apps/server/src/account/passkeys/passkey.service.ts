import type { Passkey, RegistrationOptions, RegistrationResult } from '@pult/contract'
import type { Kysely } from 'kysely'
import type { Database } from '#platform/database/schema.ts'
import type { Caller } from '#platform/http/route.ts'
import type { Log } from '#platform/log.ts'
import type { AuditService } from '../../audit/audit.service.ts'
import type { PeopleService } from '../../people/people.service.ts'
import type { NoticeService } from '../notices/notice.service.ts'

interface PasskeyServiceParts {
  db: Kysely<Database>
  audit: AuditService
  people: PeopleService
  notices: NoticeService
  log: Log
  publicUrl: string
}

export function createPasskeyService(_parts: PasskeyServiceParts) {
  return {
    async list(_personId: string): Promise<Passkey[]> {
      throw new Error('not built')
    },
    async startRegistration(_caller: Caller): Promise<RegistrationOptions> {
      throw new Error('not built')
    },
    async finishRegistration(
      _caller: Caller,
      _input: { result: RegistrationResult; label: string },
      _address: string,
    ): Promise<Passkey> {
      throw new Error('not built')
    },
    async remove(_caller: Caller, _passkeyId: string, _address: string): Promise<void> {
      throw new Error('not built')
    },
  }
}
export type PasskeyService = ReturnType<typeof createPasskeyService>
