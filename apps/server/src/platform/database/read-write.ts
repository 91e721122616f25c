import type pg from 'pg'
import { answerOf } from './answer.ts'

/** A condition on a table: this role may read and change all its rows. */
export const hasRights = (oid: string) =>
  ['select', 'insert', 'update', 'delete']
    .map((right) => `pg_catalog.has_table_privilege(${oid}, '${right}')`)
    .join(' and ')

/** Like PostgreSQL's own error, for a right that a statement would need. */
export const withoutRights = (table: string) =>
  Object.assign(new Error(`permission denied for table ${table}`), { code: '42501' })

/** PostgreSQL's code of a write that a read-only transaction refuses. */
export const readOnlyCode = '25006'

/**
 * Rejects a new connection on which no write can succeed, like `target_session_attrs=read-write` of libpq: after a
 * fail-over, the address can still lead to the former primary. The rejection counts as an unavailable database.
 */
export async function requireWrites(client: pg.ClientBase, timeout?: number): Promise<void> {
  const text = `select current_setting('transaction_read_only') as "isReadOnly"`
  const { rows } = await answerOf<{ isReadOnly: string }>(client, { text }, timeout)
  if (rows[0]?.isReadOnly !== 'off')
    throw Object.assign(new Error('the database takes only reads: transaction_read_only is on'), {
      code: readOnlyCode,
    })
}
