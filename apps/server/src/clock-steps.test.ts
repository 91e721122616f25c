import {
  edgeEndpoints,
  edgeEnrolmentEndpoints,
  edgeGroupEndpoints,
  edgeScheduleEndpoints,
  edgeValueEndpoints,
  loginEndpoints,
  meEndpoints,
  tokenLinkEndpoints,
} from '@pult/contract'
import { createSteppedDatabase, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { createReach } from './edges/reach.ts'
import { createDueRepository } from './edges/schedules/schedule.repository.ts'
import { connectAgent } from './edges/testing/virtual-agent.ts'
import { createIdentityKeyRepository } from './extensions/backends/identity-key.repository.ts'

/*
 * The clock of the database stands in the future and is set right, as with a real-time clock that NTP corrects or after a
 * fail-over. Nothing may wait until the future comes.
 */

const { database, setClock } = await createSteppedDatabase()
const server = await testServer({ database })
const { given, db } = server
/** Longer than any wait for a corrected state: 15 s of grace after each step, and 15 s without reports. */
const patience = { timeout: 60_000, interval: 200 }

afterEach(() => setClock('0'))

const owner = await given.person()
const { projectId } = await given.project(owner, { products: ['project', 'edges'] })

async function enrolled(label: string) {
  const made = await owner.call(edgeEndpoints.enrol, { params: { projectId }, body: { label } })
  const { body } = await server.call(edgeEnrolmentEndpoints.redeem, { body: { code: made.body.code } })
  for (const secret of [made.body.code, body.token]) server.watchSecret(secret)
  return { edgeId: made.body.edge._id, token: body.token }
}

/** Connects an agent that reports until it is ended. */
async function reporting(token: string) {
  const agent = await connectAgent(server.url, { token })
  const timer = setInterval(() => agent.isOpen() && agent.report(), 300)
  const end = () => {
    clearInterval(timer)
    agent.ws.terminate()
  }
  onTestFinished(end)
  return { agent, end }
}
/** Read from the database, because no session lasts until the future. */
async function stateOf(edgeId: string): Promise<'online' | 'offline' | undefined> {
  const row = await db
    .selectFrom('edge_presence')
    .select('is_online')
    .where('edge_id', '=', edgeId)
    .executeTakeFirst()
  return row && (row.is_online ? 'online' : 'offline')
}

test.each(['20 seconds', '30 days'])(
  'hashicorp/nomad#27675 threefoldtech/zos#2286 after the clock was %s ahead, agents stay, come back and go offline',
  { timeout: 200_000 },
  async (ahead) => {
    const [kept, late] = [await enrolled(`Kept ${ahead}`), await enrolled(`Late ${ahead}`)]
    const first = await reporting(kept.token)
    await expect.poll(() => stateOf(kept.edgeId), patience).toBe('online')
    await setClock(ahead)
    const second = await reporting(late.token)
    await expect.poll(() => stateOf(late.edgeId), patience).toBe('online')
    await expect
      .poll(async () => {
        const { rows } = await sql`
          select from edge_presence where edge_id = ${kept.edgeId}::uuid and seen_at > clock_timestamp() - interval '10 seconds'`.execute(
          db,
        )
        return rows.length
      }, patience)
      .toBe(1)

    await setClock('0')
    second.end()
    const again = await reporting(late.token)
    await expect.poll(() => again.agent.messages.length, patience).toBeGreaterThan(0)
    await expect
      .poll(async () => {
        const { rows } = await sql`
          select from edge_presence where edge_id = any(${[kept.edgeId, late.edgeId]}::uuid[])
            and is_online and seen_at between now() - interval '10 seconds' and now()`.execute(db)
        return rows.length
      }, patience)
      .toBe(2)
    expect([first.agent.isOpen(), again.agent.isOpen()]).toEqual([true, true])
    const { rows: outages } = await sql`
      select from edge_outage where edge_id = any(${[kept.edgeId, late.edgeId]}::uuid[])`.execute(db)
    expect(outages).toEqual([])

    first.end()
    await expect.poll(() => stateOf(kept.edgeId), patience).toBe('offline')
    const { rows } = await sql`
      select from edge_presence where edge_id = ${kept.edgeId}::uuid and offline_since <= now()`.execute(db)
    expect(rows).toHaveLength(1)
    expect(await stateOf(late.edgeId)).toBe('online')
  },
)

test('hashicorp/nomad#27675 an edge whose last report is of the future goes offline', {
  timeout: 120_000,
}, async () => {
  const { edgeId, token } = await enrolled('Gone')
  await setClock('1 hour')
  const { end } = await reporting(token)
  await expect.poll(() => stateOf(edgeId), patience).toBe('online')
  end()
  await setClock('0')
  await expect.poll(() => stateOf(edgeId), patience).toBe('offline')
})

test('citusdata/pg_cron#105 dbader/schedule#323 schedules continue after the clock was ahead', async () => {
  const group = await owner.call(edgeGroupEndpoints.create, {
    params: { projectId },
    body: { label: 'All', rule: {} },
  })
  const created = async (cron: string) => {
    const made = await owner.call(edgeScheduleEndpoints.create, {
      params: { projectId },
      body: {
        label: cron,
        command: { name: 'diagnostics' },
        group: group.body._id,
        cron,
        timeZone: 'Europe/Berlin',
      },
    })
    expect(made).toSucceed()
    return made.body._id
  }
  const [often, daily] = [await created('*/5 * * * *'), await created('0 3 * * *')]
  const nextAt = async (itemId: string) => {
    const row = await db
      .selectFrom('edge_schedule')
      .select('next_at')
      .where('id', '=', itemId)
      .executeTakeFirstOrThrow()
    return row.next_at?.getTime() ?? Number.NaN
  }
  await setClock('30 days')
  await expect.poll(() => nextAt(often), patience).toBeGreaterThan(Date.now() + 29 * 86_400_000)
  await expect.poll(() => nextAt(daily), patience).toBeGreaterThan(Date.now() + 29 * 86_400_000)
  await setClock('0')
  await expect.poll(() => nextAt(often), patience).toBeLessThanOrEqual(Date.now() + 300_000)
  await expect.poll(() => nextAt(daily), patience).toBeLessThanOrEqual(Date.now() + 25 * 3_600_000)
  const lastRun = async (itemId: string) =>
    (await owner.call(edgeScheduleEndpoints.read, { params: { projectId, itemId } })).body.lastRun
  const future = await lastRun(daily)
  expect(Date.parse(future?.dueAt ?? '1970-01-01')).toBeLessThanOrEqual(Date.now())

  // A due time whose run was recorded by the clock that was ahead.
  for (const missed of ['late', null]) {
    await sql`
      insert into edge_schedule_run (schedule_id, due_at, missed) values (${often}, date_trunc('minute', now()), ${missed})
      on conflict (schedule_id, due_at) do update set missed = excluded.missed`.execute(db)
    await sql`update edge_schedule set next_at = date_trunc('minute', now()) where id = ${often}`.execute(db)
    await expect.poll(() => nextAt(often), patience).toBeGreaterThan(Date.now())
  }
  expect(server.logLines.filter((line) => line.includes('could not run'))).toEqual([])
})

test('kagkarlsson/db-scheduler#364 a clock at 1970 brings no schedule forward', async () => {
  expect(
    await db.selectFrom('edge_schedule').select('id').where('next_at', 'is not', null).execute(),
  ).not.toEqual([])
  await setClock('-56 years')
  onTestFinished(() => setClock('0'))
  expect(await createDueRepository(db).bringForward(() => new Date(0))).toEqual([])
})

test('a wait after failed sign-ins and a session do not last longer because the clock was ahead', async () => {
  const ada = await given.person()
  const login = (password: string) =>
    server.call(loginEndpoints.login, {
      body: { type: 'credentials', data: { username: ada.email, password } },
    })
  const session = (await login(ada.password)).body
  await setClock('30 days')
  for (let attempt = 0; attempt < 6; attempt += 1) await login('wrong password')
  expect(await login(ada.password)).toFailWith('TOO_MANY_REQUESTS')
  await setClock('0')
  expect(await login(ada.password)).toSucceed()
  expect(session.next).toBe('redeem')
  expect(await server.call(meEndpoints.read, {}, session.next === 'redeem' ? session.token : '')).toSucceed()
})

/** Makes each secret that a clock ends. Returns functions that use them. */
async function secretsOf(name: string) {
  const ada = await given.person()
  const { projectId: own } = await given.project(ada, { products: ['project', 'edges'] })
  const { body } = await ada.call(edgeEndpoints.enrol, { params: { projectId: own }, body: { label: name } })
  const { link } = await server.app.invitations.invite({ email: `${name}@example.org`, isRoot: false })
  const token = link.split('/bift/')[1] ?? ''
  for (const secret of [body.code, token]) server.watchSecret(secret)
  return {
    session: () => ada.call(meEndpoints.read),
    code: () => server.call(edgeEnrolmentEndpoints.redeem, { body: { code: body.code } }),
    link: () => server.call(tokenLinkEndpoints.preflight, { params: { token } }),
  }
}

test('a session, a code and a link that a clock a month ahead has made end with its correction', async () => {
  await setClock('40 days')
  const { session, code, link } = await secretsOf('ahead')
  for (const use of [session, link]) expect(await use()).toSucceed()
  await setClock('0')
  for (const use of [session, code, link]) expect(await use()).not.toSucceed()
})

test('louislam/uptime-kuma#3870 times of the future make no share of connected time below 0 or above 1', async () => {
  const { projectId: fleet } = await given.project(owner, { products: ['project', 'edges'] })
  const edgeOf = async (label: string, since: string, outage?: [begins: string, ends: string]) => {
    const edgeId = await given.edge(fleet, { label })
    await sql`update edge set enrolled_at = now() + ${since}::interval where id = ${edgeId}`.execute(db)
    if (outage !== undefined)
      await sql`
        insert into edge_outage (edge_id, begins, ends)
        values (${edgeId}, now() + ${outage[0]}::interval, now() + ${outage[1]}::interval)`.execute(db)
  }
  const shares = async () => [
    (await owner.call(edgeValueEndpoints.fleet, { params: { projectId: fleet } })).body.reachable ??
      Number.NaN,
    (await createReach(db)([fleet])).get(fleet) ?? Number.NaN,
  ]
  // The edge came back while the clock was ahead.
  await edgeOf('Back', '-40 days', ['-1 hour', '30 days'])
  for (const share of await shares()) expect(share).toBeGreaterThan(0.95)
  await edgeOf('Enrolled', '30 days')
  for (const share of await shares()) expect(share).toBeLessThanOrEqual(1)
})

test('grafana/grafana#86394 services of extensions are called with a clock beyond 2038', async () => {
  const keys = createIdentityKeyRepository(db)
  await setClock('13 years')
  await keys.add({ kty: 'OKP' }, Buffer.from('x'))
  expect((await keys.current())?.now).toBeGreaterThan(2 ** 31)
  await setClock('0')
  await sql`delete from identity_key`.execute(db)
})

test('a correction by 20 seconds signs no user out', async () => {
  await setClock('20 seconds')
  const { session } = await secretsOf('soon')
  await setClock('0')
  expect(await session()).toSucceed()
})

test('background jobs that were sent when the clock was ahead run after its correction', {
  timeout: 120_000,
}, async () => {
  await setClock('30 days')
  await sql`select pg_sleep(1)`.execute(db)
  await sql`
    insert into pgboss.job (name, start_after, created_on)
    values ('sweep', now() + interval '1 minute', now())`.execute(db)
  await sql`update pgboss.queue set monitor_on = now(), maintain_on = now(), monitor_claim_on = now()`.execute(
    db,
  )
  await setClock('0')
  await expect
    .poll(async () => {
      const { rows } = await sql`
        select name from pgboss.job
        where state < 'completed' and greatest(start_after, created_on, started_on) > now() + interval '2 minutes'
        union all
        select name from pgboss.queue where greatest(monitor_on, maintain_on, monitor_claim_on) > now() + interval '2 minutes'`.execute(
        db,
      )
      return rows
    }, patience)
    .toEqual([])
})
