import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
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
import { createEvents, type Events, sweepEvents } from '#platform/realtime/events.ts'
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
import { addEdgeRoutes } from './edges/edge.routes.ts'
import { createEdgeService } from './edges/edge.service.ts'
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
import { addFileRoutes } from './files/file.routes.ts'
import { createFileService } from './files/file.service.ts'
import { addFileContentRoute } from './files/file-content.route.ts'
import type { Files } from './files/file-store.ts'
import { openFileStore } from './files/open-store.ts'
import { addUploadRoutes } from './files/upload.routes.ts'
import { createUploadService } from './files/upload.service.ts'
import { createFirstRootLink } from './invitations/first-root.ts'
import { createInvitationAction } from './invitations/invitation.action.ts'
import { createInvitationService, type InvitationService } from './invitations/invitation.service.ts'
import { createTargetInvitations } from './invitations/target-invitations.ts'
import { createMakeFormats } from './media/make-formats.ts'
import { addMediaRoutes } from './media/media.routes.ts'
import { createMediaService, mediaOf } from './media/media.service.ts'
import { createTranscodeKind } from './media/media-transcode.ts'
import { announceOrganisation } from './organisations/announcements.ts'
import { addOrganisationRoutes } from './organisations/organisation.routes.ts'
import { createOrganisationService } from './organisations/organisation.service.ts'
import { addAccountRoutes } from './people/administration/account.routes.ts'
import { createAccountService } from './people/administration/account.service.ts'
import { createPeopleService } from './people/people.service.ts'
import { announceAccess, announceProject, announceProjectsOf } from './projects/announcements.ts'
import { createAppRole } from './projects/app-role.ts'
import { addExportRoutes, createStartExport } from './projects/export/export.routes.ts'
import { createExportKind, exportType } from './projects/export/project-export.ts'
import { createGrantService } from './projects/grants/grant.service.ts'
import { addImportRoutes } from './projects/import/import.routes.ts'
import { createImportKind } from './projects/import/project-import.ts'
import { addInviteBatchRoutes } from './projects/invite-batch/invite-batch.routes.ts'
import { createInviteBatchKind, sweepBatchInvitations } from './projects/invite-batch/invite-batch.ts'
import { addNoteRoutes } from './projects/notes/note.routes.ts'
import { addProjectRoutes } from './projects/project.routes.ts'
import { createProjectService } from './projects/project.service.ts'
import { createStartWithUpload } from './projects/start-with-upload.ts'
import { addSettingsRoutes } from './settings/settings.routes.ts'
import { createSettingsService } from './settings/settings.service.ts'
import { createPressKey } from './settings/stream-decks/press-key.ts'
import { addStreamDeckRoutes } from './settings/stream-decks/stream-deck.routes.ts'
import { createStreamDeckService } from './settings/stream-decks/stream-deck.service.ts'
import { createWallpapers } from './settings/stream-decks/wallpapers.ts'
import { addSystemRoutes } from './system/system.routes.ts'
import { createDriverService } from './tasks/driver.service.ts'
import { createReports } from './tasks/reports.ts'
import { sweepTasks } from './tasks/sweep-tasks.ts'
import { addTaskRoutes } from './tasks/task.routes.ts'
import { createTaskService, type TaskService } from './tasks/task.service.ts'
import { createTaskEngine } from './tasks/task-engine.ts'
import type { TaskKind } from './tasks/task-kind.ts'
import { createTaskDriverPermissions } from './tasks/tokens/task-driver.ts'
import { createTaskTokenService } from './tasks/tokens/task-token.service.ts'
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
  /** Kinds of tasks beside those that the rooms bring. */
  taskKinds?: readonly TaskKind[] | undefined
}

export interface App {
  http: FastifyInstance
  invitations: InvitationService
  events: Events
  tasks: TaskService
  files: Files
  /** What else an hour brings. */
  sweepFiles(): Promise<void>
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

/** As `tools/build-edge-agent.ts` leaves it. */
const agentFile = fileURLToPath(new URL('../../../dist/edge-agent/edge-agent.mjs', import.meta.url))

/** The only place where rooms meet: each gets what it needs of the others as an argument. */
export async function createApp(parts: AppParts): Promise<App> {
  const { config, build, database, connection, secrets, log } = parts
  const { db } = database
  const http = createHttpServer({ ...config, styleHashes, log })
  const closeHttp = prepareClose(http)
  describeApi(http, build.version)

  const events = createEvents({ db, connection, log })
  const jobs = createJobs({ connection, log })
  const from = config.mailFrom
  const deliver =
    config.smtpUrl === undefined
      ? createMailFolder({ folder: join(parts.dataFolder, 'mail'), from })
      : createSmtp({ url: config.smtpUrl, from })
  const settings = createSettingsService({ db, events })
  const people = createPeopleService(db)
  const mailLanguageOf = async (address: string) => {
    const person = await people.findByVerifiedEmail(address)
    return person === undefined ? null : settings.mailLanguageOf(person.id)
  }
  const mailer = createMailer({
    db,
    secrets,
    jobs,
    log,
    deliver,
    languageOf: mailLanguageOf,
    print: parts.onMail,
  })

  const audit = createAuditService(db)
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
  const fileDriver = await openFileStore(config, parts.dataFolder)
  const space = { fileMax: config.fileMaxSize, quota: config.fileQuota }
  const files = createFileService({
    db,
    driver: fileDriver,
    secrets,
    jobs,
    isVisible: projects.isVisible,
    space,
  })
  const uploads = createUploadService({ db, driver: fileDriver, findProject: projects.read, space })
  const noteRole = createAppRole('project-details:notes', { db, projects, products })
  const edgeRole = createAppRole('edges', { db, projects, products })
  const edgeManagerRole = createAppRole('edges:manage', { db, projects, products })
  const edges = createEdgeService({
    db,
    events,
    audit,
    attempts,
    mailer,
    projects,
    startTask: (trx, emit, order) => tasks.start(trx, emit, order),
    publicUrl,
    log,
  })
  const grants = createGrantService({ db, events, audit, people, products, projects })
  const reports = createReports({ events, log })
  const makeFormats = createMakeFormats({ events, files: files.files })
  const engine = createTaskEngine({
    db,
    events,
    files: files.files,
    reports,
    languageOf: settings.languageOf,
    log,
    kinds: [
      ...edges.kinds,
      createTranscodeKind({ db, makeFormats }),
      createExportKind({ db, files: files.files, audit, people, products, projects, mediaOf }),
      createImportKind({
        db,
        events,
        audit,
        files: files.files,
        people,
        products,
        projects,
        grants,
        mediaOf,
        makeFormats,
      }),
      createInviteBatchKind({
        files: files.files,
        people,
        products,
        projects,
        invitations: targetInvitations,
      }),
      ...(parts.taskKinds ?? []),
    ],
  })
  const tasks = createTaskService({ db, events, audit, projects, files: files.files, engine })
  const media = createMediaService({ db, files: files.files, tasks })
  const mediaRole = createAppRole('media-library', { db, projects, products })
  const mediaEditRole = createAppRole('media-library:edit', { db, projects, products })
  const startWithUpload = createStartWithUpload({ events, files: files.files, tasks })
  const taskTokens = createTaskTokenService({ db, audit, projects, products })
  const taskDrivers = createTaskDriverPermissions({ tokens: taskTokens, projects })
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
  addFileRoutes(http, { files, uploads, allow: taskDrivers.signedInOrDriver })
  addUploadRoutes(http, uploads)
  addFileContentRoute(http, { files, driver: fileDriver })
  addAuditRoutes(http, { audit, ownedProject: projects.checkOwned })
  addNoteRoutes(http, { db, events, audit, allow: noteRole.permission })
  addMediaRoutes(http, {
    db,
    events,
    audit,
    media,
    allow: { read: mediaRole.permission, write: mediaEditRole.permission },
  })
  const startExport = createStartExport({ events, audit, projects, tasks })
  addExportRoutes(http, startExport)
  addImportRoutes(http, { projects, startWithUpload })
  addInviteBatchRoutes(http, { projects, startWithUpload })
  addTaskRoutes(http, {
    tasks,
    drivers: createDriverService({ db, events, reports, files: files.files, projects, products }),
    tokens: taskTokens,
    projects,
    driver: taskDrivers.driver,
  })
  addSettingsRoutes(http, settings)
  const wallpapers = createWallpapers({
    files: files.files,
    async findMedium(caller, { projectId, mediumId }) {
      await mediaRole.permission.decide(caller, { projectId })
      return media.store(db, { projectId }, caller).find(mediumId)
    },
  })
  const pressKey = createPressKey({
    audit,
    products,
    findProject,
    tasks,
    startable: new Map([
      [exportType, (caller, projectId, address) => startExport(caller, { projectId }, address)],
    ]),
    edgeReaders: edgeRole.permission,
    findEdge: edges.read,
  })
  addStreamDeckRoutes(http, createStreamDeckService({ db, events, wallpapers, pressKey }))
  addEdgeRoutes(http, {
    edges,
    allow: { read: edgeRole.permission, manage: edgeManagerRole.permission },
    agentFile,
  })
  if (parts.consoleFolder !== null) {
    await serveConsole(http, {
      ...config,
      styleHashes,
      fileOrigins: fileDriver.uploads.kind === 'direct' ? [fileDriver.uploads.origin] : [],
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
      projectRoles: { notes: noteRole, edges: edgeRole, media: mediaRole },
      appOpeners,
      extensionsSettled: extensions.settled,
    }),
    otherDoors: edges.doors,
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
      sweepAttempts,
      sweepIdempotency,
      sweepIdentityKeys,
      tasks.archiveLeft,
      sweepTasks,
      sweepBatchInvitations,
      files.sweepFiles,
    ],
    oftenSweeps: [sweepEvents],
  })

  return {
    http,
    invitations,
    events,
    tasks,
    files: files.files,
    sweepFiles: () => files.sweepFiles(parts.background.db),
    start: async () => {
      jobs.start()
      await events.start()
      engine.start()
      edges.start()
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
      await Promise.all([closeHttp(), engine.stop()])
      await reports.stop()
      await edges.stop()
      await closeHttp()
      await Promise.all([events.stop(), jobs.stop()])
    },
  }
}
