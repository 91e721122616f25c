import { type Kysely, sql } from 'kysely'

/**
 * Values of edges over time (decision record 150). Each table is a ring of partitions: a period writes into the one whose
 * number is that of the period modulo their count, and the clean-up truncates a partition before its next turn.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table edge_series (
      id int generated always as identity primary key,
      -- No foreign key: the clean-up deletes the values of a deleted edge in batches.
      edge_id uuid not null,
      key text not null,
      unit text not null,
      unique (edge_id, key)
    );

    -- One row for each edge and minute.
    create table edge_sample (
      part smallint not null,
      edge_id uuid not null,
      at timestamptz not null,
      -- Times of the samples, in hundredths of a second from the start of the minute.
      ticks smallint[] not null,
      series int[] not null,
      -- One value for each tick and series: all series of the first tick, then those of the second. Null without one.
      readings float8[] not null,
      primary key (edge_id, at, part)
    ) partition by list (part);

    -- One row for each series and hour, and one for each series and day: a point for each minute and each quarter of an
    -- hour that has a sample.
    create table edge_minute (
      part smallint not null,
      series int not null,
      at timestamptz not null,
      places smallint[] not null,
      counts smallint[] not null,
      lows float8[] not null,
      means float8[] not null,
      highs float8[] not null,
      primary key (series, at, part)
    ) partition by list (part);
    create table edge_quarter (like edge_minute, primary key (series, at, part)) partition by list (part);

    do $$
    declare ring record;
    begin
      for ring in select * from (values ('edge_sample', 9), ('edge_minute', 15), ('edge_quarter', 14)) as r (name, count) loop
        for number in 0 .. ring.count - 1 loop
          execute format('create table %I partition of %I for values in (%s)',
            ring.name || '_' || number, ring.name, number);
        end loop;
      end loop;
    end $$;

    -- All samples before these instants are in edge_minute and in edge_quarter.
    create table edge_rollup (
      kind text primary key,
      until timestamptz not null
    );

    -- Bytes of the values of a project, by the period that a quota deletes at once.
    create table edge_values_used (
      project_id uuid not null,
      kind text not null,
      period timestamptz not null,
      bytes bigint not null,
      primary key (project_id, kind, period)
    );

    -- Times without a connection to the agent.
    create table edge_outage (
      edge_id uuid not null references edge on delete cascade,
      begins timestamptz not null,
      ends timestamptz,
      primary key (edge_id, begins)
    );
    create index edge_outage_open on edge_outage (edge_id) where ends is null;
    insert into edge_outage (edge_id, begins)
    select edge_id, coalesce(offline_since, seen_at) from edge_presence where not is_online;
  `.execute(db)
}
