import { type Kysely, sql } from 'kysely'

/** A code that was used before the clock stepped back is recognised (decision record 235). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table otp
      -- The time steps of the last codes, the newest first.
      add column used_steps int[] not null default '{}';
  `.execute(db)
}
