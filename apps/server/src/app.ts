import { join } from 'node:path'
import type { Build } from '@pult/contract'
import type { FastifyInstance } from 'fastify'
import type { DatabaseConnection, OpenDatabase } from '#platform/database/database.ts'
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
import { createAuditService } from './audit/audit.service.ts'
import { createAttempts, sweepAttempts } from './auth/attempts.ts'
import { addLoginRoutes } from './auth/login/login.routes.ts'
import { createLoginService } from './auth/login/login.service.ts'
import { createHashQueue } from './auth/password/hash-queue.ts'
import { sweepSessions } from './auth/session/session.repository.ts'
import { addSessionRoutes } from './auth/session/session.routes.ts'
import { createSessionService } from './auth/session/session.service.ts'
import { closeSocketsOfEndedSessions, createSocketSessions } from './auth/session/session-sockets.ts'
import type { Config } from './config.ts'
import { addProbeRoute } from './extensions/probe.routes.ts'
import { createFirstRootLink } from './invitations/first-root.ts'
import { createInvitationAction } from './invitations/invitation.action.ts'
import { createInvitationService, type InvitationService } from './invitations/invitation.service.ts'
import { createPeopleService } from './people/people.service.ts'
import { createProjectsRepository } from './projects/projects.repository.ts'
import { addProjectRoutes } from './projects/projects.routes.ts'
import { addSystemRoutes } from './system/system.routes.ts'
import { createLinkIssuer } from './token-links/issue-link.ts'
import { sweepTokenLinks } from './token-links/token-link.repository.ts'
import { addTokenLinkRoutes } from './token-links/token-link.routes.ts'
import { createTokenLinkService } from './token-links/token-link.service.ts'

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
  const sessions = createSessionService({ database, events, audit })
  const login = createLoginService({ events, audit, people, secrets, attempts, hashes, sessions })
  const issueLink = createLinkIssuer(config)
  const invitations = createInvitationService({ db, audit, mailer, issueLink })
  const tokenLinks = createTokenLinkService({
    db,
    events,
    audit,
    attempts,
    actions: { 'invite:registration': createInvitationAction({ audit, people, hashes, sessions }) },
  })
  const projects = createProjectsRepository(db)

  addSystemRoutes(http, { db, build, ...config })
  addSessionRoutes(http, sessions)
  addLoginRoutes(http, login)
  addTokenLinkRoutes(http, tokenLinks)
  addProjectRoutes(http, projects)
  addProbeRoute(http, { isProjectVisible: projects.isVisible })
  if (parts.consoleFolder !== null) {
    await serveConsole(http, { ...config, folder: parts.consoleFolder })
  }

  const sockets = createSocketHub({
    server: http.server,
    allowedOrigins: [config.publicUrl, ...config.devOrigins],
    build,
    sessions: createSocketSessions({ db, sessions }),
    events,
    log,
  })
  closeSocketsOfEndedSessions(events, sockets)
  sweepRegularly({
    jobs,
    db: parts.background.db,
    log,
    sweeps: [sweepSessions, sweepTokenLinks, sweepMails, sweepEvents, sweepAttempts],
  })

  return {
    http,
    invitations,
    start: async () => {
      jobs.start()
      await events.start()
    },
    firstRootLink: createFirstRootLink({ db, audit, people, issueLink, rootEmail: config.rootEmail }),
    stop: async () => {
      await sockets.close()
      await closeHttp()
      await Promise.all([events.stop(), jobs.stop()])
    },
  }
}
