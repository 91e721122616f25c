import type { AuthenticationOptions, AuthenticationResult } from '@pult/contract'
import type { Events } from '#platform/realtime/events.ts'
import type { AuditService } from '../../audit/audit.service.ts'
import type { PeopleService } from '../../people/people.service.ts'
import { type Attempts, passkeyOptionsPolicy, passkeyPolicy } from '../attempts.ts'
import type { KnownDevices } from '../known-devices.ts'
import type { SessionService } from '../session/session.service.ts'
import type { Ceremonies, ProvenPasskey } from './ceremonies.ts'
import { createCredentialRepository } from './credential.repository.ts'

interface PasskeyLoginServiceParts {
  events: Events
  audit: AuditService
  people: PeopleService
  attempts: Attempts
  devices: KnownDevices
  sessions: SessionService
  ceremonies: Ceremonies
  /** Options per network, or for all known browsers of an account, in the window of `passkeyOptionsPolicy`. */
  optionsMost: number
}

export interface FinishedLogin {
  userToken: string
  result: AuthenticationResult
  address: string
  userAgent: string
  device: string | undefined
}

export function createPasskeyLoginService({
  events,
  audit,
  people,
  attempts,
  devices,
  sessions,
  ceremonies,
  optionsMost,
}: PasskeyLoginServiceParts) {
  const optionsPolicy = passkeyOptionsPolicy(optionsMost)

  /** Returns the token, or null if the passkey was removed or its owner disabled concurrently. */
  async function openSession(
    proven: ProvenPasskey,
    { address, userAgent, device }: Pick<FinishedLogin, 'address' | 'userAgent' | 'device'>,
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
      return isHeld ? sessions.start(trx, { personId, userAgent, address, device }) : null
    })
  }

  return {
    /** Without a username, any account may finish the ceremony: the passkey identifies it. */
    async start(
      username: string | undefined,
      browser: Pick<FinishedLogin, 'address' | 'device'>,
    ): Promise<{ userToken: string; options: AuthenticationOptions }> {
      const origin = await devices.originOf(browser)
      await attempts.refuseBlocked(passkeyPolicy, origin)
      await attempts.admitInWindow(optionsPolicy, origin)
      const person = username === undefined ? undefined : await people.findByUsername(username)
      return ceremonies.start({
        ceremony: 'login',
        isNamed: username !== undefined,
        personId: person?.id ?? null,
      })
    },

    /**
     * A passkey with user verification is two factors in one, so no one-time password is needed. Failures count
     * against the network or all known browsers of the account and never against an account itself, so strangers cannot lock an owner's
     * passkeys.
     */
    async finish({ userToken, result, address, ...browser }: FinishedLogin): Promise<{
      verified: boolean
      token?: string
    }> {
      const origin = await devices.originOf({ address, ...browser })
      await attempts.admitInWindow(passkeyPolicy, origin)
      const proven = await ceremonies.finish({ ceremony: 'login' }, { userToken, result }, address)
      const token = proven === null ? null : await openSession(proven, { address, ...browser })
      if (token === null) return { verified: false }
      await Promise.all([attempts.forgive(passkeyPolicy, origin), attempts.forgive(optionsPolicy, origin)])
      return { verified: true, token }
    },
  }
}
export type PasskeyLoginService = ReturnType<typeof createPasskeyLoginService>
