import { type Kysely, sql } from 'kysely'

/** Keys of decks at edges, and the account for which they act (decision records 175 and 176). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table edge_deck
      -- Null: all presses are refused.
      add column account_id uuid references person on delete set null,
      add column is_locked boolean not null default false;
    create index edge_deck_account on edge_deck (account_id) where account_id is not null;

    create table edge_deck_page (
      edge_id uuid not null,
      serial text not null,
      page int not null,
      keys jsonb not null,
      -- The labels as a transparent picture of the whole deck.
      face bytea,
      primary key (edge_id, serial, page),
      foreign key (edge_id, serial) references edge_deck on delete cascade
    );
  `.execute(db)
}
