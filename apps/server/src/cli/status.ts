import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import { causeOf, explainFault } from '#platform/database/database-fault.ts'
import { newerVersion } from '#platform/database/migrate.ts'
import { isLoopbackUrl } from '#platform/http/client-address.ts'
import { mailRemedy } from '#platform/mail/mail-remedy.ts'
import { pult } from '#platform/program-name.ts'
import { migrations } from '../../migrations/index.ts'
import manifest from '../../package.json' with { type: 'json' }
import { createConditionRepository } from '../condition/condition.repository.ts'
import type { Config } from '../config.ts'
import { type Command, CommandFailure } from './command.ts'
import { NoInstallation, withInstallation } from './installation.ts'
import { hasStarted, readProblems, unreadyOf } from './problems.ts'

const help = `Shows whether the database is reachable, its schema, the number of root accounts, unsent mails with their
fault, the running servers, and the problems of the Root page with their fixes, one line each.
Problems alone do not change the exit code: ${pult('doctor')} exits with 1 for them.
Changes nothing, and works without a running server and without a database. Exits with
  0   if a server runs and can use the database
  1   if a server cannot use this database, for example without its permissions
  3   if no server runs
  69  if the database cannot be reached now, or accepts only reads
  78  if it cannot be reached until a setting or the database is changed, for example with a wrong password

  ${pult('status')}`

async function executedMigrations(db: Db): Promise<string[]> {
  const { rows: tables } = await sql<{ exists: boolean }>`
    select to_regclass('kysely_migration') is not null as exists`.execute(db)
  if (tables[0]?.exists !== true) return []
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
  return rows.map(({ name }) => name)
}

export const statusCommand: Command = {
  name: 'status',
  summary: 'shows the state of the database, the root accounts and the mail',
  help,
  read(args) {
    parseArgs({ args, options: {} })
    return ({ environment, print }) =>
      withInstallation(environment, async (installation) => {
        const { config, dataFolder, database } = installation
        const { db } = database
        const row = (name: string, value: string) => print(`${name.padEnd(10)}${value}`)
        row('Version', manifest.version)
        row('Address', config.publicUrl)
        row('Database', await databaseLine(db, config.databaseUrl === undefined ? dataFolder : null))

        const executed = await executedMigrations(db)
        const known = Object.keys(migrations)
        if (executed.some((name) => !known.includes(name))) {
          throw new CommandFailure(exits.unusable, `the database belongs to ${await newerVersion(db)}`)
        }
        if (executed.length < known.length) {
          row(
            'Schema',
            `${executed.length} of ${known.length} steps; the next start of the server applies the rest`,
          )
          // A server applies its steps before it runs.
          if (executed.length === 0) throw new CommandFailure(exits.stopped, 'no server runs')
          return
        }
        row('Schema', `${executed.at(-1)}, up to date`)
        const roots = await countRoots(db)
        row(
          'Roots',
          roots === 0 ? 'none; the server prints a link for the first one when it starts' : `${roots}`,
        )
        const { waiting, trouble, expired } = await createConditionRepository(db).mail()
        row('Mail', `${waiting} not sent yet`)
        const fault = (since: string, error: string) => row('', `${since}: ${error}. ${mailRemedy(error).de}`)
        if (trouble !== null) fault(`The oldest has been waiting since ${trouble.since}`, trouble.error)
        if (expired) fault(`The newest expired mail, of ${expired.at}`, expired.error)
        row('Metrics', metricsLine(config))
        const names = await aliveNodes(db)
        row('Server', names.length === 0 ? 'does not run' : `runs on ${names.join(', ')}`)
        const unready = await unreadyOf(installation)
        if (unready !== null) {
          const { what, fix } = unready
          throw new CommandFailure(exits.unusable, `a server cannot use this database: ${what.de}. ${fix.de}`)
        }
        if (await hasStarted(db)) {
          const problems = await readProblems(installation, environment, unready)
          for (const { id, level, what, fix } of problems)
            if (!shownAbove.has(`${id} ${level}`))
              row(level === 'danger' ? 'Error' : 'Warning', `${what}. ${fix}`)
        }
        if (names.length === 0) throw new CommandFailure(exits.stopped, 'no server runs')
      }).catch((error: unknown) => {
        throw error instanceof NoInstallation ? new CommandFailure(exits.stopped, error.message) : error
      })
  },
}

function metricsLine({ metricsToken, publicUrl }: Config): string {
  if (metricsToken !== undefined) return 'readable with METRICS_TOKEN'
  return isLoopbackUrl(publicUrl)
    ? 'readable on this machine'
    : 'not readable; set METRICS_TOKEN for monitoring'
}

/** Checks that the lines of the mails already show. */
const shownAbove = new Set(['mail.stuck danger', 'mail.failed danger'])

/** 3 means a stopped program for init scripts; 69 and 78 are EX_UNAVAILABLE and EX_CONFIG of sysexits.h. */
const exits = { unusable: 1, stopped: 3, unreachable: 69, refused: 78 } as const

async function aliveNodes(db: Db): Promise<string[]> {
  const nodes = await createConditionRepository(db).nodes()
  return [...new Set(nodes.filter(({ isAlive }) => isAlive).map(({ name }) => name))]
}

async function countRoots(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('person')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('is_root', '=', true)
    .where('disabled_at', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

async function databaseLine(db: Db, embeddedIn: string | null): Promise<string> {
  try {
    const { rows } = await sql<{
      version: string
    }>`select current_setting('server_version') as version`.execute(db)
    const place = embeddedIn === null ? 'from DATABASE_URL' : `embedded in ${embeddedIn}`
    return `PostgreSQL ${rows[0]?.version}, ${place}`
  } catch (error) {
    const fault = causeOf(error)
    if (fault === undefined) throw error
    const code = fault.isFinal ? exits.refused : exits.unreachable
    throw new CommandFailure(code, `the database cannot be reached: ${explainFault(error)}`)
  }
}
