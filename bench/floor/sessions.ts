import pg from 'pg'
import type { FloorOptions } from './options.ts'

const database = 'bench_floor'
const people = 1000

type Connection = NonNullable<FloorOptions['database']>

/** Creates the floor's database with sessions on a running PostgreSQL. Returns the tokens of some sessions. */
export async function makeFloorDatabase(
  on: Connection,
): Promise<{ connection: Connection; tokens: string[] }> {
  const connection = { ...on, database }
  await runSql(on, [`drop database if exists ${database} with (force)`, `create database ${database}`])
  await runSql(connection, [
    'create table person (id uuid primary key, name text not null, email text not null)',
    'create table session (id uuid primary key, person_id uuid not null references person, expires_at timestamptz not null)',
    'create table session_token (token text primary key, session_id uuid not null references session)',
    'create table record (id uuid primary key, revision int not null default 0)',
    `insert into person select gen_random_uuid(), 'Person ' || n, 'person' || n || '@bench.example' from generate_series(1, ${people}) n`,
    `insert into session select gen_random_uuid(), id, now() + interval '1 day' from person`,
    `insert into session_token select 'token-' || id, id from session`,
    'analyze',
  ])
  const tokens = await runSql(connection, ['select token from session_token limit 50'])
  return { connection, tokens: tokens.map(String) }
}

/** Returns the first column of the last statement's rows. */
async function runSql(connection: Connection, statements: string[]): Promise<unknown[]> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    let rows: unknown[][] = []
    for (const text of statements) {
      ;({ rows } = await client.query<unknown[]>({ text, rowMode: 'array' }))
    }
    return rows.map(([first]) => first)
  } finally {
    await client.end()
  }
}
