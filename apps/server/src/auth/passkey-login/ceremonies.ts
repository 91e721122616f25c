import type { AuthenticationOptions, AuthenticationResult } from '@pult/contract'
import type { OpenDatabase } from '#platform/database/database.ts'
import type { Log } from '#platform/log.ts'
import { newToken } from '#platform/secrets.ts'
import type { NoticeService } from '../../account/notices/notice.service.ts'
import type { AuditService } from '../../audit/audit.service.ts'
import { ceremonyLifetime, createChallenges, type TakenChallenge } from './challenges.ts'
import { createCredentialRepository, type StoredCredential } from './credential.repository.ts'
import { createRelyingParty, obstacleOf, userHandleOf } from './relying-party.ts'

export interface CeremoniesParts {
  db: OpenDatabase['db']
  audit: AuditService
  notices: NoticeService
  log: Log
  publicUrl: string
}

/** The accounts that may answer: any account, one named account (which may not exist), or the user of a session. */
export type AskedFor =
  | { ceremony: 'login'; isNamed: boolean; personId: string | null }
  | { ceremony: 'confirmation'; personId: string; sessionId: string }

export interface ProvenPasskey {
  personId: string
  passkeyId: string
}

/** Starts and finishes passkey ceremonies for sign-in and confirmation. */
export function createCeremonies({ db, audit, notices, log, publicUrl }: CeremoniesParts) {
  const challenges = createChallenges(db)
  const credentials = createCredentialRepository(db)
  const relyingParty = createRelyingParty({ publicUrl, log })
  const obstacle = obstacleOf(publicUrl)
  if (obstacle !== null)
    log.warn(
      `browsers do not offer passkeys, because ${publicUrl} ${obstacle}: set PULT_URL to an https address with a host name, such as https://pult.example.org`,
    )

  /**
   * Records the counter of a use. A counter that does not grow may mean a cloned passkey: the owner is notified and
   * the use is refused.
   */
  async function recordUse(passkey: StoredCredential, counter: number, address: string): Promise<boolean> {
    const { id, personId, label } = passkey
    return db.transaction().execute(async (trx) => {
      const credentialsWithin = createCredentialRepository(trx)
      if (await credentialsWithin.recordUse(id, counter)) return true
      // A passkey that was removed concurrently is not suspicious.
      if (!(await credentialsWithin.exists(id))) return false
      log.warn({ personId, passkeyId: id }, 'the counter of a passkey did not grow')
      await audit.within(trx).record({
        event: 'passkey.suspicious',
        result: 'failure',
        target: personId,
        address,
        detail: { about: label },
      })
      await notices.send(trx, personId, { kind: 'passkey-suspicious', label })
      return false
    })
  }

  async function prove(
    taken: TakenChallenge | undefined,
    passkey: StoredCredential | undefined,
    result: AuthenticationResult,
    address: string,
  ): Promise<ProvenPasskey | null> {
    if (taken === undefined || passkey === undefined) return null
    const { id: passkeyId, personId } = passkey
    // https://www.w3.org/TR/webauthn-3/#sctn-verifying-assertion (step 6)
    if (taken.isNamed && taken.personId !== personId) return null
    if (result.response.userHandle !== userHandleOf(personId)) return null
    const verified = await relyingParty.verifyAuthentication(result, taken.isFor, passkey.publicKey)
    if (verified === null || !(await recordUse(passkey, verified.counter, address))) return null
    return { personId, passkeyId }
  }

  return {
    /**
     * Starts a ceremony. The options list no credentials: the authenticator finds discoverable ones itself, and the
     * answer is the same for every name.
     */
    async start(who: AskedFor): Promise<{ userToken: string; options: AuthenticationOptions }> {
      const userToken = newToken()
      const challenge = await challenges.issue({
        ceremony: who.ceremony,
        isNamed: who.ceremony === 'confirmation' || who.isNamed,
        personId: who.personId,
        sessionId: who.ceremony === 'confirmation' ? who.sessionId : null,
        userToken,
      })
      return {
        userToken,
        options: {
          challenge,
          rpId: relyingParty.id,
          timeout: ceremonyLifetime,
          allowCredentials: [],
          userVerification: 'required',
        },
      }
    },

    /**
     * Finishes and consumes the ceremony. Returns null for every invalid proof. The caller checks whether the person
     * may sign in.
     */
    async finish(
      who: { ceremony: 'login' } | { ceremony: 'confirmation'; sessionId: string },
      { userToken, result }: { userToken: string; result: AuthenticationResult },
      address: string,
    ): Promise<ProvenPasskey | null> {
      const { ceremony } = who
      const sessionId = ceremony === 'confirmation' ? who.sessionId : null
      const taken = await challenges.takeByUserToken({ ceremony, sessionId }, userToken)
      const passkey = await credentials.find(result.id)
      const proven = await prove(taken, passkey, result, address)
      // Recorded here because only this point knows the user whom the ceremony named.
      if (proven === null && ceremony === 'login') {
        await audit.record({
          event: 'login.passkey',
          result: 'failure',
          ...(passkey === undefined ? {} : { target: passkey.personId }),
          address,
        })
      }
      return proven
    },
  }
}
export type Ceremonies = ReturnType<typeof createCeremonies>

export { sweepCeremonies } from './challenges.ts'
