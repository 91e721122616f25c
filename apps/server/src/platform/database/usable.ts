import { codeOf, type OpenDatabase, type Statement } from './database.ts'
import { hasRights, isReadOnly, refuseReadOnly, withoutRights } from './read-write.ts'

/**
 * Reads whether the database takes no writes, the given migrations that it lacks, and an object that this role owns but
 * may not use: a table, or a function of an index. A newer schema is not a fault: during an update
 * the nodes of the former version still work.
 */
const proof: Statement = {
  name: 'usable',
  text: `select ${isReadOnly}, array(select known from unnest($1::text[]) known
        where not exists (select from kysely_migration where name = known)) as missing,
      array(select 'table ' || c.relname from pg_catalog.pg_class c
          where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
            and pg_catalog.pg_has_role(c.relowner, 'usage') and not (${hasRights('c.oid')})
        union all
        select 'function ' || p.proname from pg_catalog.pg_proc p
          where p.pronamespace = current_schema()::regnamespace and pg_catalog.pg_has_role(p.proowner, 'usage')
            and not pg_catalog.has_function_privilege(p.oid, 'execute')
        limit 1) as forbidden`,
}

const schema: Statement = {
  name: 'schema',
  text: `select current_schema() as name, current_setting('search_path') as path`,
}

interface Usable {
  isReadOnly: boolean
  missing: string[]
  forbidden: string[]
}

/**
 * Rejects with the reason if a server with these migrations cannot write all its tables. Errors of the schema have the
 * code of a missing table, those of permissions PostgreSQL's own.
 */
export async function requireUsable(
  database: Pick<OpenDatabase, 'read'>,
  migrations: readonly string[],
): Promise<void> {
  const [row] = await database
    .read<Usable>(proof, [migrations], ([first]) => refuseReadOnly(first))
    .catch(async (error: unknown) => {
      if (codeOf(error) !== '42P01') throw error
      // PostgreSQL reports the tables of a schema that this role may not use as missing.
      const [found] = await database.read<{ name: string | null; path: string }>(schema, [])
      throw found?.name === null ? withoutRights(`schema ${found.path}`) : error
    })
  const [missing] = row?.missing ?? []
  if (missing !== undefined)
    throw Object.assign(new Error(`the migration ${missing} is missing`), { code: '42P01' })
  const [forbidden] = row?.forbidden ?? []
  if (forbidden !== undefined) throw withoutRights(forbidden)
}
