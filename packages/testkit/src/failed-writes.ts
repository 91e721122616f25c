import { type Kysely, sql } from 'kysely'

/**
 * Fails changes of a table as if the database were unavailable: all that match `when`, or the first `most`. `when` is
 * the SQL condition of a row trigger. Returns a function that ends the failures.
 */
export async function failedWrites<Tables>(
  db: Kysely<Tables>,
  change: `${'insert' | 'update'} on ${string}`,
  { when = 'true', most = Number.MAX_SAFE_INTEGER }: { when?: string; most?: number } = {},
): Promise<() => Promise<void>> {
  // A sequence also counts in transactions that roll back.
  await sql`
    create sequence failed_writes;
    create function fail_write() returns trigger language plpgsql as $$ begin
      if nextval('failed_writes') <= ${sql.lit(most)} then raise exception using errcode = '57P03'; end if;
      return new;
    end $$;
    create trigger fail_write before ${sql.raw(change)} for each row when (${sql.raw(when)})
    execute function fail_write()`.execute(db)
  return async () => {
    await sql`drop function fail_write cascade; drop sequence failed_writes`.execute(db)
  }
}
