import pg from 'pg'
import { createTestDatabase } from './test-database.ts'

/**
 * Replaces the functions that read the clock, for all sessions, functions and defaults of columns of a database. They
 * keep their identity, by which PostgreSQL would call the built-in ones, so each consists of one call, which the planner
 * puts in its place.
 */
const replaceClock = `
  create schema clock;
  create table clock.ahead (by interval not null);
  insert into clock.ahead values ('0');
  grant usage on schema clock to public;
  grant select on clock.ahead to public;
  create function clock.built_in_now() returns timestamptz language internal stable strict as 'now';
  create function clock.built_in_clock() returns timestamptz language internal volatile strict as 'clock_timestamp';
  create function clock.stepped_now() returns timestamptz language sql stable
    as 'select clock.built_in_now() + by from clock.ahead';
  create function clock.stepped_clock() returns timestamptz language sql volatile
    as 'select clock.built_in_clock() + by from clock.ahead';
  create or replace function pg_catalog.now() returns timestamptz language sql stable
    as 'select clock.stepped_now()';
  create or replace function pg_catalog.clock_timestamp() returns timestamptz language sql volatile
    as 'select clock.stepped_clock()';`

/** Creates a separate database whose clock a test can step, for the option `database` of a test server. */
export async function createSteppedDatabase() {
  const database = await createTestDatabase()

  /** As the superuser, who may replace functions of the system. */
  async function query(text: string, values: unknown[] = []): Promise<void> {
    const client = new pg.Client({ ...database.connection, user: 'postgres' })
    await client.connect()
    try {
      await client.query(text, values)
    } finally {
      await client.end()
    }
  }

  await query(replaceClock)
  return {
    database,
    /** Sets the clock of the database to the real time plus this interval, such as `30 days`. */
    setClock: (ahead: string) => query('update clock.ahead set by = $1::interval', [ahead]),
  }
}
