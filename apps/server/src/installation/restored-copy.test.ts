import {
  conditionEndpoints,
  edgeCloseCodes,
  edgeEndpoints,
  edgeEnrolmentEndpoints,
  edgeGroupEndpoints,
  edgeScheduleEndpoints,
  recoveryEndpoints,
} from '@pult/contract'
import { openMailbox, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { expect, onTestFinished, test } from 'vitest'
import { createBackupRunRepository } from '../backup/backup-run.repository.ts'
import { connectAgent } from '../edges/testing/virtual-agent.ts'
import { createInstallationService } from './installation.service.ts'

const mailbox = await openMailbox()
const server = await testServer({ settings: { SMTP_URL: mailbox.url } })
const { given, db, dataFolder } = server
const installation = createInstallationService({ db, dataFolder })
const original = 'https://pult.example.org'

const restore = (publicUrl: string | null) =>
  sql`update installation set is_copy = true, public_url = ${publicUrl}`.execute(db)
const stored = () => db.selectFrom('installation').select(['public_url', 'is_copy']).executeTakeFirstOrThrow()

test('Madek/Madek#897 a restored copy sends no mail and acts on no machine until root puts it into service', async () => {
  const root = await given.person({ isRoot: true, otp: true })
  const owner = await given.person()
  const { projectId } = await given.project(owner, { products: ['project', 'edges'] })
  const params = { projectId }
  const made = await owner.call(edgeEndpoints.enrol, { params, body: { label: 'Hall' } })
  const { body: enrolled } = await server.call(edgeEnrolmentEndpoints.redeem, {
    body: { code: made.body.code },
  })
  for (const secret of [made.body.code, enrolled.token]) server.watchSecret(secret)
  const connect = async () => {
    const agent = await connectAgent(server.url, { token: enrolled.token })
    onTestFinished(() => agent.ws.terminate())
    return agent
  }
  const before = await connect()
  await expect.poll(() => before.messages.length).toBe(1)
  before.report()
  const group = await owner.call(edgeGroupEndpoints.create, { params, body: { label: 'All', rule: {} } })
  const schedule = await owner.call(edgeScheduleEndpoints.create, {
    params,
    body: {
      label: 'Night',
      command: { name: 'diagnostics' },
      group: group.body._id,
      cron: '0 3 1 1 *',
      timeZone: 'UTC',
    },
  })
  expect(schedule).toSucceed()
  before.ws.terminate()
  expect((await root.call(conditionEndpoints.read)).body.copyOf).toBeNull()

  await restore(original)
  const condition = (await root.call(conditionEndpoints.read)).body
  expect(condition.copyOf).toBe(original)
  expect(condition.checks).toContainEqual(
    expect.objectContaining({ id: 'copy', level: 'danger', what: expect.stringContaining(original) }),
  )
  await server.call(recoveryEndpoints.resetPassword, { body: { username: owner.email } })
  await sql`update edge_schedule set next_at = now() where id = ${schedule.body._id}`.execute(db)
  await sql`
    update edge set alert_after = 1 where id = ${made.body.edge._id}`.execute(db)
  await sql`
    update edge_presence set is_online = false, offline_since = now() - interval '1 hour'
    where edge_id = ${made.body.edge._id}`.execute(db)
  const refused = await connect()
  expect(await refused.closed).toBe(edgeCloseCodes.waiting)
  // Longer than the pauses of the workers.
  await new Promise((resolve) => setTimeout(resolve, 6000))
  expect(mailbox.received.filter(({ to }) => to === owner.email)).toEqual([])
  expect(
    (await owner.call(edgeScheduleEndpoints.runs, { params: { ...params, itemId: schedule.body._id } })).body
      .items,
  ).toEqual([])
  expect(await createBackupRunRepository(db).isInService()).toBe(false)

  expect(await root.call(conditionEndpoints.putIntoService)).toSucceed()
  expect((await root.call(conditionEndpoints.read)).body.copyOf).toBeNull()
  expect(await createBackupRunRepository(db).isInService()).toBe(true)
  await expect
    .poll(() => mailbox.received.filter(({ to }) => to === owner.email).length, { timeout: 60_000 })
    .toBeGreaterThan(0)
  await expect
    .poll(
      async () =>
        (await owner.call(edgeScheduleEndpoints.runs, { params: { ...params, itemId: schedule.body._id } }))
          .body.items.length,
      { timeout: 30_000 },
    )
    .toBe(1)
  const admitted = await connect()
  await expect.poll(() => admitted.messages).toMatchObject([{ type: 'welcome' }])
  const entries = await db
    .selectFrom('audit')
    .select(['event', 'detail'])
    .where('event', '=', 'installation.put-into-service')
    .execute()
  expect(entries).toMatchObject([{ detail: { original } }])
  // A repetition has no effect.
  expect(await root.call(conditionEndpoints.putIntoService)).toSucceed()
})

test.each([
  ['at its former address', original, original, { public_url: original, is_copy: false }],
  ['at another address', original, 'http://localhost:8080', { public_url: original, is_copy: true }],
  ['from a backup without an address', null, original, { public_url: original, is_copy: false }],
])(
  'leihs/leihs#1980 an installation that was restored %s starts as the original or as a copy',
  async (_name, from, at, state) => {
    await restore(from)
    await installation.noteAddress(at)
    expect(await stored()).toEqual(state)
    // A further start changes nothing.
    await installation.noteAddress(at)
    expect(await stored()).toEqual(state)
  },
)

test.each<[string, () => Promise<unknown>]>([
  ['it starts at its former address', () => installation.noteAddress(original)],
  [
    'root puts it into service',
    () => db.transaction().execute((trx) => installation.putIntoService(trx, server.url)),
  ],
])(
  'leihs/leihs#1980 waiting mails of a backup that are older than an hour expire when %s',
  async (_how, end) => {
    await restore(original)
    const [old, recent] = [uuidv7(), uuidv7()]
    await sql`insert into mail (id, created_at)
    values (${old}, now() - interval '61 minutes'), (${recent}, now() - interval '59 minutes')`.execute(db)
    const expired = () =>
      db
        .selectFrom('mail')
        .select(['id', 'last_error'])
        .where('id', 'in', [old, recent])
        .where('given_up_at', 'is not', null)
        .execute()
    await installation.noteAddress('https://copy.example.org')
    expect(await expired()).toEqual([])
    await end()
    expect(await expired()).toEqual([
      { id: old, last_error: 'EXPIRED: older than an hour when it was restored' },
    ])
  },
)

test('opencollective/opencollective#2054 a database that another program has copied is a copy at another address only', async () => {
  const own = async () =>
    (await db.selectFrom('installation').select('database_id').executeTakeFirstOrThrow()).database_id
  await sql`update installation set is_copy = false, public_url = ${original}, database_id = null`.execute(db)
  await installation.noteAddress(original)
  const id = await own()
  expect(id).toMatch(/^\d+ \d+$/)
  const elsewhere = '7000000000000000000 16384'
  // The move of a database to another server.
  await sql`update installation set database_id = ${elsewhere}`.execute(db)
  await installation.noteAddress(original)
  expect([await stored(), await own()]).toEqual([{ public_url: original, is_copy: false }, id])

  await sql`update installation set database_id = ${elsewhere}`.execute(db)
  const copy = { public_url: original, is_copy: true }
  for (let start = 0; start < 2; start += 1) {
    await installation.noteAddress('http://localhost:8080')
    expect([await stored(), await own()]).toEqual([copy, elsewhere])
  }
  expect(await installation.putIntoService(db, 'http://localhost:8080')).toBe(original)
  await installation.noteAddress('https://other.example.org')
  expect(await stored()).toEqual({ public_url: 'https://other.example.org', is_copy: false })
})

test('an installation that moves to another address without a restore remains in service', async () => {
  await sql`update installation set is_copy = false, public_url = ${original}`.execute(db)
  await installation.noteAddress('https://other.example.org')
  expect(await stored()).toEqual({ public_url: 'https://other.example.org', is_copy: false })
})
