import type pg from 'pg'
import { DatabaseClient } from './client.ts'
import type { DatabaseConnection } from './database.ts'
import { type DatabaseFault, DatabaseFaultError, readOnly } from './database-fault.ts'

export const minimalMajor = 15

/** Milliseconds of one check, which includes the connection. */
const checkTimeout = 10_000

interface Facts {
  version: number
  serverVersion: string
  encoding: string
  isReadOnly: boolean
  pid: number
  role: string
  database: string
  mayCreateInDatabase: boolean
  mayCreateInPublic: boolean
  hasJobs: boolean
  hasTrigrams: boolean
  offersTrigrams: boolean
  /** Another schema that contains the tables of Pult. */
  elsewhere: string | null
}

const readFacts = `select current_setting('server_version_num')::int as version,
  current_setting('server_version') as "serverVersion",
  current_setting('server_encoding') as encoding,
  current_setting('transaction_read_only')::bool or pg_is_in_recovery() as "isReadOnly",
  pg_backend_pid() as pid, current_user::text as role, current_database()::text as database,
  has_database_privilege(current_database(), 'create') as "mayCreateInDatabase",
  coalesce(has_schema_privilege(to_regnamespace('public'), 'usage')
    and has_schema_privilege(to_regnamespace('public'), 'create'), false) as "mayCreateInPublic",
  to_regclass('pgboss.version') is not null as "hasJobs",
  exists (select from pg_extension where extname = 'pg_trgm') as "hasTrigrams",
  exists (select from pg_available_extensions where name = 'pg_trgm') as "offersTrigrams",
  (select n.nspname::text from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relname = 'kysely_migration' and n.nspname <> 'public'
      and to_regclass('public.kysely_migration') is null
      and exists (select from pg_class p where p.relnamespace = n.oid and p.relname = 'person')
    limit 1) as elsewhere`

/**
 * Checks that Pult can work with a database of DATABASE_URL: version, encoding, case conversion, permissions, and that
 * each connection is a separate session. Throws a DatabaseFaultError, or the error of the driver.
 */
export async function checkDatabase(connection: DatabaseConnection): Promise<void> {
  await withClient(connection, async (client) => {
    const { rows } = await client.query<Facts>(readFacts)
    const [facts] = rows
    if (facts === undefined) throw new Error('A select without a table has returned no row')
    refuse(facts)
    // A pooler gives its clients other process numbers than PostgreSQL does.
    const { processID } = client as unknown as { processID: number }
    if (processID !== facts.pid && (await sharesSessions(connection, client, facts.pid)))
      throw new DatabaseFaultError(sharedSessions)
    const { rows: cases } = await client.query<{ lower: string }>(`select lower('IЖ') as lower`)
    if (cases[0]?.lower !== 'iж') throw new DatabaseFaultError(wrongCase(facts))
    if (facts.isReadOnly) throw new DatabaseFaultError(readOnly)
    refuseMissingPermissions(facts)
  })
}

async function withClient<Result>(
  connection: DatabaseConnection,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new DatabaseClient({
    ...connection,
    connectionTimeoutMillis: checkTimeout,
    query_timeout: checkTimeout,
    application_name: 'pult check',
  })
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    client.end().catch(() => {})
  }
}

const sharedSessions: DatabaseFault = {
  cause: 'the pooler shares sessions between clients, so live updates and prepared statements do not work',
  remedy:
    'Set pool_mode = session for this database in pgbouncer.ini, or name PostgreSQL itself in DATABASE_URL',
  isFinal: true,
}

/**
 * Returns whether a transaction of another client runs in the server process that serves the first client, which is
 * impossible in session mode. Two clients, because a pooler may also use its servers in turn.
 */
async function sharesSessions(
  connection: DatabaseConnection,
  first: pg.Client,
  pid: number,
): Promise<boolean> {
  const processOf = async (client: pg.Client) =>
    (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid
  const inTransaction = async (client: pg.Client, work: (other: number | undefined) => Promise<boolean>) => {
    await client.query('begin')
    return work(await processOf(client))
  }
  try {
    return await withClient(connection, (second) =>
      inTransaction(
        second,
        async (of2) =>
          of2 === pid ||
          (await withClient(connection, (third) =>
            inTransaction(third, async (of3) => of3 === pid || (await processOf(first)) !== pid),
          )),
      ),
    )
  } catch (error) {
    // In statement mode a pooler refuses transactions.
    if (error instanceof Error && error.message.includes('statement pooling')) return true
    throw error
  }
}

function refuse({ version, serverVersion, encoding, elsewhere, ...facts }: Facts): void {
  if (Math.floor(version / 10_000) < minimalMajor)
    throw new DatabaseFaultError({
      cause: `PostgreSQL ${serverVersion} is too old`,
      remedy: `Pult needs version ${minimalMajor} or later`,
      isFinal: true,
    })
  if (encoding !== 'UTF8')
    throw new DatabaseFaultError({
      cause: `the database ${facts.database} has the encoding ${encoding}, which cannot store all names and texts`,
      remedy: anotherDatabase({ ...facts, version }),
      isFinal: true,
    })
  if (elsewhere !== null)
    throw new DatabaseFaultError({
      cause: `the tables of Pult are in the schema ${elsewhere}, which backups do not contain`,
      remedy: `Rename it while Pult is stopped: alter schema public rename to public_unused; alter schema ${quoted(elsewhere)} rename to public`,
      isFinal: true,
    })
}

function refuseMissingPermissions(facts: Facts): void {
  const { role, database, mayCreateInDatabase, mayCreateInPublic, hasJobs, hasTrigrams, offersTrigrams } =
    facts
  if (!mayCreateInPublic)
    throw new DatabaseFaultError({
      cause: `the role ${role} may not create tables in the schema public`,
      remedy: `An administrator runs in this database: grant usage, create on schema public to ${quoted(role)}`,
      isFinal: true,
    })
  if (!mayCreateInDatabase && !hasJobs)
    throw new DatabaseFaultError({
      cause: `the role ${role} may not create schemas in the database ${database}, so background work cannot start`,
      remedy: `An administrator runs: grant create on database ${quoted(database)} to ${quoted(role)}`,
      isFinal: true,
    })
  if (hasTrigrams) return
  if (!offersTrigrams)
    throw new DatabaseFaultError({
      cause: 'the extension pg_trgm is not installed on the machine of PostgreSQL',
      remedy: "Install PostgreSQL's contrib package there",
      isFinal: true,
    })
  if (!mayCreateInDatabase)
    throw new DatabaseFaultError({
      cause: `the role ${role} may not create the extension pg_trgm`,
      remedy: 'An administrator runs in this database: create extension pg_trgm',
      isFinal: true,
    })
}

const wrongCase = (facts: Facts): DatabaseFault => ({
  cause: `the locale of the database ${facts.database} does not convert case as searches need it (lower('Ж') must be 'ж', lower('I') must be 'i')`,
  remedy: anotherDatabase(facts),
  isFinal: true,
})

const anotherDatabase = ({ role, version }: Pick<Facts, 'role' | 'version'>) =>
  `Create another one and name it in DATABASE_URL: create database pult_utf8 owner ${quoted(role)} encoding 'UTF8' ` +
  `${version >= 170_000 ? `locale_provider builtin builtin_locale 'C.UTF-8' locale 'C'` : `locale 'C.UTF-8'`} template template0. ` +
  'Move the data of an installation with a backup of the previous version: see "A database with another encoding or ' +
  'locale" in docs/operations/postgresql.md'

const quoted = (name: string) => (/^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`)
