import type { OtpEnrolment, OtpState } from '@pult/contract'
import type { Kysely, Transaction } from 'kysely'
import type { Database } from '#platform/database/schema.ts'
import type { Caller } from '#platform/http/route.ts'
import type { Events } from '#platform/realtime/events.ts'
import type { Secrets } from '#platform/secrets.ts'
import type { AuditService } from '../../audit/audit.service.ts'
import type { Attempts } from '../../auth/attempts.ts'
import type { Revoke } from '../../auth/revocation.ts'
import type { PeopleService } from '../../people/people.service.ts'
import type { NoticeService } from '../notices/notice.service.ts'

export interface OtpServiceParts {
  db: Kysely<Database>
  events: Events
  audit: AuditService
  people: PeopleService
  secrets: Secrets
  attempts: Attempts
  notices: NoticeService
  revoke: Revoke
}

export function createOtpService(_parts: OtpServiceParts) {
  return {
    async read(_personId: string): Promise<OtpState> {
      throw new Error('not built')
    },
    async init(_caller: Caller): Promise<OtpEnrolment> {
      throw new Error('not built')
    },
    async activate(_caller: Caller, _otp: string, _address: string): Promise<void> {
      throw new Error('not built')
    },
    async disable(_caller: Caller, _address: string): Promise<void> {
      throw new Error('not built')
    },
    async renewRecoveryCodes(_caller: Caller, _address: string): Promise<string[]> {
      throw new Error('not built')
    },

    /** Whether the account asks for a one-time password. */
    async isEnabled(_personId: string): Promise<boolean> {
      throw new Error('not built')
    },
    /** Whether this is a code of now that has not been used; using it up is part of the transaction. Counts no try. */
    async consume(_trx: Transaction<Database>, _personId: string, _otp: string): Promise<boolean> {
      throw new Error('not built')
    },
    /**
     * Uses up one recovery code among what was pasted and replaces seed and codes by new ones, which count at once.
     * Null when none of them is an unused code of the person. Counts no try.
     */
    async recover(
      _trx: Transaction<Database>,
      _personId: string,
      _pasted: string,
    ): Promise<OtpEnrolment | null> {
      throw new Error('not built')
    },
  }
}
export type OtpService = ReturnType<typeof createOtpService>
