import type { OpenDatabase, Statement } from './database.ts'
import { hasRights, withoutRights } from './read-write.ts'

/**
 * Fails on a database that takes no writes, and changes no row. Returns the given migrations that the database lacks,
 * and the tables that this role owns but may not change. A newer schema is not a fault: during an update the nodes of
 * the former version still work.
 */
const proof: Statement = {
  name: 'usable',
  text: `with writes as (update node set name = name where false)
    select array(select known from unnest($1::text[]) known
        where not exists (select from kysely_migration where name = known)) as missing,
      array(select c.relname::text from pg_catalog.pg_class c
        where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
          and pg_catalog.pg_has_role(c.relowner, 'usage') and not (${hasRights('c.oid')}) limit 1) as forbidden`,
}

/**
 * Rejects with the reason if a server with these migrations cannot write all its tables. Errors of the schema have the
 * code of a missing table, those of permissions PostgreSQL's own.
 */
export async function requireUsable(
  database: Pick<OpenDatabase, 'read'>,
  migrations: readonly string[],
): Promise<void> {
  const [row] = await database.read<{ missing: string[]; forbidden: string[] }>(proof, [migrations])
  const [missing] = row?.missing ?? []
  if (missing !== undefined)
    throw Object.assign(new Error(`the migration ${missing} is missing`), { code: '42P01' })
  const [forbidden] = row?.forbidden ?? []
  if (forbidden !== undefined) throw withoutRights(forbidden)
}
