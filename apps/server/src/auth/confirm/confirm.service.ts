import type { AuthenticationOptions, Confirmation, ConfirmationMethods } from '@pult/contract'
import type { Kysely } from 'kysely'
import type { Database } from '#platform/database/schema.ts'
import type { Caller } from '#platform/http/route.ts'
import type { OtpService } from '../../account/otp/otp.service.ts'
import type { AuditService } from '../../audit/audit.service.ts'
import type { Attempts } from '../attempts.ts'
import type { Ceremonies } from '../passkey-login/ceremonies.ts'
import type { ProvePassword } from '../password/prove-password.ts'

interface ConfirmServiceParts {
  db: Kysely<Database>
  audit: AuditService
  attempts: Attempts
  provePassword: ProvePassword
  otp: OtpService
  ceremonies: Ceremonies
}

export function createConfirmService(_parts: ConfirmServiceParts) {
  return {
    async methods(_caller: Caller): Promise<ConfirmationMethods> {
      throw new Error('not built')
    },
    async startPasskey(_caller: Caller): Promise<{ userToken: string; options: AuthenticationOptions }> {
      throw new Error('not built')
    },
    async confirm(_caller: Caller, _confirmation: Confirmation, _address: string): Promise<void> {
      throw new Error('not built')
    },
  }
}
export type ConfirmService = ReturnType<typeof createConfirmService>
