import { type Kysely, sql } from 'kysely'

/** Accounts with an unverified address, created by an invitation link that root handed over. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    do $$
    declare
      name text;
    begin
      for name in
        select conname from pg_constraint
        where conrelid = 'email'::regclass and contype = 'c' and pg_get_constraintdef(oid) like '%is_default%'
      loop
        execute format('alter table email drop constraint %I', name);
      end loop;
    end $$;
    -- At most one account signs in with an address while it is unverified.
    create unique index email_unverified_sign_in on email (email_key) where is_default and verified_at is null;
  `.execute(db)
}
