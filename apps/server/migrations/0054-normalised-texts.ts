import { type Kysely, sql } from 'kysely'

/**
 * Stored texts in Unicode's normal form NFC, as the contract normalises all input (decision record 194). The function
 * also runs in the clean-up, because nodes of the previous release write texts as they were typed.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function normalise_texts() returns void language plpgsql as $body$
    declare
      one record;
    begin
      -- PostgreSQL normalises only in this encoding.
      if getdatabaseencoding() <> 'UTF8' then
        return;
      end if;
      for one in select * from (values
        ('person', 'firstname'), ('person', 'lastname'), ('email', 'email'), ('token_link', 'email'),
        ('organisation', 'label'), ('project', 'label'), ('access_request', 'message'),
        ('note', 'label'), ('note', 'text'), ('media', 'label'), ('file', 'name'),
        ('task', 'title'), ('task', 'info'), ('task', 'error'), ('task', 'file_name'), ('task_token', 'label'),
        ('passkey', 'label'),
        ('edge', 'label'), ('edge', 'place'), ('edge_instance', 'label'), ('edge_instance', 'reported_label'),
        ('edge_group', 'label'), ('edge_key', 'label'), ('edge_request', 'label'), ('edge_request', 'key_label'),
        ('edge_job', 'label'), ('edge_job', 'command_label'), ('edge_job', 'group_label'),
        ('edge_job_line', 'label'), ('edge_schedule', 'label')
      ) as texts (tab, col) loop
        execute format(
          'update %1$I set %2$I = normalize(%2$I, NFC) where %2$I is not nfc normalized', one.tab, one.col);
      end loop;
      -- Two tags can become equal: the first one remains.
      for one in select * from (values
        ('media', 'tags'), ('edge', 'tags'), ('edge_key', 'tags'), ('edge_request', 'tags'),
        ('edge_group', 'all_tags'), ('edge_group', 'any_tags'), ('edge_group', 'places')
      ) as lists (tab, col) loop
        execute format(
          'update %1$I set %2$I = (
             select array_agg(tag order by place) from (
               select normalize(given, NFC) as tag, min(place) as place
               from unnest(%2$I) with ordinality as list (given, place) group by 1) each)
           where array_to_string(%2$I, E''\\n'') is not nfc normalized', one.tab, one.col);
      end loop;
      -- Without documents in which an accent would combine with the letter of an escape such as \\n.
      for one in select * from (values
        ('project', 'meta'), ('removed_record', 'record'), ('settings', 'value'), ('edge_deck_page', 'keys'),
        ('extension_settings', 'values')
      ) as documents (tab, col) loop
        execute format(
          'update %1$I set %2$I = normalize(%2$I::text, NFC)::jsonb
           where %2$I::text is not nfc normalized and %2$I::text !~ $pattern$\\\\(u[0-9a-f]{4}|[bfnrt])[\\u0300-\\u036f]$pattern$',
          one.tab, one.col);
      end loop;
    end
    $body$;

    select normalise_texts();
  `.execute(db)
}
