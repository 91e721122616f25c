import type pg from 'pg'

/** The schemas of Pult: its own and that of the job queue. */
const schemas = ['public', 'pgboss']

export interface Table {
  schema: string
  name: string
  columns: string[]
}

/**
 * Lists the tables with the columns that a backup contains: no computed columns, and no transaction ids, which are
 * valid only in their own cluster. The migrator's tables are omitted, because the migrations write them. The complete
 * list also has the computed columns.
 */
export async function listTables(client: pg.Client, { isComplete = false } = {}): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select n.nspname as schema, c.relname as name, array(
       select a.attname::text from pg_attribute a
       where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and (a.attgenerated = '' or $2)
         and a.atttypid <> 'xid8'::regtype
       order by a.attnum) as columns
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname = any($1) and c.relname not like 'kysely\\_%'
       and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
     order by 1, 2`,
    [schemas, isComplete],
  )
  return rows
}

export interface Sequence {
  schema: string
  name: string
  value: string
}

/** Lists the sequences that have been used. */
export async function listSequences(client: pg.Client): Promise<Sequence[]> {
  const { rows } = await client.query<Sequence>(
    `select schemaname as schema, sequencename as name, last_value::text as value from pg_sequences
     where schemaname = any($1) and last_value is not null`,
    [schemas],
  )
  return rows
}

export const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

export const columnsOf = ({ schema, name, columns }: Table) =>
  `${quoted(schema)}.${quoted(name)} (${columns.map(quoted).join(', ')})`

/** Drops everything that the migrations and the job queue have created, and nothing else in the database. */
export async function dropEverything(client: pg.Client): Promise<void> {
  await client.query('drop schema if exists pgboss cascade')
  const { rows } = await client.query<{ statement: string }>(
    `select statement from (
       select 1 as step, format('drop table if exists public.%I cascade', c.relname) as statement
       from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
         and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
       union all
       -- Those that no table owns: the others are gone by then.
       select 2, format('drop sequence if exists public.%I cascade', c.relname)
       from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'S'
         and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
       union all
       select 3, format('drop function if exists %s cascade', p.oid::regprocedure)
       from pg_proc p where p.pronamespace = 'public'::regnamespace
         and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
       union all
       select 4, format('drop collation if exists public.%I', c.collname)
       from pg_collation c where c.collnamespace = 'public'::regnamespace
         and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
     ) all_statements order by step`,
  )
  for (const { statement } of rows) await client.query(statement)
}

/**
 * Drops the foreign keys and returns the statements that add and check them, so that tables can be copied in any order.
 */
export async function dropForeignKeys(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ drop: string; add: string }>(
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
       format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as add
     from pg_constraint
     where contype = 'f' and conparentid = 0 and connamespace = any(
       select oid from pg_namespace where nspname = any($1))`,
    [schemas],
  )
  for (const { drop } of rows) await client.query(drop)
  return rows.map(({ add }) => add)
}

/** Deletes the rows that migrations have written, which the copied tables have as well. */
export async function emptyTables(client: pg.Client): Promise<void> {
  for (const { schema, name } of await listTables(client))
    await client.query(`delete from ${quoted(schema)}.${quoted(name)}`)
}

/**
 * Disables the triggers of Pult's own tables and returns the statements that enable them: a copied row has already had
 * its effects.
 */
export async function disableTriggers(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select distinct tgrelid::regclass::text as name from pg_trigger t join pg_class c on c.oid = t.tgrelid
     where c.relnamespace = 'public'::regnamespace and not t.tgisinternal`,
  )
  for (const { name } of rows) await client.query(`alter table ${name} disable trigger user`)
  return rows.map(({ name }) => `alter table ${name} enable trigger user`)
}
