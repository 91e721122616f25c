import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTestDatabase } from '@pult/testkit'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { hasCome, isWithin } from './clock.ts'
import { openDatabase } from './database.ts'

const { connection, drop } = await createTestDatabase()
const { db, close } = openDatabase({ connection, onError: () => {} })
afterAll(async () => {
  await close()
  await drop()
})

const minute = sql`interval '1 minute'`

async function answerOf(of: typeof isWithin, time: string | null): Promise<boolean | null> {
  const { rows } = await sql<{ answer: boolean | null }>`
    select ${of(sql`(now() + ${time}::interval)`, minute)} as answer`.execute(db)
  return rows[0]?.answer ?? null
}

test.each<[string | null, boolean | null]>([
  ['-2 minutes', false],
  ['-59 seconds', true],
  ['0', true],
  // Another transaction began later and committed earlier.
  ['2 seconds', true],
  ['20 seconds', false],
  ['30 days', false],
  [null, null],
])('a time of now plus %s is within a minute: %s', async (time, answer) => {
  expect(await answerOf(isWithin, time)).toBe(answer)
})

test.each<[string | null, boolean | null]>([
  ['-30 days', true],
  ['0', true],
  ['1 second', false],
  ['1 minute', false],
  ['2 minutes', true],
  ['30 days', true],
  [null, null],
])('the end of a minute at now plus %s has come: %s', async (time, answer) => {
  expect(await answerOf(hasCome, time)).toBe(answer)
})

/** Columns of leases, claims, waits and heartbeats. A wrong clock must not make one of them last. */
const bounded =
  'blocked_until|claimed_until|held_until|lease_until|retry_at|next_try_at|sent_at|heard_at|contact_at|ordered_at|offline_since|mailed_at'

test('no statement compares a lease, a claim, a wait or a heartbeat with the clock directly', async () => {
  const folder = join(import.meta.dirname, '../..')
  const direct = new RegExp(`\\b(?:${bounded})\\b['\`, ]*(?:<=|>=|<|>)[^\\n]*\\bnow\\(\\)`)
  const found: string[] = []
  for await (const file of glob('**/*.ts', { cwd: folder })) {
    if (/\.test\.ts$|\/testing\//.test(file)) continue
    const lines = (await readFile(join(folder, file), 'utf8')).split('\n')
    for (const line of lines) if (direct.test(line)) found.push(`${file}: ${line.trim()}`)
  }
  expect(found).toEqual([])
})
