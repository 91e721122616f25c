import type { AuthenticationOptions, Confirmation, ConfirmationMethods } from '@pult/contract'
import type { Kysely, Transaction } from 'kysely'
import { AppError } from '#platform/app-error.ts'
import type { Database } from '#platform/database/schema.ts'
import type { Caller } from '#platform/http/route.ts'
import type { OtpService } from '../../account/otp/otp.service.ts'
import type { AuditService } from '../../audit/audit.service.ts'
import { type Attempts, passkeyPolicy, secondFactorPolicy } from '../attempts.ts'
import { rememberDevice } from '../known-devices.ts'
import type { NoticeLock } from '../lock-notice.ts'
import type { Ceremonies } from '../passkey-login/ceremonies.ts'
import type { AttemptOrigin, ProvePassword } from '../password/prove-password.ts'
import { createConfirmRepository } from './confirm.repository.ts'

interface ConfirmServiceParts {
  db: Kysely<Database>
  audit: AuditService
  attempts: Attempts
  provePassword: ProvePassword
  otp: OtpService
  ceremonies: Ceremonies
  noticeLock: NoticeLock
}

/** Checks a proof. Consuming it is part of the transaction that accepts it. */
type Check = (trx: Transaction<Database>) => Promise<boolean>

/**
 * Step-up authentication of a session. While a second factor is active, the password alone is not a proof. A wrong
 * proof counts like a failed sign-in by the same means.
 */
export function createConfirmService({
  db,
  audit,
  attempts,
  provePassword,
  otp,
  ceremonies,
  noticeLock,
}: ConfirmServiceParts) {
  const confirmations = createConfirmRepository(db)

  async function checkPassword(caller: Caller, password: string, origin: AttemptOrigin): Promise<Check> {
    const isRight = await provePassword(caller, password, origin)
    return async () => isRight
  }

  async function checkOtp({ personId }: Caller, code: string, address: string): Promise<Check> {
    const failures = await attempts.admit(secondFactorPolicy, personId)
    return async (trx) => {
      const isRight = await otp.consume(trx, personId, code)
      if (isRight) await attempts.within(trx).succeed(secondFactorPolicy, personId)
      else await noticeLock(secondFactorPolicy, failures, { personId, address }, trx)
      return isRight
    }
  }

  async function checkPasskey(
    { personId, sessionId }: Caller,
    answer: Extract<Confirmation, { type: 'passkey' }>,
    address: string,
  ): Promise<Check> {
    // Per session, so that a stolen one cannot block the proofs of its owner.
    await attempts.admitInWindow(passkeyPolicy, sessionId)
    const proven = await ceremonies.finish({ ceremony: 'confirmation', sessionId }, answer, address)
    const isRight = proven?.personId === personId
    if (isRight) await attempts.forgive(passkeyPolicy, sessionId)
    return async () => isRight
  }

  function check(caller: Caller, confirmation: Confirmation, origin: AttemptOrigin): Promise<Check> {
    switch (confirmation.type) {
      case 'password':
        return checkPassword(caller, confirmation.password, origin)
      case 'otp':
        return checkOtp(caller, confirmation.otp, origin.address)
      case 'passkey':
        return checkPasskey(caller, confirmation, origin.address)
    }
  }

  return {
    async methods({ personId }: Caller): Promise<ConfirmationMethods> {
      const [password, isOtpEnabled, passkey] = await Promise.all([
        confirmations.hasPassword(personId),
        otp.isEnabled(personId),
        confirmations.hasPasskey(personId),
      ])
      return { password: password && !isOtpEnabled, otp: isOtpEnabled, passkey }
    },

    /** Starts a ceremony that one of the user's own passkeys must finish in this session. */
    startPasskey({
      personId,
      sessionId,
    }: Caller): Promise<{ userToken: string; options: AuthenticationOptions }> {
      return ceremonies.start({ ceremony: 'confirmation', personId, sessionId })
    },

    async confirm(caller: Caller, confirmation: Confirmation, origin: AttemptOrigin): Promise<void> {
      if (confirmation.type === 'password' && caller.otpEnabled) throw new AppError('SECOND_FACTOR_NEEDED')
      const isRightWithin = await check(caller, confirmation, origin)
      const isConfirmed = await db.transaction().execute(async (trx) => {
        const isRight = await isRightWithin(trx)
        if (isRight) {
          // First, because it locks the person like all changes to the sign-in.
          await rememberDevice(trx, caller.personId, origin.device)
          await createConfirmRepository(trx).markAuthenticated(caller.sessionId)
        }
        await audit.within(trx).record({
          event: 'login.confirmed',
          result: isRight ? 'success' : 'failure',
          ...(isRight ? { actorId: caller.personId } : {}),
          target: caller.personId,
          address: origin.address,
          detail: { by: confirmation.type },
        })
        return isRight
      })
      // Not a 401: the session remains valid, so the user can try again.
      if (!isConfirmed) throw new AppError('NOT_CONFIRMED')
    },
  }
}
export type ConfirmService = ReturnType<typeof createConfirmService>
