import type { OtpEnrolment, OtpState } from '@pult/contract'
import type { Kysely, Transaction } from 'kysely'
import { AppError } from '#platform/app-error.ts'
import type { Db } from '#platform/database/database.ts'
import type { Database } from '#platform/database/schema.ts'
import type { Caller } from '#platform/http/route.ts'
import type { Events } from '#platform/realtime/events.ts'
import type { Secrets } from '#platform/secrets.ts'
import type { AuditService } from '../../audit/audit.service.ts'
import { type Attempts, secondFactorPolicy } from '../../auth/attempts.ts'
import type { NoticeLock } from '../../auth/lock-notice.ts'
import type { Revoke } from '../../auth/revocation.ts'
import type { PeopleService } from '../../people/people.service.ts'
import type { NoticeService } from '../notices/notice.service.ts'
import { createOtpRepository } from './otp.repository.ts'
import { hashRecoveryCode, newRecoveryCodes, recoveryCodesIn } from './recovery-codes.ts'
import { newSeed, otpAuthUrl, stepOf } from './totp.ts'

export interface OtpServiceParts {
  db: Kysely<Database>
  events: Events
  audit: AuditService
  people: PeopleService
  secrets: Secrets
  attempts: Attempts
  notices: NoticeService
  noticeLock: NoticeLock
  revoke: Revoke
}

const purpose = 'otp'

/**
 * One-time passwords of an account. Every change locks the person row first, so concurrent changes run one after
 * another.
 */
export function createOtpService(parts: OtpServiceParts) {
  const { db, events, audit, people, secrets, attempts, notices, noticeLock, revoke } = parts
  const read = createOtpRepository(db)

  const newEnrolment = (label: string) => {
    const seed = newSeed()
    const shown: OtpEnrolment = { otpAuthUrl: otpAuthUrl(seed, label), recoveryCodes: newRecoveryCodes() }
    return { sealed: secrets.seal(purpose, seed), shown }
  }

  const stepOfCode = (otp: string, { seed, now }: { seed: Buffer; now: Date }) =>
    stepOf(secrets.open(purpose, seed), otp, now)

  /** Finds the person's codes in a pasted text, used or not. */
  async function findCodes(trx: Db, personId: string, pasted: string): Promise<string[]> {
    const candidates = recoveryCodesIn(pasted)
    const codes = await createOtpRepository(trx).listCodes(personId)
    return codes
      .filter(({ salt, hash }) =>
        candidates.some((candidate) => hashRecoveryCode(salt, candidate).equals(hash)),
      )
      .map(({ id }) => id)
  }

  /** Removes the factor and ends all other sessions. */
  async function forget(
    personId: string,
    by: {
      caller: Caller
      address: string
      event: 'otp.disabled' | 'otp.reset'
      notice: 'otp-disabled' | 'otp-reset'
    },
  ): Promise<void> {
    const { caller, address, event, notice } = by
    await events.transaction(async (trx, emit) => {
      await people.within(trx).lock(personId)
      if (!(await createOtpRepository(trx).remove(personId))) throw new AppError('OTP_NOT_ENABLED')
      await revoke(trx, emit, { personId, exceptSessionId: caller.sessionId })
      await audit
        .within(trx)
        .record({ event, result: 'success', actorId: caller.personId, target: personId, address })
      await notices.send(trx, personId, { kind: notice })
    })
  }

  return {
    async read(personId: string): Promise<OtpState> {
      const enabled = await read.read(personId)
      return {
        isEnabled: enabled !== undefined,
        enabledAt: enabled?.enabled_at?.toISOString() ?? null,
        recoveryCodesLeft: enabled?.codesLeft ?? 0,
      }
    },

    /** Starts enrolment. The active factor remains until `activate` receives a code of the new seed. */
    async init({ personId, email }: Caller): Promise<OtpEnrolment> {
      const { sealed, shown } = newEnrolment(email)
      await db.transaction().execute(async (trx) => {
        await people.within(trx).lock(personId)
        await createOtpRepository(trx).setPending(personId, sealed, shown.recoveryCodes)
      })
      return shown
    },

    async activate({ personId, sessionId }: Caller, otp: string, address: string): Promise<void> {
      if ((await read.findPendingSeed(personId)) === undefined) throw new AppError('OTP_NOT_STARTED')
      const failures = await attempts.admit(secondFactorPolicy, personId)
      const row = { event: 'otp.enabled', actorId: personId, target: personId, address } as const
      const isActivated = await events.transaction(async (trx, emit) => {
        await people.within(trx).lock(personId)
        const within = createOtpRepository(trx)
        const pending = await within.findPendingSeed(personId)
        if (pending === undefined) throw new AppError('OTP_NOT_STARTED')
        const step = stepOfCode(otp, pending)
        if (step === null) return false

        await within.activatePending(personId, step)
        await attempts.within(trx).succeed(secondFactorPolicy, personId)
        await revoke(trx, emit, { personId, exceptSessionId: sessionId })
        await audit.within(trx).record({ ...row, result: 'success' })
        await notices.send(trx, personId, { kind: 'otp-enabled' })
        return true
      })
      if (isActivated) return
      await audit.record({ ...row, result: 'failure' })
      await noticeLock(secondFactorPolicy, failures, { personId, address })
      throw new AppError('OTP_REFUSED')
    },

    disable: (caller: Caller, address: string): Promise<void> =>
      forget(caller.personId, { caller, address, event: 'otp.disabled', notice: 'otp-disabled' }),

    /** Root removes the factor of a user who lost it. The next sign-in needs only the password. */
    async reset(caller: Caller, personId: string, address: string): Promise<void> {
      if ((await people.findById(personId)) === undefined) throw new AppError('NOT_FOUND')
      await forget(personId, { caller, address, event: 'otp.reset', notice: 'otp-reset' })
    },

    /** Ends no session: the factors of a sign-in stay the same, and a recovery code alone opens no session. */
    async renewRecoveryCodes({ personId }: Caller, address: string): Promise<string[]> {
      const codes = newRecoveryCodes()
      await db.transaction().execute(async (trx) => {
        await people.within(trx).lock(personId)
        const within = createOtpRepository(trx)
        if ((await within.read(personId)) === undefined) throw new AppError('OTP_NOT_ENABLED')
        await within.replaceCodes(personId, codes)
        await audit.within(trx).record({
          event: 'otp.codes-renewed',
          result: 'success',
          actorId: personId,
          target: personId,
          address,
        })
        await notices.send(trx, personId, { kind: 'recovery-codes-renewed' })
      })
      return codes
    },

    /** Returns whether the account has an active factor, in the given transaction if any. */
    async isEnabled(personId: string, trx: Db = db): Promise<boolean> {
      return (await createOtpRepository(trx).findSeed(personId)) !== undefined
    },

    /** Consumes a current, unused code in the transaction. Returns false for any other code. Counts no attempt. */
    async consume(trx: Transaction<Database>, personId: string, otp: string): Promise<boolean> {
      const within = createOtpRepository(trx)
      const active = await within.findSeed(personId)
      const step = active === undefined ? null : stepOfCode(otp, active)
      return step !== null && within.useStep(personId, step)
    },

    /**
     * Consumes one unused recovery code of the pasted text and replaces seed and codes, which are active immediately.
     * Returns null if the text contains no unused code of the user. Counts no attempt.
     */
    async recover(
      trx: Transaction<Database>,
      personId: string,
      pasted: string,
    ): Promise<OtpEnrolment | null> {
      const peopleWithin = people.within(trx)
      await peopleWithin.lock(personId)
      const person = await peopleWithin.findById(personId)
      const codeIds = await findCodes(trx, personId, pasted)
      const within = createOtpRepository(trx)
      if (person === undefined || !(await within.useCodes(codeIds))) return null
      const { sealed, shown } = newEnrolment(person.email)
      await within.replace(personId, sealed, shown.recoveryCodes)
      return shown
    },
  }
}
export type OtpService = ReturnType<typeof createOtpService>
