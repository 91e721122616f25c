import type { Build } from '@pult/contract'
import type { FastifyInstance } from 'fastify'
import type { DatabaseConnection, OpenDatabase } from '#platform/database/database.ts'
import { serveConsole } from '#platform/http/console-files.ts'
import { describeApi } from '#platform/http/openapi.ts'
import { createHttpServer } from '#platform/http/server.ts'
import type { Log } from '#platform/log.ts'
import { createEvents } from '#platform/realtime/events.ts'
import type { Secrets } from '#platform/secrets.ts'
import { createAttempts } from './auth/attempts.ts'
import { addLoginRoutes } from './auth/login/login.routes.ts'
import { createLoginService } from './auth/login/login.service.ts'
import { createHashQueue } from './auth/password/hash-queue.ts'
import { addSessionRoutes } from './auth/session/session.routes.ts'
import { createSessionService } from './auth/session/session.service.ts'
import type { Config } from './config.ts'
import { addProbeRoute } from './extensions/probe.routes.ts'
import { createProjectsRepository } from './projects/projects.repository.ts'
import { addProjectRoutes } from './projects/projects.routes.ts'
import { addSystemRoutes } from './system/system.routes.ts'

export interface AppParts {
  config: Config
  build: Build
  database: OpenDatabase
  connection: DatabaseConnection
  secrets: Secrets
  log: Log
  /** Where this node keeps what is not in the database. */
  dataFolder: string
  /** The built console; null serves the API alone. */
  consoleFolder: string | null
}

export interface App {
  http: FastifyInstance
  /** Begins what runs beside the calls: hearing other nodes. */
  start(): Promise<void>
  stop(): Promise<void>
}

/** Two hashes at once leave the other calls their share of a small machine. */
const hashLimits = { running: 2, waiting: 50 }

/** The only place where rooms meet: each gets what it needs of the others as an argument. */
export async function createApp(parts: AppParts): Promise<App> {
  const { config, build, database, connection, secrets, log } = parts
  const { db } = database
  const http = await createHttpServer({ ...config, styleHashes: [], log })
  await describeApi(http, build.version)

  const events = createEvents({ db, connection, log })
  const attempts = createAttempts(db)
  const hashes = createHashQueue(hashLimits)
  const sessions = createSessionService({ db, events })
  const login = createLoginService({ db, events, secrets, attempts, hashes, sessions })
  const projects = createProjectsRepository(db)

  addSystemRoutes(http, { db, build, ...config })
  addSessionRoutes(http, sessions)
  addLoginRoutes(http, login)
  addProjectRoutes(http, projects)
  addProbeRoute(http, { isProjectVisible: projects.isVisible })
  if (parts.consoleFolder !== null) {
    await serveConsole(http, { ...config, folder: parts.consoleFolder })
  }

  return {
    http,
    start: () => events.start(),
    stop: async () => {
      await http.close()
      await events.stop()
    },
  }
}
