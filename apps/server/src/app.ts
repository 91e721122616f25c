import { join } from 'node:path'
import type { Build } from '@pult/contract'
import type { FastifyInstance } from 'fastify'
import type { DatabaseConnection, OpenDatabase } from '#platform/database/database.ts'
import { sweepIdempotency } from '#platform/database/idempotency.ts'
import { serveConsole } from '#platform/http/console-files.ts'
import { prepareClose } from '#platform/http/graceful-close.ts'
import { describeApi } from '#platform/http/openapi.ts'
import { createHttpServer } from '#platform/http/server.ts'
import { createJobs } from '#platform/jobs/jobs.ts'
import { sweepRegularly } from '#platform/jobs/sweep.ts'
import type { Log } from '#platform/log.ts'
import type { OutgoingMail } from '#platform/mail/mail.ts'
import { createMailFolder } from '#platform/mail/mail-folder.ts'
import { createMailer } from '#platform/mail/mailer.ts'
import { sweepMails } from '#platform/mail/outbox.repository.ts'
import { createSmtp } from '#platform/mail/smtp.ts'
import { createEvents, sweepEvents } from '#platform/realtime/events.ts'
import { createSocketHub } from '#platform/realtime/socket-hub.ts'
import type { Secrets } from '#platform/secrets.ts'
import { addEmailRoutes } from './account/emails/email.routes.ts'
import { createEmailService } from './account/emails/email.service.ts'
import { createEmailConfirmationAction } from './account/emails/email-confirmation.action.ts'
import { createNoticeService } from './account/notices/notice.service.ts'
import { addOtpRoutes } from './account/otp/otp.routes.ts'
import { createOtpService } from './account/otp/otp.service.ts'
import { addPasskeyRoutes } from './account/passkeys/passkey.routes.ts'
import { createPasskeyService } from './account/passkeys/passkey.service.ts'
import { addPasswordRoutes } from './account/password/password.routes.ts'
import { createPasswordService } from './account/password/password.service.ts'
import { addProfileRoutes } from './account/profile/profile.routes.ts'
import { createProfileService } from './account/profile/profile.service.ts'
import { addOwnSessionRoutes } from './account/sessions/own-sessions.routes.ts'
import { createOwnSessions } from './account/sessions/own-sessions.service.ts'
import { addAuditRoutes } from './audit/audit.routes.ts'
import { createAuditService } from './audit/audit.service.ts'
import { createAttempts, sweepAttempts } from './auth/attempts.ts'
import { addConfirmRoutes } from './auth/confirm/confirm.routes.ts'
import { createConfirmService } from './auth/confirm/confirm.service.ts'
import { createLockNotice } from './auth/lock-notice.ts'
import { addLoginRoutes } from './auth/login/login.routes.ts'
import { createLoginService } from './auth/login/login.service.ts'
import { createVouchers, sweepVouchers } from './auth/login/vouchers.ts'
import { createCeremonies, sweepCeremonies } from './auth/passkey-login/ceremonies.ts'
import { addPasskeyLoginRoutes } from './auth/passkey-login/passkey-login.routes.ts'
import { createPasskeyLoginService } from './auth/passkey-login/passkey-login.service.ts'
import { createHashQueue } from './auth/password/hash-queue.ts'
import { createProvePassword } from './auth/password/prove-password.ts'
import { createOtpRecoveryAction } from './auth/recovery/otp-recovery.action.ts'
import { createPasswordResetAction } from './auth/recovery/password-reset.action.ts'
import { addRecoveryRoutes } from './auth/recovery/recovery.routes.ts'
import { createRecoveryService } from './auth/recovery/recovery.service.ts'
import { createRevocation } from './auth/revocation.ts'
import { sweepSessions } from './auth/session/session.repository.ts'
import { addSessionRoutes } from './auth/session/session.routes.ts'
import { createSessionService } from './auth/session/session.service.ts'
import { closeSocketsOfEndedSessions, createSocketSessions } from './auth/session/session-sockets.ts'
import type { Config } from './config.ts'
import { createAppOpeners } from './extensions/app-openers.ts'
import { addBackendRoutes } from './extensions/backends/backend.routes.ts'
import { createForwarder } from './extensions/backends/forwarder.ts'
import { createIdentityService } from './extensions/backends/identity.service.ts'
import { sweepIdentityKeys } from './extensions/backends/identity-key.repository.ts'
import { createExtensionService } from './extensions/extension.service.ts'
import { addExtensionFileRoutes } from './extensions/extension-files.routes.ts'
import { createProductRegistry } from './extensions/manifests/product-registry.ts'
import { addProbeRoutes } from './extensions/probe.routes.ts'
import { addRootExtensionRoutes } from './extensions/root-extensions.routes.ts'
import { addStoreRoutes } from './extensions/store/store.routes.ts'
import { createStoreService } from './extensions/store/store.service.ts'
import { createFirstRootLink } from './invitations/first-root.ts'
import { createInvitationAction } from './invitations/invitation.action.ts'
import { createInvitationService, type InvitationService } from './invitations/invitation.service.ts'
import { createTargetInvitations } from './invitations/target-invitations.ts'
import { announceOrganisation } from './organisations/announcements.ts'
import { addOrganisationRoutes } from './organisations/organisation.routes.ts'
import { createOrganisationService } from './organisations/organisation.service.ts'
import { addAccountRoutes } from './people/administration/account.routes.ts'
import { createAccountService } from './people/administration/account.service.ts'
import { createPeopleService } from './people/people.service.ts'
import { announceAccess, announceProject, announceProjectsOf } from './projects/announcements.ts'
import { createAppRole } from './projects/app-role.ts'
import { createGrantService } from './projects/grants/grant.service.ts'
import { addNoteRoutes } from './projects/notes/note.routes.ts'
import { addProjectRoutes } from './projects/project.routes.ts'
import { createProjectService } from './projects/project.service.ts'
import { addSystemRoutes } from './system/system.routes.ts'
import { createLinkIssuer } from './token-links/issue-link.ts'
import { sweepTokenLinks } from './token-links/token-link.repository.ts'
import { addTokenLinkRoutes } from './token-links/token-link.routes.ts'
import { createTokenLinkService } from './token-links/token-link.service.ts'
import { createTopicGuard } from './topics.ts'

export interface AppParts {
  config: Config
  build: Build
  database: OpenDatabase
  /** For work that takes longer than a call may. */
  background: OpenDatabase
  connection: DatabaseConnection
  secrets: Secrets
  log: Log
  /** Where this node keeps what is not in the database. */
  dataFolder: string
  /** Shows each mail as it is sent. */
  onMail?: ((mail: OutgoingMail) => void) | undefined
  /** The extensions that come with the product, one folder each. */
  extensionsFolder: string
  /** The built console; null serves the API alone. */
  consoleFolder: string | null
}

export interface App {
  http: FastifyInstance
  invitations: InvitationService
  /** Begins what runs beside the calls: hearing other nodes, sending mail. */
  start(): Promise<void>
  /** Answers a link for the first root account, or null when there is a root. */
  firstRootLink(): Promise<string | null>
  stop(): Promise<void>
}

/** Two hashes at once leave the other calls their share of a small machine. */
const hashLimits = { running: 2, waiting: 50 }

/** The constant style that React Aria adds on iOS while a dialog is open, to keep the page behind it from scrolling. */
const styleHashes = ["'sha256-gYiS/BvZvRcK27JIXTuwhZ3hs2+VJ1X+2gUlE+farlg='"]

/** The only place where rooms meet: each gets what it needs of the others as an argument. */
export async function createApp(parts: AppParts): Promise<App> {
  const { config, build, database, connection, secrets, log } = parts
  const { db } = database
  const http = createHttpServer({ ...config, styleHashes, log })
  const closeHttp = prepareClose(http)
  await describeApi(http, build.version)

  const events = createEvents({ db, connection, log })
  const jobs = createJobs({ connection, log })
  const from = config.mailFrom
  const deliver =
    config.smtpUrl === undefined
      ? createMailFolder({ folder: join(parts.dataFolder, 'mail'), from })
      : createSmtp({ url: config.smtpUrl, from })
  const mailer = createMailer({ db, secrets, jobs, log, deliver, print: parts.onMail })

  const audit = createAuditService(db)
  const people = createPeopleService(db)
  const attempts = createAttempts(db)
  const hashes = createHashQueue(hashLimits)
  const products = createProductRegistry()
  const extensions = createExtensionService({
    db: parts.background.db,
    events,
    audit,
    products,
    folders: { bundled: parts.extensionsFolder, installed: join(parts.dataFolder, 'extensions') },
    announceAccess,
    log,
  })
  await extensions.reload()
  const sessions = createSessionService({ database, events, audit, scopeOf: products.scopeOf })
  const revoke = createRevocation({ sessions })
  const issueLink = createLinkIssuer(config)
  const { publicUrl } = config
  const notices = createNoticeService({ people, mailer, publicUrl })
  const noticeLock = createLockNotice({ db, audit, notices })
  const profile = createProfileService({ db, audit })
  const emails = createEmailService({ db, audit, people, attempts, mailer, jobs, issueLink, notices })
  const passkeys = createPasskeyService({ db, audit, people, notices, log, publicUrl })
  const ceremonies = createCeremonies({ db, audit, notices, log, publicUrl })
  const passkeyLogin = createPasskeyLoginService({ events, audit, people, attempts, sessions, ceremonies })
  const otp = createOtpService({ db, events, audit, people, secrets, attempts, notices, noticeLock, revoke })
  const vouchers = createVouchers(db)
  const login = createLoginService({
    events,
    audit,
    people,
    secrets,
    attempts,
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
    vouchers,
    mailer,
    jobs,
    issueLink,
  })
  const provePassword = createProvePassword({ noticeLock, people, attempts, hashes })
  const password = createPasswordService({ events, audit, people, hashes, provePassword, notices, revoke })
  const confirm = createConfirmService({ db, audit, attempts, provePassword, otp, ceremonies, noticeLock })
  const ownSessions = createOwnSessions({ events, audit, sessions })
  const invitations = createInvitationService({ db, audit, mailer, issueLink })
  const targetInvitations = createTargetInvitations({
    db,
    audit,
    attempts,
    mailer,
    issueLink,
    hasMailServer: config.smtpUrl !== undefined,
  })
  const organisations = createOrganisationService({ db, events, audit, announceProjectsOf })
  const projects = createProjectService({ db, events, audit, products })
  const appOpeners = createAppOpeners({ db, products, readersOf: projects.readersOf })
  const noteRole = createAppRole('project-details:notes', { db, projects, products })
  const grants = createGrantService({ db, events, audit, people, products, projects })
  const accounts = createAccountService({
    db,
    events,
    audit,
    people,
    attempts,
    sessions,
    projects,
    notices,
    revoke,
    announceAccess,
    announceProject,
    announceOrganisation,
  })
  const tokenLinks = createTokenLinkService({
    db,
    events,
    audit,
    attempts,
    actions: {
      'invite:registration': createInvitationAction({
        audit,
        people,
        hashes,
        sessions,
        organisations,
        grants,
        announceAccess,
      }),
      'user:reset-password': createPasswordResetAction({ audit, people, attempts, hashes, notices, revoke }),
      'user:otp-recovery': createOtpRecoveryAction({
        audit,
        people,
        attempts,
        otp,
        notices,
        noticeLock,
        revoke,
      }),
      'user:email-confirmation': createEmailConfirmationAction({ db, audit, people }),
    },
  })

  addSystemRoutes(http, { db, build, ...config })
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
  addTokenLinkRoutes(http, tokenLinks)
  addAccountRoutes(http, { accounts, ownSessions, otp, invitations: targetInvitations })
  addOrganisationRoutes(http, { organisations, invitations: targetInvitations })
  addProjectRoutes(http, {
    projects,
    grants,
    invitations: targetInvitations,
    organisations,
    people,
    products,
  })
  const findProject = projects.read
  addProbeRoutes(http, { extensions, findProject })
  addExtensionFileRoutes(http, extensions)
  addRootExtensionRoutes(http, extensions)
  addStoreRoutes(http, { store: createStoreService({ db, events }), products, findProject })
  addBackendRoutes(http, {
    extensions,
    products,
    findProject,
    identity: createIdentityService({ db, secrets, publicUrl }),
    forwarder: createForwarder(),
  })
  addAuditRoutes(http, { audit, ownedProject: projects.checkOwned })
  addNoteRoutes(http, { db, events, audit, allow: noteRole.permission })
  if (parts.consoleFolder !== null) {
    await serveConsole(http, {
      ...config,
      styleHashes,
      folder: parts.consoleFolder,
      extensionScripts: extensions.scripts,
    })
  }

  const sockets = createSocketHub({
    server: http.server,
    allowedOrigins: [config.publicUrl, ...config.devOrigins],
    build,
    sessions: createSocketSessions({ db, sessions }),
    events,
    guard: createTopicGuard({
      organisations,
      projects,
      noteRole,
      appOpeners,
      extensionsSettled: extensions.settled,
    }),
    log,
  })
  closeSocketsOfEndedSessions(events, sockets)
  sweepRegularly({
    jobs,
    db: parts.background.db,
    log,
    sweeps: [
      sweepSessions,
      sweepVouchers,
      sweepCeremonies,
      sweepTokenLinks,
      sweepMails,
      sweepEvents,
      sweepAttempts,
      sweepIdempotency,
      sweepIdentityKeys,
    ],
  })

  return {
    http,
    invitations,
    start: async () => {
      jobs.start()
      await events.start()
    },
    firstRootLink: createFirstRootLink({
      db: parts.background.db,
      audit,
      people: createPeopleService(parts.background.db),
      issueLink,
      rootEmail: config.rootEmail,
    }),
    stop: async () => {
      await sockets.close()
      await closeHttp()
      await Promise.all([events.stop(), jobs.stop()])
    },
  }
}
