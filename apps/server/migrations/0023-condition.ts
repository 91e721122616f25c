import { type Kysely, sql } from 'kysely'

/** The nodes of the installation, each with its latest heartbeat, and the kinds of mails, for the page of root. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table node (
      id uuid primary key,
      name text not null,
      version text not null,
      started_at timestamptz not null,
      seen_at timestamptz not null,
      sockets integer not null,
      edges integer not null,
      memory bigint not null
    );
    alter table mail add column kind text;
    create index mail_sent on mail (sent_at) where sent_at is not null;
    create index mail_given_up on mail (given_up_at) where given_up_at is not null`.execute(db)
}
