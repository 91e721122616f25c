import type { FastifyInstance } from 'fastify'
import { sweepEveryMinute } from '#platform/jobs/sweep.ts'
import { addEmailRoutes } from '../account/emails/email.routes.ts'
import { createEmailService } from '../account/emails/email.service.ts'
import { createNoticeService } from '../account/notices/notice.service.ts'
import { addOtpRoutes } from '../account/otp/otp.routes.ts'
import { createOtpService } from '../account/otp/otp.service.ts'
import { addPasskeyRoutes } from '../account/passkeys/passkey.routes.ts'
import { createPasskeyService } from '../account/passkeys/passkey.service.ts'
import { addPasswordRoutes } from '../account/password/password.routes.ts'
import { createPasswordService } from '../account/password/password.service.ts'
import { addProfileRoutes } from '../account/profile/profile.routes.ts'
import { createProfileService } from '../account/profile/profile.service.ts'
import { addOwnSessionRoutes } from '../account/sessions/own-sessions.routes.ts'
import { createOwnSessions } from '../account/sessions/own-sessions.service.ts'
import { createAttempts, sweepAttempts, sweepWindows } from '../auth/attempts.ts'
import { addConfirmRoutes } from '../auth/confirm/confirm.routes.ts'
import { createConfirmService } from '../auth/confirm/confirm.service.ts'
import { createKnownDevices, sweepKnownDevices } from '../auth/known-devices.ts'
import { createLockNotice } from '../auth/lock-notice.ts'
import { addLoginRoutes } from '../auth/login/login.routes.ts'
import { createLoginService } from '../auth/login/login.service.ts'
import { createVouchers, sweepVouchers } from '../auth/login/vouchers.ts'
import { createCeremonies, sweepCeremonies } from '../auth/passkey-login/ceremonies.ts'
import { addPasskeyLoginRoutes } from '../auth/passkey-login/passkey-login.routes.ts'
import { createPasskeyLoginService } from '../auth/passkey-login/passkey-login.service.ts'
import { createHashQueue } from '../auth/password/hash-queue.ts'
import { createProvePassword } from '../auth/password/prove-password.ts'
import { addRecoveryRoutes } from '../auth/recovery/recovery.routes.ts'
import { createRecoveryService } from '../auth/recovery/recovery.service.ts'
import { createRevocation } from '../auth/revocation.ts'
import { sweepSessions } from '../auth/session/session.repository.ts'
import { addSessionRoutes } from '../auth/session/session.routes.ts'
import { createSessionService } from '../auth/session/session.service.ts'
import type { Foundation } from './foundation.ts'

/** Two concurrent hashes leave a small machine time for other calls. */
const hashLimits = { running: 2, waiting: 50 }

/** Sign-in, sessions and what users change about their own accounts. */
export type Identity = ReturnType<typeof composeIdentity>

export function composeIdentity(http: FastifyInstance, foundation: Foundation) {
  const { database, background, db, events, jobs, secrets, log, people, mailer, audit, products } = foundation
  const { issueLink, publicUrl, config, cleanUpFailures } = foundation
  const attempts = createAttempts(db)
  const devices = createKnownDevices(db)
  const hashes = createHashQueue(hashLimits)
  const sessions = createSessionService({ database, events, audit, scopeOf: products.scopeOf })
  const revoke = createRevocation({ sessions })
  const notices = createNoticeService({ people, mailer, publicUrl })
  const noticeLock = createLockNotice({ db, audit, notices })
  const profile = createProfileService({ db, audit })
  const emails = createEmailService({ db, audit, people, attempts, mailer, jobs, issueLink, notices })
  const passkeys = createPasskeyService({ db, audit, people, notices, log, publicUrl })
  const ceremonies = createCeremonies({ db, audit, notices, log, publicUrl })
  const passkeyLogin = createPasskeyLoginService({
    events,
    audit,
    people,
    attempts,
    devices,
    sessions,
    ceremonies,
    optionsMost: config.passkeyOptionsPerNetwork,
  })
  const otp = createOtpService({ db, events, audit, people, secrets, attempts, notices, noticeLock, revoke })
  const vouchers = createVouchers(db)
  const login = createLoginService({
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
  })
  const recovery = createRecoveryService({
    db,
    audit,
    people,
    secrets,
    attempts,
    devices,
    vouchers,
    mailer,
    jobs,
    issueLink,
  })
  const provePassword = createProvePassword({ noticeLock, people, attempts, devices, hashes })
  const password = createPasswordService({ events, audit, people, hashes, provePassword, notices, revoke })
  const confirm = createConfirmService({
    db,
    audit,
    attempts,
    provePassword,
    otp,
    ceremonies,
    noticeLock,
  })
  const ownSessions = createOwnSessions({ events, audit, sessions })

  addSessionRoutes(http, sessions)
  addLoginRoutes(http, login)
  addPasskeyLoginRoutes(http, passkeyLogin)
  addRecoveryRoutes(http, recovery)
  addConfirmRoutes(http, confirm)
  addProfileRoutes(http, profile)
  addEmailRoutes(http, emails)
  addPasswordRoutes(http, password)
  addPasskeyRoutes(http, passkeys)
  addOtpRoutes(http, otp)
  addOwnSessionRoutes(http, { ownSessions, audit, people })
  sweepEveryMinute({ jobs, db: background.db, cleanUpFailures, log }, [
    sweepCeremonies,
    sweepWindows,
    sweepVouchers,
  ])

  return {
    attempts,
    hashes,
    sessions,
    revoke,
    notices,
    noticeLock,
    otp,
    ownSessions,
    sweeps: [sweepSessions, sweepAttempts],
    // Each known device has separate limits, so their number is kept low.
    frequentSweeps: [sweepKnownDevices],
  }
}
