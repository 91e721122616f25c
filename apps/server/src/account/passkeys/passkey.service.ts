import { limits, type Passkey, type RegistrationOptions, type RegistrationResult } from '@pult/contract'
import type { Kysely, Transaction } from 'kysely'
import { AppError } from '#platform/app-error.ts'
import type { Database } from '#platform/database/schema.ts'
import type { Caller } from '#platform/http/route.ts'
import type { Log } from '#platform/log.ts'
import type { AuditService } from '../../audit/audit.service.ts'
import { ceremonyLifetime, createChallenges } from '../../auth/passkey-login/challenges.ts'
import {
  challengeOf,
  createRelyingParty,
  keyAlgorithms,
  type RegisteredCredential,
  userHandleOf,
} from '../../auth/passkey-login/relying-party.ts'
import type { PeopleService } from '../../people/people.service.ts'
import type { NoticeService } from '../notices/notice.service.ts'
import { createPasskeyRepository } from './passkey.repository.ts'

interface PasskeyServiceParts {
  db: Kysely<Database>
  audit: AuditService
  people: PeopleService
  notices: NoticeService
  log: Log
  publicUrl: string
}

export function createPasskeyService({ db, audit, people, notices, log, publicUrl }: PasskeyServiceParts) {
  const passkeys = createPasskeyRepository(db)
  const challenges = createChallenges(db)
  const relyingParty = createRelyingParty({ publicUrl, log })

  /** Consumes the challenge before any verification. */
  async function verify(caller: Caller, result: RegistrationResult): Promise<RegisteredCredential | null> {
    const challenge = await challengeOf(result)
    if (challenge === null) return null
    const taken = await challenges.takeRegistration(caller.sessionId, challenge)
    return taken === undefined ? null : relyingParty.verifyRegistration(result, taken.isFor)
  }

  /** Serialises changes to one person's sign-in, because each may end the session of the next. */
  async function change<Result>(
    { personId, sessionId }: Caller,
    work: (trx: Transaction<Database>) => Promise<Result>,
  ): Promise<Result> {
    return db.transaction().execute(async (trx) => {
      await people.within(trx).lock(personId)
      if (!(await createPasskeyRepository(trx).isSessionOpen(sessionId)))
        throw new AppError('UNAUTHENTICATED')
      return work(trx)
    })
  }

  return {
    list: passkeys.list,

    async startRegistration(caller: Caller): Promise<RegistrationOptions> {
      const { personId, sessionId, email, firstname, lastname } = caller
      const own = await passkeys.credentialsOf(personId)
      if (own.length >= limits.passkeysMax) throw new AppError('TOO_MANY_PASSKEYS')
      return {
        challenge: await challenges.issue({ ceremony: 'registration', isNamed: true, personId, sessionId }),
        rp: { id: relyingParty.id, name: relyingParty.name },
        user: { id: userHandleOf(personId), name: email, displayName: `${firstname} ${lastname}` },
        pubKeyCredParams: keyAlgorithms.map((alg) => ({ alg, type: 'public-key' })),
        timeout: ceremonyLifetime,
        attestation: 'none',
        excludeCredentials: own.map(({ id, transports }) => ({ id, type: 'public-key', transports })),
        authenticatorSelection: {
          residentKey: 'required',
          requireResidentKey: true,
          userVerification: 'required',
        },
        extensions: { credProps: true },
      }
    },

    async finishRegistration(
      caller: Caller,
      { result, label }: { result: RegistrationResult; label: string },
      address: string,
    ): Promise<Passkey> {
      const { personId } = caller
      const credential = await verify(caller, result)
      if (credential === null) throw new AppError('PASSKEY_NOT_ACCEPTED')
      return change(caller, async (trx) => {
        const passkeysWithin = createPasskeyRepository(trx)
        if ((await passkeysWithin.count(personId)) >= limits.passkeysMax) {
          throw new AppError('TOO_MANY_PASSKEYS')
        }
        const { transports = [] } = result.response
        const added = await passkeysWithin.add({ ...credential, personId, transports, label })
        if (added === undefined) throw new AppError('PASSKEY_ADDED_ALREADY')
        await audit.within(trx).record({
          event: 'passkey.added',
          result: 'success',
          actorId: personId,
          target: personId,
          address,
          detail: { about: label },
        })
        await notices.send(trx, personId, { kind: 'passkey-added', label })
        return added
      })
    },

    /** Removes a passkey. Sessions that it opened remain; the owner can end them in the list of sessions. */
    async remove(caller: Caller, passkeyId: string, address: string): Promise<void> {
      const { personId } = caller
      await change(caller, async (trx) => {
        const passkeysWithin = createPasskeyRepository(trx)
        const label = await passkeysWithin.remove(personId, passkeyId)
        if (label === undefined) throw new AppError('NOT_FOUND')
        const person = await people.within(trx).findById(personId)
        const hasPassword = person !== undefined && person.password_hash !== null
        if (!hasPassword && (await passkeysWithin.count(personId)) === 0) {
          throw new AppError('LAST_LOGIN_METHOD')
        }
        await audit.within(trx).record({
          event: 'passkey.removed',
          result: 'success',
          actorId: personId,
          target: personId,
          address,
          detail: { about: label },
        })
        await notices.send(trx, personId, { kind: 'passkey-removed', label })
      })
    },
  }
}
export type PasskeyService = ReturnType<typeof createPasskeyService>
