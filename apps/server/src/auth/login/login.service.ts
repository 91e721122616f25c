import { AppError } from '#platform/app-error.ts'
import { networkOf } from '#platform/http/client-address.ts'
import type { Log } from '#platform/log.ts'
import type { Events } from '#platform/realtime/events.ts'
import type { Secrets } from '#platform/secrets.ts'
import type { NoticeService } from '../../account/notices/notice.service.ts'
import type { OtpService } from '../../account/otp/otp.service.ts'
import type { AuditService } from '../../audit/audit.service.ts'
import { emailKey } from '../../people/email-address.ts'
import type { PeopleService } from '../../people/people.service.ts'
import { type Attempts, networkPolicy, passwordPolicy } from '../attempts.ts'
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
  notices: NoticeService
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

export function createLoginService({
  events,
  audit,
  people,
  secrets,
  attempts,
  hashes,
  sessions,
}: LoginServiceParts) {
  /** The hash that now stands for the password: a new one where the old was made with less work than is asked today. */
  async function strengthened(personId: string, stored: string, password: string): Promise<string> {
    if (!isWeakerHash(stored)) return stored
    const stronger = await hashes(() => hashPassword(password))
    await people.replacePasswordHash(personId, stored, stronger)
    return stronger
  }

  return {
    /**
     * Answers a token for the right password. An unknown name, a wrong password and a disabled account do the same
     * work and get the same answer, and are limited alike.
     */
    async byPassword({ username, password, address, userAgent }: PasswordLogin): Promise<LoginAnswer> {
      const network = networkOf(address)
      // The rest waits in the queue: a flood of logins leaves the database to other calls, and a try that never got its
      // turn does not count.
      await attempts.refuseBlocked(networkPolicy, network)
      const { person, subject, isRight } = await hashes(async () => {
        await attempts.admitInWindow(networkPolicy, network)
        const found = await people.findByVerifiedEmail(username)
        const account = found?.id ?? secrets.fingerprint('username', emailKey(username))
        await attempts.admit(passwordPolicy, account).catch(async (refusal: unknown) => {
          // No password was tried, so the others behind this address are not made to pay.
          await attempts.forgive(networkPolicy, network)
          throw refusal
        })
        const stored = found?.password_hash ?? (await dummyHash())
        return { person: found, subject: account, isRight: await verifyPassword(stored, password) }
      })

      if (person === undefined || !isRight || person.password_hash === null || person.disabled_at !== null) {
        await audit.record({
          event: 'login.password',
          result: 'failure',
          ...(person === undefined ? {} : { target: person.id }),
          address,
        })
        throw new AppError('INVALID_CREDENTIALS')
      }

      await attempts.succeed(passwordPolicy, subject)
      await attempts.forgive(networkPolicy, network)
      const verifiedHash = await strengthened(person.id, person.password_hash, password)
      return events.transaction(async (trx) => {
        // A password that was changed meanwhile opens nothing any more.
        if (!(await people.within(trx).holdPassword(person.id, verifiedHash))) {
          throw new AppError('INVALID_CREDENTIALS')
        }
        await audit.within(trx).record({
          event: 'login.password',
          result: 'success',
          actorId: person.id,
          target: person.id,
          address,
        })
        const token = await sessions.start(trx, { personId: person.id, userAgent, address })
        return { next: 'redeem' as const, token }
      })
    },

    async byOtp(_login: OtpLogin): Promise<LoginAnswer> {
      throw new Error('not built')
    },
  }
}
export type LoginService = ReturnType<typeof createLoginService>
