import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { startEmbeddedDatabase } from '../embedded-database.ts'

// Started by database-process.ts: uses the database of a folder until its input ends, and reports events.
const [dataFolder = '', task] = process.argv.slice(2)
const report = (word: string, rest: string) => process.stdout.write(`${word} ${rest}\n`)

process.on('SIGINT', () => report('log', 'SIGINT'))

try {
  const database = await startEmbeddedDatabase({ dataFolder, log: (line) => report('log', line) })
  report('ready', JSON.stringify(database.connection))
  if (task === 'write') void write(database.connection)
  process.stdin.resume().once('end', () => {
    void database.stop().then(() => process.exit(0))
  })
} catch (error) {
  report('failed', error instanceof Error ? error.message : String(error))
  process.exit(1)
}

async function write(connection: pg.ClientConfig): Promise<never> {
  const pool = new pg.Pool({ ...connection, max: 2, connectionTimeoutMillis: 1_000 })
  pool.on('error', () => {})
  for (;;) {
    try {
      const { rows } = await pool.query<{ id: string }>('insert into written default values returning id')
      report('wrote', rows[0]?.id ?? '')
    } catch {
      await sleep(10)
    }
  }
}
