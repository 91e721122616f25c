import { retentionEndpoints } from '@pult/contract'
import { testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { sweepMails } from '#platform/mail/outbox.repository.ts'
import { sweepSessions } from '../auth/session/session.repository.ts'
import { sweepTasks } from '../tasks/sweep-tasks.ts'

const server = await testServer()
const { given, db } = server
const { read, change } = retentionEndpoints
const root = await given.person({ isRoot: true })

const partsOf = async () =>
  new Map((await root.call(read)).body.parts.map(({ part, ...rest }) => [part, rest] as const))

test('each part has its size, its oldest record and its default', async () => {
  const parts = await partsOf()
  expect([...parts].map(([part, { days }]) => [part, days])).toEqual([
    ['audit', 730],
    ['mails', 30],
    ['tasks', 90],
    ['sessions', 30],
    ['edgeSamples', 1],
    ['edgeMinutes', 30],
    ['edgeQuarters', 730],
    ['events', null],
    ['edge-reports', null],
  ])
  expect(parts.get('audit')).toMatchObject({ rows: 0, oldest: null, size: expect.any(Number) })
  expect(parts.get('sessions')).toMatchObject({ rows: 1, oldest: expect.stringMatching(/Z$/) })
  expect((await root.call(read)).body.archive).toEqual({ files: 0, entries: 0, size: 0, oldest: null })
})

test('the forecast adds the daily growth and subtracts the rows that will be deleted', async () => {
  // 1,400 mails of the last week and 600 older ones.
  await sql`
    insert into mail (id, created_at, sent_at)
    select gen_random_uuid(), now() - interval '1 day' * case when n <= 1400 then n % 7 + 0.5 else 20 end, now()
    from generate_series(1, 2000) n`.execute(db)
  const { rows = 0, size = 0, growth, forecast } = (await partsOf()).get('mails') ?? {}
  expect(rows).toBe(2000)
  const each = size / rows
  expect(growth).toBe(Math.round(200 * each))
  // With a retention of 30 days, all of today's mails are deleted in 30 days.
  expect(forecast).toBe(Math.round(200 * 30 * each))
})

test('a setting of root decides what the clean-up deletes', async () => {
  await sql`
    insert into mail (id, created_at, sent_at) select gen_random_uuid(), now() - interval '9 days', now()
    from generate_series(1, 1500)`.execute(db)
  const old = async () =>
    (
      await sql<{
        count: number
      }>`select count(*) from mail where created_at < now() - interval '8 days'`.execute(db)
    ).rows[0]?.count
  const before = await old()
  await sweepMails(db)
  expect(await old()).toBe(before)
  expect(await root.call(change, { body: { mails: 8 } })).toSucceed()
  await sweepMails(db)
  expect(await old()).toBe(0)
  expect((await partsOf()).get('mails')?.days).toBe(8)
})

test('sessions and archived tasks are kept for the time that their settings set', async () => {
  const ada = await given.person()
  const { projectId } = await given.project(ada)
  await sql`
    update session set ended_at = now() - interval '3 days', last_seen_at = now() - interval '3 days'
    where person_id = ${ada.personId}`.execute(db)
  await sql`
    insert into task (id, project_id, title, type, kind, state, lease_for, archived_at, fulfilled_at, deadline_at)
    values (gen_random_uuid(), ${projectId}, 'old', 'x', 'info', 'finished', interval '1 minute',
      now() - interval '40 days', now() - interval '70 days', now())`.execute(db)
  const left = async () =>
    (
      await sql<{ sessions: number; tasks: number }>`
        select (select count(*) from session where person_id = ${ada.personId}) as sessions,
          (select count(*) from task where project_id = ${projectId}) as tasks`.execute(db)
    ).rows[0]
  const sweep = () => Promise.all([sweepSessions(db), sweepTasks(db)])
  await sweep()
  expect(await left()).toEqual({ sessions: 1, tasks: 1 })
  expect(await root.call(change, { body: { sessions: 2, tasks: 39 } })).toSucceed()
  await sweep()
  expect(await left()).toEqual({ sessions: 0, tasks: 0 })
})

test('a change of the retention is audited with both values, and an unchanged value is not', async () => {
  const count = async () =>
    (
      await sql<{
        detail: unknown
      }>`select detail from audit where event = 'retention.changed' order by at, id`.execute(db)
    ).rows
  const before = await count()
  expect(await root.call(change, { body: { audit: 400 } })).toSucceed()
  expect(await root.call(change, { body: { audit: 400 } })).toSucceed()
  const after = await count()
  expect(after).toHaveLength(before.length + 1)
  expect(after.at(-1)?.detail).toEqual({ audit: 400, from: { audit: 730 } })
})

test.each([
  ['too short', { audit: 29 }],
  ['too long', { sessions: 366 }],
  ['a fraction', { mails: 10.5 }],
  ['a part without a setting', { events: 10 }],
])('RULE-54 %s is rejected', async (_, body) => {
  expect(await root.call(change, { body: body as object })).toFailWith('VALIDATION_FAILED')
})
