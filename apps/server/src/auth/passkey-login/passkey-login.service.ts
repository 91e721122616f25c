import type { AuthenticationOptions, AuthenticationResult } from '@pult/contract'
import type { Events } from '#platform/realtime/events.ts'
import type { AuditService } from '../../audit/audit.service.ts'
import type { PeopleService } from '../../people/people.service.ts'
import type { Attempts } from '../attempts.ts'
import type { SessionService } from '../session/session.service.ts'
import type { Ceremonies } from './ceremonies.ts'

interface PasskeyLoginServiceParts {
  events: Events
  audit: AuditService
  people: PeopleService
  attempts: Attempts
  sessions: SessionService
  ceremonies: Ceremonies
}

export interface FinishedLogin {
  userToken: string
  result: AuthenticationResult
  address: string
  userAgent: string
}

export function createPasskeyLoginService(_parts: PasskeyLoginServiceParts) {
  return {
    async start(
      _username: string | undefined,
      _address: string,
    ): Promise<{ userToken: string; options: AuthenticationOptions }> {
      throw new Error('not built')
    },
    async finish(_login: FinishedLogin): Promise<{ verified: boolean; token?: string }> {
      throw new Error('not built')
    },
  }
}
export type PasskeyLoginService = ReturnType<typeof createPasskeyLoginService>
