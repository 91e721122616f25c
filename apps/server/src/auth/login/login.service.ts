import type { ErrorCode } from '@pult/contract'
import { AppError } from '#platform/app-error.ts'
import { networkOf } from '#platform/http/client-address.ts'
import type { Log } from '#platform/log.ts'
import type { Events } from '#platform/realtime/events.ts'
import type { Secrets } from '#platform/secrets.ts'
import type { OtpService } from '../../account/otp/otp.service.ts'
import type { AuditService } from '../../audit/audit.service.ts'
import { emailKey } from '../../people/email-address.ts'
import type { PeopleService } from '../../people/people.service.ts'
import {
  type Attempts,
  alarmPolicy,
  type EscalatingPolicy,
  networkPolicy,
  passwordPolicy,
  secondFactorPolicy,
} from '../attempts.ts'
import type { NoticeLock } from '../lock-notice.ts'
import type { HashQueue } from '../password/hash-queue.ts'
import { dummyHash, hashPassword, isWeakerHash, verifyPassword } from '../password/password-hash.ts'
import type { SessionService } from '../session/session.service.ts'
import type { Vouchers } from './vouchers.ts'

interface LoginServiceParts {
  events: Events
  audit: AuditService
  people: PeopleService
  secrets: Secrets
  attempts: Attempts
  hashes: HashQueue
  sessions: SessionService
  vouchers: Vouchers
  otp: OtpService
  noticeLock: NoticeLock
  log: Log
}

export interface PasswordLogin {
  username: string
  password: string
  address: string
  userAgent: string
}

export interface OtpLogin {
  voucher: string
  otp: string
  address: string
  userAgent: string
}

/** What comes next: a token signs in, a voucher waits for the second factor. */
export type LoginAnswer = { next: 'redeem'; token: string } | { next: 'otp'; voucher: string }

/** Of a second factor; everything else that ends a login says nothing about the try. */
const refusals: ReadonlySet<ErrorCode> = new Set(['INVALID_OTP', 'VOUCHER_NOT_VALID'])

export function createLoginService(parts: LoginServiceParts) {
  const { events, audit, people, secrets, attempts, hashes, sessions, vouchers, otp, noticeLock, log } = parts

  /** The hash that now stands for the password: a new one where the old was made with less work than is asked today. */
  async function strengthened(personId: string, stored: string, password: string): Promise<string> {
    if (!isWeakerHash(stored)) return stored
    const stronger = await hashes(() => hashPassword(password))
    await people.replacePasswordHash(personId, stored, stronger)
    return stronger
  }

  /** Admits a try of an account whose network was admitted. */
  async function admit(policy: EscalatingPolicy, account: string, network: string): Promise<number> {
    return attempts.admit(policy, account).catch(async (refusal: unknown) => {
      // Nothing was tried, so the others behind this address are not made to pay.
      await attempts.forgive(networkPolicy, network)
      throw refusal
    })
  }

  /** A right try counts neither for its account nor for its network. */
  async function forgive(policy: EscalatingPolicy, account: string, network: string): Promise<void> {
    await Promise.all([attempts.succeed(policy, account), attempts.forgive(networkPolicy, network)])
  }

  async function recordFailure(
    event: 'login.password' | 'login.otp',
    target: string | undefined,
    address: string,
  ): Promise<void> {
    await audit.record({ event, result: 'failure', ...(target === undefined ? {} : { target }), address })
    if (await attempts.passesLimit(alarmPolicy, 'login')) {
      const { most, seconds } = alarmPolicy
      log.warn({ most, seconds }, 'more logins fail than people mistype: somebody may be trying passwords')
    }
  }

  return {
    /**
     * Answers a token for the right password, or a voucher where the account asks for a second factor. An unknown name,
     * a wrong password and a disabled account do the same work and get the same answer, and are limited alike.
     */
    async byPassword({ username, password, address, userAgent }: PasswordLogin): Promise<LoginAnswer> {
      const network = networkOf(address)
      // All but a look waits in the queue: a flood of logins leaves the database to other calls, and a try that never got
      // its turn does not count. Whose turn has come is let in or turned away when the try is counted.
      if (hashes.isBusy()) await attempts.refuseBlocked(networkPolicy, network)
      const { person, account, failures, isRight } = await hashes(async () => {
        const [found] = await Promise.all([
          people.findByVerifiedEmail(username),
          attempts.admitInWindow(networkPolicy, network),
        ])
        const subject = found?.id ?? secrets.fingerprint('username', emailKey(username))
        const tries = await admit(passwordPolicy, subject, network)
        const stored = found?.password_hash ?? (await dummyHash())
        return {
          person: found,
          account: subject,
          failures: tries,
          isRight: await verifyPassword(stored, password),
        }
      })

      if (person === undefined || !isRight || person.password_hash === null || person.disabled_at !== null) {
        await recordFailure('login.password', person?.id, address)
        if (person !== undefined) await noticeLock(passwordPolicy, failures, { personId: person.id, address })
        throw new AppError('INVALID_CREDENTIALS')
      }

      const { id: personId, password_version: passwordVersion } = person
      const verifiedHash = await strengthened(personId, person.password_hash, password)
      const answering = events.transaction(async (trx): Promise<LoginAnswer | undefined> => {
        // Held until the end: who changes the password or turns the second factor on waits, and then ends what began here.
        if (!(await people.within(trx).holdPassword(personId, verifiedHash))) return undefined
        const next = (await otp.isEnabled(personId, trx)) ? 'otp' : 'redeem'
        await audit.within(trx).record({
          event: 'login.password',
          result: 'success',
          actorId: personId,
          target: personId,
          address,
          detail: { next },
        })
        return next === 'otp'
          ? { next, voucher: await vouchers.issue(trx, { id: personId, passwordVersion }) }
          : { next, token: await sessions.start(trx, { personId, userAgent, address }) }
      })
      const [answer] = await Promise.all([answering, forgive(passwordPolicy, account, network)])
      if (answer !== undefined) return answer
      // The password was changed while it was being checked.
      await recordFailure('login.password', personId, address)
      throw new AppError('INVALID_CREDENTIALS')
    },

    /** Answers a token for a voucher and a code of now that was not used before. */
    async byOtp({ voucher, otp: code, address, userAgent }: OtpLogin): Promise<LoginAnswer> {
      const network = networkOf(address)
      await attempts.admitInWindow(networkPolicy, network)
      const holder = await vouchers.find(voucher)
      if (holder === undefined) {
        await recordFailure('login.otp', undefined, address)
        throw new AppError('VOUCHER_NOT_VALID')
      }
      const { personId } = holder
      const failures = await admit(secondFactorPolicy, personId, network)
      try {
        if (!(await vouchers.countTry(voucher))) throw new AppError('VOUCHER_NOT_VALID')
        const token = await events.transaction(async (trx) => {
          // First, as whoever changes the second factor does: the rows below are then nobody else's.
          await people.within(trx).lock(personId)
          if (!(await vouchers.use(trx, voucher))) throw new AppError('VOUCHER_NOT_VALID')
          if (!(await otp.consume(trx, personId, code))) throw new AppError('INVALID_OTP')
          await audit.within(trx).record({
            event: 'login.otp',
            result: 'success',
            actorId: personId,
            target: personId,
            address,
          })
          return sessions.start(trx, { personId, userAgent, address })
        })
        await forgive(secondFactorPolicy, personId, network)
        return { next: 'redeem', token }
      } catch (error) {
        if (error instanceof AppError && refusals.has(error.code)) {
          await recordFailure('login.otp', personId, address)
          await noticeLock(secondFactorPolicy, failures, { personId, address })
        }
        throw error
      }
    },
  }
}
export type LoginService = ReturnType<typeof createLoginService>
