import { type Kysely, sql } from 'kysely'

/** The database knows every token that it has issued (decision record 249). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Hashes of the tokens of all machines, including those that have ended.
    create table edge_token (hash bytea primary key);
    insert into edge_token
      select token_hash from edge where token_hash is not null
      union
      select token_hash from edge_request where token_hash is not null;

    create function note_edge_token() returns trigger language plpgsql as $$
      begin
        insert into edge_token values (new.token_hash) on conflict do nothing;
        return null;
      end
    $$;
    create trigger edge_token_issued after insert or update of token_hash on edge
      for each row when (new.token_hash is not null) execute function note_edge_token();
    create trigger edge_token_requested after insert on edge_request
      for each row when (new.token_hash is not null) execute function note_edge_token();

    -- A proof of an enrolment needs no era: the tokens show whether the database knows it.
    alter table installation drop column era;
  `.execute(db)
}
