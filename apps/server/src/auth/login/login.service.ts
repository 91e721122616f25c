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
import { type Attempts, alarmPolicy, networkPolicy, passwordPolicy, secondFactorPolicy } from '../attempts.ts'
import { type CountedAs, deviceAttempt, type KnownDevices } from '../known-devices.ts'
import type { NoticeLock } from '../lock-notice.ts'
import type { Enqueue } from '../password/hash-queue.ts'
import { dummyHash, hashPassword, isWeakerHash, verifyPassword } from '../password/password-hash.ts'
import type { SessionService } from '../session/session.service.ts'
import type { Vouchers } from './vouchers.ts'

interface LoginServiceParts {
  events: Events
  audit: AuditService
  people: PeopleService
  secrets: Secrets
  attempts: Attempts
  devices: KnownDevices
  hashes: Enqueue
  sessions: SessionService
  vouchers: Vouchers
  otp: OtpService
  noticeLock: NoticeLock
  log: Log
}

interface LoginOrigin {
  address: string
  userAgent: string
  device: string | undefined
}

export interface PasswordLogin extends LoginOrigin {
  username: string
  password: string
}

export interface OtpLogin extends LoginOrigin {
  voucher: string
  otp: string
}

/** The next step: redeem the token, or enter the second factor with the voucher. */
export type LoginAnswer = { next: 'redeem'; token: string } | { next: 'otp'; voucher: string }

/** Refusals that count as failed second factors. Other errors do not show whether the code was wrong. */
const refusals: ReadonlySet<ErrorCode> = new Set(['INVALID_OTP', 'VOUCHER_NOT_VALID'])

export function createLoginService(parts: LoginServiceParts) {
  const {
    events,
    audit,
    people,
    secrets,
    attempts,
    devices,
    hashes,
    sessions,
    vouchers,
    otp,
    noticeLock,
    log,
  } = parts

  /**
   * Returns the current password hash. Rehashes the password first if its hash has weaker parameters than the current
   * ones.
   */
  async function strengthened(personId: string, stored: string, password: string): Promise<string> {
    if (!isWeakerHash(stored)) return stored
    const stronger = await hashes(() => hashPassword(password))
    await people.replacePasswordHash(personId, stored, stronger)
    return stronger
  }

  /** Counts an attempt of a network. A refusal is returned, because it does not apply to known devices. */
  async function countNetwork(address: string) {
    const network = networkOf(address)
    const refusal = await attempts.admitInWindow(networkPolicy, network).then(
      () => null,
      (error: unknown) => {
        if (error instanceof AppError) return error
        throw error
      },
    )
    return {
      refusal,
      // An attempt that was not counted must not lower the count.
      forgive: async () => {
        if (refusal === null) await attempts.forgive(networkPolicy, network)
      },
    }
  }
  type CountedNetwork = Awaited<ReturnType<typeof countNetwork>>

  /** Admits an attempt of an account after its network was counted. */
  async function admit({ policy, subject }: CountedAs, network: CountedNetwork): Promise<number> {
    return attempts.admit(policy, subject).catch(async (refusal: unknown) => {
      // No password was evaluated, so the attempt must not count against other users of this network.
      await network.forgive()
      throw refusal
    })
  }

  /** Removes a successful attempt from the counts of its account and its network. */
  async function forgive({ policy, subject }: CountedAs, network: CountedNetwork): Promise<void> {
    await Promise.all([attempts.succeed(policy, subject), network.forgive()])
  }

  async function recordFailure(
    event: 'login.password' | 'login.otp',
    target: string | undefined,
    address: string,
  ): Promise<void> {
    await audit.record({ event, result: 'failure', ...(target === undefined ? {} : { target }), address })
    if (await attempts.passesLimit(alarmPolicy, 'login')) {
      const { most, seconds } = alarmPolicy
      log.warn(
        { most, seconds },
        'more logins fail than typing errors explain: this may be an attack on passwords',
      )
    }
  }

  return {
    /**
     * Returns a token for the correct password, or a voucher if the account has a second factor. Unknown names, wrong
     * passwords and disabled accounts cause the same work, answer and limits.
     */
    async byPassword(login: PasswordLogin): Promise<LoginAnswer> {
      const { username, password, address, userAgent, device } = login
      // Everything runs in the queue: a flood of logins leaves the database to other calls, and an attempt that the
      // queue rejects is not counted.
      const { person, countedAs, network, failures, isRight } = await hashes(async () => {
        const [found, known, counted] = await Promise.all([
          people.findByUsername(username),
          devices.accountsOf(username, device),
          countNetwork(address),
        ])
        const isOwn = found !== undefined && known.includes(found.id) && device !== undefined
        if (counted.refusal !== null && !isOwn) throw counted.refusal
        const as = isOwn
          ? deviceAttempt(found.id, device)
          : {
              policy: passwordPolicy,
              subject: found?.id ?? secrets.fingerprint('username', emailKey(username)),
            }
        const tries = await admit(as, counted)
        const stored = found?.password_hash ?? (await dummyHash())
        return {
          person: found,
          countedAs: as,
          network: counted,
          failures: tries,
          isRight: await verifyPassword(stored, password),
        }
      })

      if (person === undefined || !isRight || person.password_hash === null || person.disabled_at !== null) {
        await recordFailure('login.password', person?.id, address)
        if (person !== undefined)
          await noticeLock(countedAs.policy, failures, { personId: person.id, address })
        throw new AppError('INVALID_CREDENTIALS')
      }

      const { id: personId, password_version: passwordVersion } = person
      const verifiedHash = await strengthened(personId, person.password_hash, password)
      const answering = events.transaction(async (trx): Promise<LoginAnswer | undefined> => {
        // Locked until the commit: a change of the password or the second factor waits, and then ends the new
        // session.
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
          : { next, token: await sessions.start(trx, { personId, userAgent, address, device }) }
      })
      const [answer] = await Promise.all([answering, forgive(countedAs, network)])
      if (answer !== undefined) return answer
      // The password changed during the check.
      await recordFailure('login.password', personId, address)
      throw new AppError('INVALID_CREDENTIALS')
    },

    /** Returns a token for a voucher and a current, unused code. */
    async byOtp({ voucher, otp: code, address, userAgent, device }: OtpLogin): Promise<LoginAnswer> {
      const [network, holder] = await Promise.all([countNetwork(address), vouchers.find(voucher)])
      if (network.refusal !== null && !(holder && (await devices.isOf(holder.personId, device)))) {
        throw network.refusal
      }
      if (holder === undefined) {
        await recordFailure('login.otp', undefined, address)
        throw new AppError('VOUCHER_NOT_VALID')
      }
      const { personId } = holder
      const countedAs = { policy: secondFactorPolicy, subject: personId }
      const failures = await admit(countedAs, network)
      try {
        if (!(await vouchers.countAttempt(voucher))) throw new AppError('VOUCHER_NOT_VALID')
        const token = await events.transaction(async (trx) => {
          // Lock the user first, in the same order as changes to the second factor, so that no concurrent change
          // holds the rows below.
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
          return sessions.start(trx, { personId, userAgent, address, device })
        })
        await forgive(countedAs, network)
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
