import { type Kysely, sql } from 'kysely'

/**
 * The order of agents' connections does not depend on a clock (decision record 235), and a restored installation
 * recognises machines that were enrolled after the backup (decision record 236).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create sequence edge_connection_number;
    -- Zero for a connection that a node of an earlier release accepted, which compares connected_at.
    alter table edge_presence add column connection_number bigint not null default 0;

    -- Ids of hardware that several machines share identify none of them.
    create index edge_machine_ids on edge using gin ((machine -> 'ids'));

    -- Changes with each restore of a backup.
    alter table installation add column era uuid not null default gen_random_uuid();
    -- A machine that was enrolled after the backup from which the installation was restored.
    alter table edge_request add column is_returning boolean not null default false;
  `.execute(db)
}
