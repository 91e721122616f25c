import { type Kysely, sql } from 'kysely'

/** How long records are kept, and the archive of audit entries (decision records 127 and 128). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Days by the name of the part; a part that is missing has its default.
    alter table installation add column retention jsonb not null default '{}';

    create table audit_archive (
      -- Without gaps, from 1.
      number int primary key,
      file_id uuid not null unique references file,
      -- Hash of the last entry, which the next file continues.
      digest bytea not null,
      entries int not null,
      first_at timestamptz not null,
      last_at timestamptz not null,
      created_at timestamptz not null default now()
    );
    create trigger audit_archive_append_only before update or delete or truncate on audit_archive
      for each statement execute function refuse_change();

    drop trigger audit_append_only on audit;
    create trigger audit_append_only before update or truncate on audit
      for each statement execute function refuse_change();
    create function refuse_unarchived() returns trigger language plpgsql as $$
      begin
        if exists (
          select from deleted
          where at > coalesce((select max(last_at) from audit_archive), '-infinity'::timestamptz)
        ) then
          raise exception 'table % is append-only: an entry leaves it only through the archive', tg_table_name;
        end if;
        return null;
      end
    $$;
    create trigger audit_archived_only after delete on audit referencing old table as deleted
      for each statement execute function refuse_unarchived();
  `.execute(db)
}
