import { randomUUID } from 'node:crypto'
import { failedWrites, lateCommits, testServer } from '@pult/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '#platform/database/database.ts'
import { createLog } from '#platform/log.ts'
import type { AuditRow } from './audit.repository.ts'
import { createAuditService } from './audit.service.ts'

const server = await testServer()
const { db } = server
const logLines: string[] = []
const log = createLog('info', { write: (line) => void logLines.push(line) })

const pressOf = (target: string): AuditRow => ({ event: 'deck-key.pressed', result: 'success', target })
const rowsOf = (target: string) => db.selectFrom('audit').select('id').where('target', '=', target).execute()

test('RULE-78 an action that cannot be recorded is recorded once the database answers', async () => {
  const [first, second] = [randomUUID(), randomUUID()]
  const end = await failedWrites(db, 'insert on audit')
  const audit = createAuditService(db)
  await audit.recordDone(log, pressOf(first))
  await audit.recordDone(log, pressOf(second))
  expect([await rowsOf(first), await rowsOf(second)]).toEqual([[], []])
  await end()
  for (const target of [first, second]) await expect.poll(() => rowsOf(target)).toHaveLength(1)
})

test('RULE-78 an action whose record is committed without an answer has one record', async () => {
  // With the time limits of calls.
  const limited = openDatabase({ connection: server.testDatabase.connection, max: 1, onError: () => {} })
  onTestFinished(limited.close)
  const [late, next] = [randomUUID(), randomUUID()]
  const end = await lateCommits(db, 'insert on audit', `new.target = '${late}'`)
  const audit = createAuditService(limited.db)
  await audit.recordDone(log, pressOf(late))
  await end()
  // Records are retried one after another: once this one exists, the late one is no longer retried.
  const endFailures = await failedWrites(db, 'insert on audit', { when: `new.target = '${next}'`, most: 1 })
  await audit.recordDone(log, pressOf(next))
  await expect.poll(() => rowsOf(next)).toHaveLength(1)
  await endFailures()
  expect(await rowsOf(late)).toHaveLength(1)
})

test('RULE-78 a record that the database rejects is logged, and the action is not rejected', async () => {
  await createAuditService(db).recordDone(log, { ...pressOf('key'), projectId: 'no id' })
  expect(logLines.join('')).toContain('an audit record was lost')
})
