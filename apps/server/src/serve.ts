import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { OpenDatabase } from '#platform/database/database.ts'
import { releaseStartMemory } from '#platform/release-start-memory.ts'
import { letPoolGiveWay } from '#platform/thread-priority.ts'
import manifest from '../package.json' with { type: 'json' }
import { type Config, readConfig } from './config.ts'
import type { TaskKind } from './tasks/task-kind.ts'

const cloneFolder = join(dirname(fileURLToPath(import.meta.url)), '../../..')
const consoleFolder = join(cloneFolder, 'apps/console/dist')
const extensionsFolder = join(cloneFolder, 'dist/extensions')

/** How long calls under way may take to end when the server is asked to stop. */
const stopTimeout = 10_000

export interface ServeOptions {
  /** The API alone, because something else serves the console. */
  withoutConsole?: boolean
  /** Shows each mail as it is sent. */
  onMail?: (mail: { to: string; subject: string; text: string }) => void
  /** Runs on the migrated database before the first call. */
  prepare?: (db: OpenDatabase['db']) => Promise<void>
  /** Kinds of tasks beside those of the product. */
  taskKinds?: readonly TaskKind[]
}

/** Who asks again after that does not want to wait. */
const insistence = 1000

/** Runs the server until it is told to stop. A start that fails says why in one line. */
export async function serve(
  environment: Record<string, string | undefined>,
  options: ServeOptions = {},
): Promise<void> {
  // Heard from the first moment on: who is told to stop while starting stops once that is through.
  const toldToStop = new Promise<void>((resolve) => {
    let heardAt = 0
    const hear = () => {
      // Ctrl+C reaches a whole group of processes, and npm passes it on once more: that is one wish, not a second.
      if (heardAt > 0 && Date.now() - heardAt < insistence) return
      if (heardAt > 0) process.exit(1)
      heardAt = Date.now()
      setTimeout(() => process.exit(1), stopTimeout).unref()
      resolve()
    }
    process.on('SIGTERM', hear)
    process.on('SIGINT', hear)
    process.on('SIGHUP', hear)
  })
  // Whoever reads our output may go away.
  process.stdout.on('error', () => {})
  try {
    const running = await start(readConfig(environment), options)
    void toldToStop
      .then(() => running.stop())
      .then(
        () => process.exit(0),
        (error: unknown) => fail('could not stop cleanly', error),
      )
  } catch (error) {
    fail('could not start', error)
  }
}

function fail(what: string, error: unknown): never {
  process.stderr.write(`Pult ${what}: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}

async function start(config: Config, options: ServeOptions): Promise<{ stop(): Promise<void> }> {
  // What has been opened, the last first: a start that fails half-way closes it as well.
  const opened: (() => Promise<void>)[] = []
  async function stop(): Promise<void> {
    const failures: unknown[] = []
    for (const close of opened.splice(0)) await close().catch((error: unknown) => failures.push(error))
    if (failures.length > 0) throw failures[0]
  }
  try {
    await open(config, options, (close) => opened.unshift(close))
    return { stop }
  } catch (error) {
    await stop().catch(() => {})
    throw error
  }
}

async function open(
  config: Config,
  options: ServeOptions,
  onStop: (close: () => Promise<void>) => void,
): Promise<void> {
  const { defaultDataFolder, startEmbeddedDatabase } = await import(
    '#platform/database/embedded/embedded-database.ts'
  )
  const dataFolder = config.dataFolder ?? defaultDataFolder(cloneFolder)
  const say = (line: string) => process.stdout.write(`${line}\n`)
  // The rooms are imported while the database starts.
  const importing = importRooms()
  importing.catch(() => {})
  const embedded =
    config.databaseUrl === undefined ? await startEmbeddedDatabase({ dataFolder, log: say }) : undefined
  if (embedded !== undefined) onStop(embedded.stop)
  const { createLog, openDatabase, migrateToLatest, migrations, ensureSecret, createApp, readBuild } =
    await importing

  const log = createLog(config.logLevel)
  const connection = embedded?.connection ?? { connectionString: config.databaseUrl ?? '' }
  const database = openDatabase({
    connection,
    onError: (err: Error) => log.warn({ err }, 'a database connection was lost'),
  })
  onStop(database.close)
  const background = openDatabase({ connection, max: 1, isPatient: true, onError: () => {} })
  onStop(background.close)
  await migrateToLatest(background.db, migrations)
  const secrets = await ensureSecret({ db: background.db, secret: config.secret, dataFolder })
  await options.prepare?.(background.db)

  const app = await createApp({
    config,
    build: await readBuild(consoleFolder),
    database,
    background,
    connection,
    secrets,
    log,
    dataFolder,
    extensionsFolder,
    onMail: options.onMail,
    taskKinds: options.taskKinds,
    consoleFolder: options.withoutConsole === true ? null : consoleFolder,
  })
  onStop(app.stop)
  // No socket opens before events are heard.
  await app.start()
  await listen(app.http, config)

  if (config.databaseUrl !== undefined) say(sharing(config, dataFolder))
  const link = await app.firstRootLink()
  // At once: who waits for the first line finds the link with it.
  const ready = `Pult ${manifest.version} is ready: ${config.publicUrl}`
  say(link === null ? ready : `${ready}\nCreate the first root account:\n${link}`)
  letPoolGiveWay()
  releaseStartMemory()
}

/** What several nodes of one installation have in common, and what each has for itself. */
function sharing({ smtpUrl, filesS3, filesFolder }: Config, dataFolder: string): string {
  const mails = smtpUrl === undefined ? ` Mails of this node are written to ${dataFolder}/mail.` : ''
  const place =
    filesS3 === undefined ? (filesFolder ?? `${dataFolder}/files`) : `the bucket ${filesS3.bucket}`
  const files = ` Files: ${place}, which every node has to share.`
  return `Database: DATABASE_URL, shared with every node that is given it and the same PULT_SECRET.${files}${mails}`
}

async function importRooms() {
  const [log, database, migrate, migrations, secret, app, build] = await Promise.all([
    import('#platform/log.ts'),
    import('#platform/database/database.ts'),
    import('#platform/database/migrate.ts'),
    import('../migrations/index.ts'),
    import('./installation/secret.ts'),
    import('./app.ts'),
    import('./system/build.ts'),
  ])
  return { ...log, ...database, ...migrate, ...migrations, ...secret, ...app, ...build }
}

async function listen(
  http: { listen(options: { port: number; host: string }): Promise<string> },
  { port, host }: Config,
): Promise<void> {
  try {
    await http.listen({ port, host })
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
    if (code === 'EAFNOSUPPORT' && host === '::') {
      await http.listen({ port, host: '0.0.0.0' })
    } else if (code === 'EADDRINUSE') {
      throw new Error(`port ${port} is taken by another program. Stop that one, or set PORT`, { cause })
    } else if (code === 'EACCES') {
      throw new Error(`port ${port} may not be used by this user. Set PORT to one above 1023`, { cause })
    } else {
      throw cause
    }
  }
}
