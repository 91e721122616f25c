import { testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { expect, test } from 'vitest'

const { db } = await testServer()

interface Column {
  table: string
  column: string
  type: string
  isNullable: boolean
  hasDefault: boolean
  /** Computed by the database from other columns. */
  isComputed: boolean
}

/** TypeScript types by PostgreSQL type. */
const types: Readonly<Record<string, string>> = {
  _float8: 'number[]',
  _int2: 'number[]',
  _int4: 'number[]',
  _text: 'string[]',
  bool: 'boolean',
  bytea: 'Buffer',
  float8: 'number',
  int2: 'number',
  int4: 'number',
  int8: 'number',
  text: 'string',
  uuid: 'string',
  xid8: 'string',
}

/** Columns that the code describes more precisely than the database: unions, JSON and intervals. */
const precise: Readonly<Record<string, string>> = {
  'app_store.value': 'ColumnType<unknown, string, string>',
  'audit.detail': 'JSONColumnType<Record<string, unknown>>',
  'edge_deck_page.keys': 'ColumnType<unknown, string, string>',
  'edge_job.command': 'ColumnType<unknown, string, string>',
  'edge_job.counts': 'ColumnType<unknown, string | null, string | null>',
  'edge_schedule.command': 'ColumnType<unknown, string, string>',
  'edge.machine': 'ColumnType<unknown, string | null | undefined, string | null>',
  'edge_request.machine': 'ColumnType<unknown, string | null | undefined, string | null>',
  'edge_update_policy.policy': 'ColumnType<unknown, string, string>',
  'edge_presence.report': 'ColumnType<unknown, string | null, string | null>',
  'edge_presence.troubles':
    'ColumnType<Record<string, string> | null, string | null | undefined, string | null>',
  'event.data': 'JSONColumnType<Record<string, unknown>>',
  'extension.rights': 'ColumnType<unknown, string | null | undefined, string | null>',
  'extension_settings.values': 'ColumnType<Record<string, unknown>, string, string>',
  'file.readers': "'project' | 'person'",
  'installation.retention': 'ColumnType<Record<string, number>, string | undefined, string>',
  'identity_key.public_key': 'JSONColumnType<Record<string, unknown>>',
  'media.formats': 'JSONColumnType<object[]>',
  'node.problems': 'ColumnType<unknown, string | undefined, string>',
  'project.config': 'JSONColumnType<{ consoleColor?: string }>',
  'project.meta': 'ColumnType<{ customer?: string; projectId?: string }, string | undefined, string>',
  'removed_record.record': 'JSONColumnType<Record<string, unknown>>',
  'settings.value': 'ColumnType<Record<string, unknown>, string, string>',
  'task.error_message': 'ColumnType<unknown, string | null | undefined, string | null>',
  'task.info_message': 'ColumnType<unknown, string | null | undefined, string | null>',
  'task.kind': "'info' | 'download-generation'",
  'task.lease_for': 'string',
  'task.payload': 'ColumnType<unknown, string | null | undefined, string | null>',
  'task.state': "'queued' | 'running' | 'finished' | 'rejected' | 'timed-out' | 'aborted'",
  'task_log.message': 'ColumnType<unknown, string | null | undefined, string | null>',
  'token_link.data': 'JSONColumnType<Record<string, unknown>>',
}

function typeOf({ table, column, type, isNullable, hasDefault, isComputed }: Column): string {
  const known = precise[`${table}.${column}`]
  if (known !== undefined) return known
  if (type === 'timestamptz')
    return isNullable ? 'OptionalInstant' : hasDefault ? 'DefaultInstant' : 'Instant'
  const plain = types[type]
  if (plain === undefined) throw new Error(`${table}.${column}: no TypeScript type for ${type}`)
  const value = isNullable ? `${plain} | null` : plain
  if (isComputed) return `GeneratedAlways<${value}>`
  return hasDefault ? `Generated<${value}>` : value
}

const header = `// Generated from the migrated database: npm run describe:schema. The migrations explain the columns.
import type { ColumnType, Generated, GeneratedAlways, JSONColumnType } from 'kysely'

type Instant = ColumnType<Date, Date | string, Date | string>
type DefaultInstant = ColumnType<Date, Date | string | undefined, Date | string>
type OptionalInstant = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
`

test('schema.ts describes the migrated database; else: npm run describe:schema', async () => {
  const { rows } = await sql<Column>`
    select table_name as "table", column_name as "column", udt_name as type, is_nullable = 'YES' as "isNullable",
      column_default is not null or is_identity = 'YES' as "hasDefault", is_generated = 'ALWAYS' as "isComputed"
    from information_schema.columns
    where table_schema = 'public' and table_name not like 'kysely%'
      -- A partition has the columns of its table.
      and not exists (select from pg_inherits where inhrelid = to_regclass(quote_ident(table_name)))
    order by table_name collate "C", ordinal_position
  `.execute(db)
  const columns = new Set(rows.map(({ table, column }) => `${table}.${column}`))
  expect(Object.keys(precise).filter((name) => !columns.has(name))).toEqual([])
  const tables = [...Map.groupBy(rows, ({ table }) => table)].map(([table, ofTable]) => {
    const lines = ofTable.map((column) => `    ${column.column}: ${typeOf(column)}\n`)
    return `  ${table}: {\n${lines.join('')}  }\n`
  })
  const text = `${header}\nexport interface Database {\n${tables.join('')}}\n`
  await expect(text).toMatchFileSnapshot('schema.ts')
})
