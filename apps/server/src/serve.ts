import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { explain } from '#platform/app-error.ts'
import { faultOfVariables } from '#platform/database/client.ts'
import type { OpenDatabase } from '#platform/database/database.ts'
import { causeOf, explainFault } from '#platform/database/database-fault.ts'
import { logLine } from '#platform/log-line.mjs'
import { endProcess } from '#platform/places/pending-calls.ts'
import { exitCodeOfFaults, StartFault } from '#platform/start-fault.ts'
import manifest from '../package.json' with { type: 'json' }
import type { App } from './app.ts'
import { type Config, readConfig } from './config.ts'
import { runRestore } from './installation/run-restore.ts'
import type { RestoreFailure, RestoreOrder } from './installation/setup-restore.ts'
import { listen } from './listen.ts'
import type { TaskKind } from './tasks/task-kind.ts'
import { findUnknownSettings, type UnknownSetting, unknownSettings } from './unknown-settings.ts'

const cloneFolder = join(dirname(fileURLToPath(import.meta.url)), '../../..')
const consoleFolder = join(cloneFolder, 'apps/console/dist')
const extensionsFolder = join(cloneFolder, 'dist/extensions')

/** Time for open calls to finish during a graceful shutdown, in addition to STOP_DELAY. */
const stopTimeout = 10_000

export interface ServeOptions {
  /** Serves the API only, because another server serves the console. */
  withoutConsole?: boolean
  /** Receives each sent mail. */
  onMail?: (mail: { to: string; subject: string; text: string }) => void
  /** Runs on the migrated database before the first call. */
  prepare?: (db: OpenDatabase['db']) => Promise<void>
  /** Additional kinds of tasks. */
  taskKinds?: readonly TaskKind[]
}

/** Milliseconds after which a second signal is intentional and stops the server immediately. */
const insistence = 1000

/** Milliseconds between two attempts to start while the database is not available. */
const [firstPause, longestPause] = [500, 5000]

/**
 * Runs the server until it is stopped. A failed start prints its reason in one line and exits: with code 78 if the
 * operator must change something, otherwise with 1. While the database of DATABASE_URL is not available, the start
 * waits for it.
 */
export async function serve(
  environment: Record<string, string | undefined>,
  options: ServeOptions = {},
): Promise<void> {
  const config = settingsIn(environment)
  for (const line of unknownSettings(environment)) process.stderr.write(logLine('warn', line))
  // Registered first: a signal also ends a start, which may wait for a database that was lost.
  const stopRequested = new Promise<void>((resolve) => {
    let receivedAt = 0
    const onSignal = () => {
      // Ctrl+C reaches the whole process group, and npm forwards it again: both count as one signal.
      if (receivedAt > 0 && performance.now() - receivedAt < insistence) return
      if (receivedAt > 0) endProcess(1)
      receivedAt = performance.now()
      setTimeout(() => endProcess(1), config.stopDelay * 1000 + stopTimeout).unref()
      resolve()
    }
    process.on('SIGTERM', onSignal)
    process.on('SIGINT', onSignal)
    process.on('SIGHUP', onSignal)
  })
  // The reader of our output may disappear.
  process.stdout.on('error', () => {})
  const stopping = new AbortController()
  void stopRequested.then(() => stopping.abort())
  try {
    const fixed = { ...options, restore, unknownSettings: findUnknownSettings(environment) }
    let running = await startOnceAvailable(config, fixed, stopping.signal)
    let restoring: Promise<void> | undefined
    // Called by the set-up page. No other process may use the database during a restore.
    function restore(order: RestoreOrder): void {
      restoring ??= (async () => {
        await running.stop()
        const reason = await runRestore(environment, order)
        const restoreFailure = reason === null ? undefined : { at: new Date().toISOString(), reason }
        restoring = undefined
        running = await startOnceAvailable(config, { ...fixed, restoreFailure }, stopping.signal)
      })().catch((error: unknown) => fail('could not start after a restore', error))
    }
    // For a parent process that restarts the server when it ends.
    process.send?.('ready')
    void stopRequested
      .then(() => restoring)
      .then(() => running.withdraw())
      .then(() => running.stop())
      .then(
        () => endProcess(0),
        (error: unknown) => fail('could not stop cleanly', error),
      )
  } catch (error) {
    fail('could not start', error)
  }
}

function settingsIn(environment: Record<string, string | undefined>): Config {
  try {
    const config = readConfig(environment)
    const fault = config.databaseUrl === undefined ? undefined : faultOfVariables(config.databaseUrl)
    if (fault === undefined) return config
    throw new Error(fault)
  } catch (error) {
    fail('could not start', new StartFault(explain(error), { cause: error }))
  }
}

function fail(what: string, error: unknown): never {
  process.stderr.write(logLine('fatal', `Pult ${what}: ${explainFault(error)}`))
  endProcess(error instanceof StartFault || causeOf(error)?.isFinal === true ? exitCodeOfFaults : 1)
}

/**
 * Starts the server, and repeats that while the database of DATABASE_URL is not available. Prints each new cause. Ends
 * the process once `stop` is signalled, after everything that was opened is closed.
 */
async function startOnceAvailable(
  config: Config,
  options: Omit<StartOptions, 'onDatabase' | 'signal'>,
  stop: AbortSignal,
): Promise<Running> {
  let printed: string | undefined
  const onDatabase = () => {
    if (printed !== undefined) process.stdout.write(logLine('info', 'The database is available.'))
    printed = undefined
  }
  for (let pause = firstPause; ; pause = Math.min(2 * pause, longestPause)) {
    try {
      return await start(config, { ...options, onDatabase, signal: stop })
    } catch (error) {
      if (stop.aborted) endProcess(0)
      if (config.databaseUrl === undefined || causeOf(error)?.isFinal !== false) throw error
      const line = explainFault(error)
      if (line !== printed) process.stderr.write(logLine('warn', `Pult waits for the database: ${line}`))
      printed = line
      await wait(pause, undefined, { signal: stop }).catch(() => endProcess(0))
    }
  }
}

interface Running {
  /** Lets proxies find other nodes before this one stops. */
  withdraw(): Promise<void>
  stop(): Promise<void>
}

/** Options of a start in a process that can restore a backup. */
interface StartOptions extends ServeOptions {
  restore: (order: RestoreOrder) => void
  /** Called when the database has passed its check. */
  onDatabase: () => void
  restoreFailure?: RestoreFailure | undefined
  unknownSettings: readonly UnknownSetting[]
  /** Ends a start that is not yet complete. */
  signal: AbortSignal
}

async function start(config: Config, options: StartOptions): Promise<Running> {
  // Opened resources, closed in reverse order; a failed start closes them as well.
  const opened: (() => Promise<void>)[] = []
  async function stop(): Promise<void> {
    const failures: unknown[] = []
    for (const close of opened.splice(0)) await close().catch((error: unknown) => failures.push(error))
    if (failures.length > 0) throw failures[0]
  }
  const { signal } = options
  const aborted = Promise.withResolvers<never>()
  const abort = () => aborted.reject(signal.reason)
  signal.addEventListener('abort', abort)
  try {
    const opening = open(config, options, (close) => {
      signal.throwIfAborted()
      opened.unshift(close)
    })
    const app = await Promise.race([opening, aborted.promise])
    return {
      stop,
      async withdraw() {
        app.withdraw()
        await wait(config.stopDelay * 1000)
      },
    }
  } catch (error) {
    await stop().catch(() => {})
    throw error
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

async function open(
  config: Config,
  options: StartOptions,
  onStop: (close: () => Promise<void>) => void,
): Promise<App> {
  const { defaultDataFolder, startEmbeddedDatabase } = await import(
    '#platform/database/embedded/embedded-database.ts'
  )
  const dataFolder = config.dataFolder ?? defaultDataFolder(cloneFolder)
  const print = (line: string, level: 'info' | 'warn' = 'info') => process.stdout.write(logLine(level, line))
  // The rooms are imported while the database starts.
  const importing = importRooms()
  importing.catch(() => {})
  let starting: ReturnType<typeof startEmbeddedDatabase> | undefined
  onStop(async () => (await starting?.catch(() => undefined))?.stop())
  if (config.databaseUrl === undefined) starting = startEmbeddedDatabase({ dataFolder, log: print })
  const embedded = await starting
  const {
    createLog,
    openDatabase,
    checkDatabase,
    backgroundLimits,
    connectionOf,
    updateInstallation,
    ensureSecret,
    refuseUnwritableFolder,
    createApp,
    readBuild,
  } = await importing

  await refuseUnwritableFolder(config, dataFolder)
  const log = createLog(config.logLevel)
  const connection = embedded?.connection ?? connectionOf(config.databaseUrl ?? '')
  if (embedded === undefined) await checkDatabase(connection)
  options.onDatabase()
  const database = openDatabase({
    connection,
    isShared: true,
    onError: (err: Error) => log.warn({ err }, 'a database connection was lost'),
  })
  onStop(database.close)
  const background = openDatabase({ connection, max: 2, limits: backgroundLimits, onError: () => {} })
  onStop(background.close)
  const vital = openDatabase({ connection, max: 3, onError: () => {} })
  onStop(vital.close)
  // A migration of a large table may take longer than any other statement.
  const migrating = openDatabase({ connection, max: 1, limits: {}, onError: () => {} })
  try {
    await updateInstallation({ db: migrating.db, config, dataFolder, connection, report: print })
  } finally {
    await migrating.close()
  }
  const secrets = await ensureSecret({ db: background.db, secret: config.secret, dataFolder })
  await options.prepare?.(background.db)

  const app = await createApp({
    config,
    build: await readBuild(consoleFolder),
    database,
    background,
    vital,
    connection,
    secrets,
    log,
    dataFolder,
    extensionsFolder,
    onMail: options.onMail,
    taskKinds: options.taskKinds,
    restore: options.restore,
    restoreFailure: options.restoreFailure,
    unknownSettings: options.unknownSettings,
    consoleFolder: options.withoutConsole === true ? null : consoleFolder,
  })
  onStop(app.stop)
  // Listen for events before the first socket opens.
  await app.start()
  options.signal.throwIfAborted()
  await listen(app.http, config)

  if (config.databaseUrl !== undefined) print(sharing(config, dataFolder))
  // A new link would void the link of the page that waits for the restore.
  const link = options.restoreFailure === undefined ? await app.firstRootLink() : null
  // In one write, so that a reader that waits for the first line also receives the link.
  const ready = logLine('info', `Pult ${manifest.version} is ready: ${config.publicUrl}`)
  const invitation = link === null ? '' : logLine('info', 'Create the first root account:', { link })
  process.stdout.write(ready + invitation)
  return app
}

/** Describes what the nodes of an installation must share, and what is separate on each node. */
function sharing({ smtpUrl, filesS3, filesFolder }: Config, dataFolder: string): string {
  const mails = smtpUrl === undefined ? ` Mails of this node are written to ${dataFolder}/mail.` : ''
  const place =
    filesS3 === undefined ? (filesFolder ?? `${dataFolder}/files`) : `the bucket ${filesS3.bucket}`
  const files = ` Files: ${place}, which all nodes must share.`
  return `Database: DATABASE_URL, shared by all nodes with this setting and the same PULT_SECRET.${files}${mails}`
}

async function importRooms() {
  const [log, database, check, hosts, update, secret, store, app, build] = await Promise.all([
    import('#platform/log.ts'),
    import('#platform/database/database.ts'),
    import('#platform/database/start-check.ts'),
    import('#platform/database/hosts.ts'),
    import('./installation/update.ts'),
    import('./installation/secret.ts'),
    import('./files/open-store.ts'),
    import('./app.ts'),
    import('./system/build.ts'),
  ])
  return { ...log, ...database, ...check, ...hosts, ...update, ...secret, ...store, ...app, ...build }
}
