import type pg from 'pg'
import { answerOf } from './answer.ts'

/** A condition on a table: this role may read and change all its rows. */
export const hasRights = (oid: string) =>
  ['select', 'insert', 'update', 'delete']
    .map((right) => `pg_catalog.has_table_privilege(${oid}, '${right}')`)
    .join(' and ')

/** Like PostgreSQL's own error, for a right that a statement would need. */
export const withoutRights = (object: string) =>
  Object.assign(new Error(`permission denied for ${object}`), { code: '42501' })

/** PostgreSQL's code of a write that a read-only transaction refuses. */
export const readOnlyCode = '25006'

/** A column that shows whether no write can succeed. Unlike a write that changes nothing, it locks no table. */
export const isReadOnly = `current_setting('transaction_read_only') <> 'off' as "isReadOnly"`

/** Throws for a row with the column, like PostgreSQL for a write. */
export function refuseReadOnly(row: { isReadOnly: boolean } | undefined): void {
  if (row?.isReadOnly === false) return
  throw Object.assign(new Error('the database takes only reads: transaction_read_only is on'), {
    code: readOnlyCode,
  })
}

/**
 * Rejects a new connection on which no write can succeed, like `target_session_attrs=read-write` of libpq: after a
 * fail-over, the address can still lead to the former primary. The rejection counts as an unavailable database.
 */
export async function requireWrites(client: pg.ClientBase, timeout?: number): Promise<void> {
  const { rows } = await answerOf<{ isReadOnly: boolean }>(client, { text: `select ${isReadOnly}` }, timeout)
  refuseReadOnly(rows[0])
}
