import pg from 'pg'
import { onTestFinished } from 'vitest'
import {
  type EmbeddedDatabase,
  type EmbeddedDatabaseOptions,
  startEmbeddedDatabase,
} from '../embedded-database.ts'

type Started = EmbeddedDatabase & { lines: string[]; warnings: string[] }

/** Starts the database of a folder in this process; it is stopped after the test. */
export async function useDatabase(
  dataFolder: string,
  options: Partial<EmbeddedDatabaseOptions> = {},
): Promise<Started> {
  const lines: string[] = []
  const warnings: string[] = []
  const log = (line: string, level?: 'warn') => {
    lines.push(line)
    if (level === 'warn') warnings.push(line)
  }
  const database = await startEmbeddedDatabase({ dataFolder, log, ...options })
  onTestFinished(() => database.stop())
  return { ...database, lines, warnings }
}

/** Runs one statement on its own connection. */
export async function query(
  { connection }: Pick<EmbeddedDatabase, 'connection'>,
  text: string,
  values: unknown[] = [],
): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 10_000, query_timeout: 20_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query<Record<string, unknown>>(text, values)).rows
  } finally {
    await client.end().catch(() => {})
  }
}

/** Retries until it succeeds; returns the elapsed milliseconds. */
export async function untilItWorks<T>(
  task: () => Promise<T>,
  limit = 30_000,
): Promise<[result: T, took: number]> {
  const start = Date.now()
  for (;;) {
    try {
      return [await task(), Date.now() - start]
    } catch (error) {
      if (Date.now() - start > limit) throw error
      await new Promise((resolve) => setTimeout(resolve, 25))
    }
  }
}
