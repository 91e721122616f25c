import { type Kysely, sql } from 'kysely'

/**
 * Delays by 2.2 s the COMMIT of transactions with a change of a table that matches `when`, the SQL condition of a row
 * trigger. The server stops waiting after 1.6 s, and the COMMIT succeeds later. Returns a function that ends the delay.
 */
export async function lateCommits<Tables>(
  db: Kysely<Tables>,
  change: `${'insert' | 'update'} on ${string}`,
  when = 'true',
): Promise<() => Promise<void>> {
  await sql`
    create function late_commit() returns trigger language plpgsql as $$ begin
      perform pg_sleep(2.2);
      return null;
    end $$`.execute(db)
  await sql`
    create constraint trigger late_commit after ${sql.raw(change)} deferrable initially deferred
    for each row when (${sql.raw(when)}) execute function late_commit()`.execute(db)
  return async () => {
    await sql`drop function late_commit cascade`.execute(db)
  }
}
