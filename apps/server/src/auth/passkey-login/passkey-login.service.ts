import type { AuthenticationOptions, AuthenticationResult } from '@pult/contract'
import { networkOf } from '#platform/http/client-address.ts'
import type { Events } from '#platform/realtime/events.ts'
import type { AuditService } from '../../audit/audit.service.ts'
import type { PeopleService } from '../../people/people.service.ts'
import { type Attempts, passkeyPolicy } from '../attempts.ts'
import type { SessionService } from '../session/session.service.ts'
import type { Ceremonies, ProvenPasskey } from './ceremonies.ts'
import { createCredentialRepository } from './credential.repository.ts'

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

export function createPasskeyLoginService({
  events,
  audit,
  people,
  attempts,
  sessions,
  ceremonies,
}: PasskeyLoginServiceParts) {
  /** Answers the token, or null when the passkey was removed or its owner disabled meanwhile. */
  async function openSession(
    proven: ProvenPasskey,
    { address, userAgent }: { address: string; userAgent: string },
  ): Promise<string | null> {
    const { personId } = proven
    return events.transaction(async (trx) => {
      const isHeld = await createCredentialRepository(trx).hold(proven)
      await audit.within(trx).record({
        event: 'login.passkey',
        result: isHeld ? 'success' : 'failure',
        ...(isHeld ? { actorId: personId } : {}),
        target: personId,
        address,
      })
      return isHeld ? sessions.start(trx, { personId, userAgent, address }) : null
    })
  }

  return {
    /** Without a name anybody can finish it: whose passkey it is says the passkey. */
    async start(
      username: string | undefined,
      address: string,
    ): Promise<{ userToken: string; options: AuthenticationOptions }> {
      await attempts.refuseBlocked(passkeyPolicy, networkOf(address))
      const person = username === undefined ? undefined : await people.findByVerifiedEmail(username)
      return ceremonies.start({
        ceremony: 'login',
        isNamed: username !== undefined,
        personId: person?.id ?? null,
      })
    },

    /**
     * A passkey that checked its user is two factors at once, so that no one-time password is asked for. Failures count
     * against the network and never against an account: nobody can lock somebody else's passkeys.
     */
    async finish({ userToken, result, address, userAgent }: FinishedLogin): Promise<{
      verified: boolean
      token?: string
    }> {
      const network = networkOf(address)
      await attempts.admitInWindow(passkeyPolicy, network)
      const proven = await ceremonies.finish({ ceremony: 'login' }, { userToken, result }, address)
      const token = proven === null ? null : await openSession(proven, { address, userAgent })
      if (token === null) return { verified: false }
      await attempts.forgive(passkeyPolicy, network)
      return { verified: true, token }
    },
  }
}
export type PasskeyLoginService = ReturnType<typeof createPasskeyLoginService>
