import { type Kysely, sql } from 'kysely'

/** Kept sums of the bytes that files use (decision record 217). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Bytes of an unfinished upload that count: those that have arrived, or that a store may receive unseen.
    alter table file add column arrived bigint not null default 0;
    create index file_unfinished_project on file (project_id) where stored_at is null;
    create index file_unfinished_person on file (person_id) where stored_at is null;

    create table used_space (
      -- 'installation', 'project {id}', or 'person {id}' for a person's own files.
      place text primary key,
      -- Set for a person's own files, whose sum leaves with the account.
      person_id uuid references person on delete cascade,
      bytes bigint not null
    );
    create index used_space_person on used_space (person_id) where person_id is not null;

    create function record_arrived() returns trigger language plpgsql as $$
      begin
        update file set arrived = new.received where id = new.file_id and arrived <> new.received;
        return null;
      end
    $$;
    create trigger upload_ticket_begun after insert on upload_ticket
      for each row execute function record_arrived();
    -- A release of a ticket must not wait for the file.
    create trigger upload_ticket_arrived after update of received on upload_ticket
      for each row when (old.received <> new.received) execute function record_arrived();

    create function count_space() returns trigger language plpgsql as $$
      declare
        counted file;
        change bigint := 0;
      begin
        if tg_op <> 'INSERT' then
          counted := old;
          change := -case when old.stored_at is null then old.arrived else old.size end;
        end if;
        if tg_op <> 'DELETE' then
          counted := new;
          change := change + case when new.stored_at is null then new.arrived else new.size end;
        end if;
        if change = 0 then return null; end if;
        -- Always before the place, so that two transactions never wait for each other.
        insert into used_space as used (place, bytes) values ('installation', change)
          on conflict (place) do update set bytes = used.bytes + excluded.bytes;
        if counted.project_id is not null or counted.person_id is not null then
          insert into used_space as used (place, person_id, bytes) values (
            case when counted.project_id is null then 'person ' || counted.person_id
              else 'project ' || counted.project_id end,
            case when counted.project_id is null then counted.person_id end,
            change
          )
          on conflict (place) do update set bytes = used.bytes + excluded.bytes;
        end if;
        return null;
      end
    $$;
    -- At the end of a transaction, so that none holds the row of the installation for long.
    create constraint trigger file_space after insert or delete or update of size, arrived, stored_at on file
      deferrable initially deferred for each row execute function count_space();

    set constraints file_space immediate;
    insert into used_space (place, bytes)
      select 'installation', sum(size) from file where stored_at is not null having count(*) > 0;
    insert into used_space (place, bytes)
      select 'project ' || project_id, sum(size) from file
      where stored_at is not null and project_id is not null group by project_id;
    insert into used_space (place, person_id, bytes)
      select 'person ' || person_id, person_id, sum(size) from file
      where stored_at is not null and project_id is null and person_id is not null group by person_id;
    update file f set arrived = t.received from upload_ticket t
      where t.file_id = f.id and f.stored_at is null and f.released_at is null and t.received > 0;
  `.execute(db)
}
