import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Endpoint } from '@pult/contract'
import { createApp } from '@pult/server/app.ts'
import { type Config, readConfig } from '@pult/server/config.ts'
import { ensureSecret } from '@pult/server/installation/secret.ts'
import { backgroundLimits, openDatabase } from '@pult/server/platform/database/database.ts'
import { createLog } from '@pult/server/platform/log.ts'
import { readBuild } from '@pult/server/system/build.ts'
import type { TaskKind } from '@pult/server/tasks/task-kind.ts'
import { type CallInput, callEndpoint } from './call.ts'
import { freePort } from './free-port.ts'
import { createGiven } from './given.ts'
import { onFileEnd } from './on-file-end.ts'
import { createTestDatabase } from './test-database.ts'
import { watchTransactions } from './watch-transactions.ts'

const cloneFolder = join(dirname(fileURLToPath(import.meta.url)), '../../..')
const consoleFolder = join(cloneFolder, 'apps/console/dist')
const extensionsFolder = join(cloneFolder, 'dist/extensions')

const patientLimits = { connect: 20_000, statement: 20_000 }

type TestDatabase = Awaited<ReturnType<typeof createTestDatabase>>

export interface TestServerOptions {
  /** Settings, as environment variables. */
  settings?: Record<string, string>
  /** Changes to the parsed settings that environment variables cannot express. */
  config?: Partial<Config>
  /** The port on loopback, by default a free one. */
  port?: number
  /** Serves the built console as well. */
  withConsole?: boolean
  /** Folder of extensions that replaces the bundled ones. */
  extensionsFolder?: string
  /** Kinds of tasks in addition to those of the product. */
  taskKinds?: readonly TaskKind[]
  /** Shows the set-up page while no root exists. Without this option, tests can sign in without a root. */
  isNew?: boolean
  /** A restore from the set-up page that failed before this start. */
  restoreFailure?: { at: string; reason: string }
  /**
   * Enforces the time limits of calls. Without this option calls may take longer, because tests of other files keep the
   * database and the processor busy.
   */
  hasCallLimits?: boolean
  /** Milliseconds after the start in which no edge becomes offline, because no agent of the test reports. */
  edgeGraceTime?: number
  /** Milliseconds after a step of the clock in which time limits end no work. */
  clockSteadyAfter?: number
  /** Replaces the measurement of free space. */
  probeDisk?: (folder: string) => Promise<{ free: number; size: number }>
  /** Replaces the copy of the template. The server drops it at its end. */
  database?: TestDatabase
  /** PULT_SECRET, random by default. */
  secret?: string
  /** A second node on the database of another test server. */
  besides?: { testDatabase: TestDatabase; secret: string; dataFolder: string }
}

/** Starts the real server with a separate database on a free loopback port, until the end of the file. */
export async function testServer(options: TestServerOptions = {}) {
  const port = options.port ?? (await freePort())
  const secret = options.secret ?? options.besides?.secret ?? randomBytes(32).toString('base64')
  const config: Config = {
    ...readConfig({ PORT: String(port), LOG_LEVEL: 'debug', ...options.settings }),
    // Nodes of one installation share their files.
    ...(options.besides !== undefined && { filesFolder: join(options.besides.dataFolder, 'files') }),
    ...options.config,
  }

  const testDatabase = options.besides?.testDatabase ?? options.database ?? (await createTestDatabase())
  const { connection } = testDatabase
  const dataFolder = await mkdtemp(join(tmpdir(), 'pult-data-'))
  const logLines: string[] = []
  const log = createLog(config.logLevel, { write: (line) => void logLines.push(line) })
  const hasCallLimits = options.hasCallLimits === true
  const callLimits = hasCallLimits ? {} : { limits: patientLimits }
  const database = openDatabase({
    connection,
    max: 10,
    ...callLimits,
    isShared: hasCallLimits,
    onError: (err) => log.warn({ err }, 'a connection was lost'),
  })
  const background = openDatabase({ connection, max: 2, limits: backgroundLimits, onError: () => {} })
  const vital = openDatabase({ connection, max: 3, ...callLimits, onError: () => {} })
  const watches = [database, background, vital].map((opened) => watchTransactions(opened))
  // Statements of the test itself have no time limits, because other tests keep the machine busy.
  const own = openDatabase({ connection, max: 4, limits: {}, onError: () => {} })
  const secrets = await ensureSecret({ db: own.db, secret, dataFolder })
  const build = await readBuild(consoleFolder)
  const app = await createApp({
    config,
    build,
    database,
    background,
    vital,
    connection,
    secrets,
    log,
    dataFolder,
    extensionsFolder: options.extensionsFolder ?? extensionsFolder,
    taskKinds: options.taskKinds,
    probeDisk: options.probeDisk,
    readyPatience: hasCallLimits ? undefined : patientLimits.statement,
    restoreFailure: options.restoreFailure,
    jobRetryDelay: 1,
    clockSteadyAfter: options.clockSteadyAfter ?? 0,
    edgeGraceTime: options.edgeGraceTime ?? 15_000,
    isSetUp: options.isNew !== true,
    consoleFolder: options.withConsole === true ? consoleFolder : null,
  })
  await app.start()
  await app.http.listen({ port, host: 'localhost' })

  const url = `http://localhost:${port}`
  const known = new Set<string>()
  let isStopped = false

  const server = {
    url,
    config,
    app,
    db: own.db,
    secrets,
    testDatabase,
    secret,
    dataFolder,
    logLines,
    given: createGiven({ url, db: own.db, secrets, onSecret: (value) => known.add(value) }),
    /** Registers a secret of the test that must not appear in the log. */
    watchSecret: (value: string) => void known.add(value),
    /** Makes a call without a token, or with the given one. */
    call: <E extends Endpoint>(endpoint: E, input?: CallInput<E>, token?: string) =>
      callEndpoint(url, token, endpoint, input),
    async stop(): Promise<void> {
      if (isStopped) return
      isStopped = true
      await app.stop()
      await database.close()
      await background.close()
      await vital.close()
      await own.close()
      await rm(dataFolder, { recursive: true, force: true })
      if (options.besides === undefined) await testDatabase.drop()
      const reports = watches.flatMap((reported) => reported())
      if (reports.length > 0) throw new Error(reports[0])
      const leaked = [...known].find((value) => logLines.some((line) => line.includes(value)))
      if (leaked !== undefined) throw new Error('RULE-77: the server’s log contains a secret of this test')
    },
  }
  onFileEnd(server.stop)
  return server
}
export type TestServer = Awaited<ReturnType<typeof testServer>>
