import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { AppError } from '#platform/app-error.ts'
import { type Db, isUnavailable } from '#platform/database/database.ts'
import { createOutboxRepository } from '#platform/mail/outbox.repository.ts'
import { pult } from '#platform/program-name.ts'
import { migrations } from '../../migrations/index.ts'
import manifest from '../../package.json' with { type: 'json' }
import type { Command } from './command.ts'
import { withInstallation } from './installation.ts'

const help = `Shows whether the database is reachable, its schema, the number of root accounts and of unsent mails.
Changes nothing. Exits with code 1 if the server could not use this database.

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
      withInstallation(environment, async ({ config, dataFolder, database: { db } }) => {
        const row = (name: string, value: string) => print(`${name.padEnd(10)}${value}`)
        row('Version', manifest.version)
        row('Address', config.publicUrl)
        row('Database', await databaseLine(db, config.databaseUrl === undefined ? dataFolder : null))

        const executed = await executedMigrations(db)
        const known = Object.keys(migrations)
        if (executed.some((name) => !known.includes(name))) {
          throw new Error('the database belongs to a newer version of Pult')
        }
        if (executed.length < known.length) {
          row(
            'Schema',
            `${executed.length} of ${known.length} steps; the next start of the server applies the rest`,
          )
          return
        }
        row('Schema', `${executed.at(-1)}, up to date`)
        const roots = await countRoots(db)
        row(
          'Roots',
          roots === 0 ? 'none; the server prints a link for the first one when it starts' : `${roots}`,
        )
        row('Mail', `${await createOutboxRepository(db).countUnsent()} not sent yet`)
      })
  },
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
    const reason = error instanceof AppError ? error.cause : error
    if (error instanceof AppError || isUnavailable(error)) {
      const words = reason instanceof Error ? reason.message : String(reason)
      throw new Error(`the database cannot be reached: ${words}`, { cause: error })
    }
    throw error
  }
}
