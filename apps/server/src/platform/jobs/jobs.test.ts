import { join } from 'node:path'
import { createTestDatabase, lineTo, onFileEnd, testServer, underLoad } from '@pult/testkit'
import { sql } from 'kysely'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { explain } from '../app-error.ts'
import { openDatabase } from '../database/database.ts'
import { createLog } from '../log.ts'
import { createOutboxRepository, sweepMails } from '../mail/outbox.repository.ts'
import { createCleanUpFailures } from './clean-up-failures.ts'
import { createJobs, type Jobs, type JobsParts } from './jobs.ts'
import { sweepEveryMinute, sweepRegularly } from './sweep.ts'

const server = await testServer()
const { db } = server
const { connection } = server.testDatabase

const options = { retryDelay: 1, retryLimit: 5, longest: 30, pollInterval: 0.5, parallel: 2 }
const queryOf = (on: typeof db) => async (text: string) => (await sql.raw<never>(text).execute(on)).rows

function startedJobs(define: (jobs: Jobs) => void, parts: Partial<JobsParts> = {}) {
  const lines: string[] = []
  const jobs = createJobs({
    connection,
    log: createLog('info', { write: (line) => void lines.push(line) }),
    ...parts,
  })
  define(jobs)
  void jobs.start()
  onTestFinished(() => jobs.stop())
  return { jobs, lines }
}

test('a job runs after its transaction commits, and never after a rollback', async () => {
  const seen: string[] = []
  const { jobs } = startedJobs((defined) =>
    defined.define<{ word: string }>(
      'words',
      async ({ word }) => {
        seen.push(word)
        return 'done'
      },
      options,
    ),
  )
  await db
    .transaction()
    .execute(async (trx) => {
      await jobs.send(trx, 'words', { word: 'rolled back' })
      throw new Error('rolled back')
    })
    .catch(() => {})
  await db.transaction().execute((trx) => jobs.send(trx, 'words', { word: 'kept' }))
  await expect.poll(() => seen).toEqual(['kept'])
})

test('RULE-49 a commit wakes the worker, which runs the job long before its next poll', async () => {
  const seen: number[] = []
  const { jobs } = startedJobs((defined) =>
    defined.define<{ number: number }>(
      'woken',
      async ({ number }) => {
        seen.push(number)
        return 'done'
      },
      { ...options, pollInterval: 600 },
    ),
  )
  const send = (number: number) => db.transaction().execute((trx) => jobs.send(trx, 'woken', { number }))
  await send(1)
  await expect.poll(() => seen).toEqual([1])
  await send(2)
  await expect.poll(() => seen).toEqual([1, 2])
})

test('a job that asks for a retry or fails runs again, and only the failure is logged', async () => {
  const tries = { again: 0, fails: 0 }
  const { jobs, lines } = startedJobs((defined) =>
    defined.define<{ kind: 'again' | 'fails' }>(
      'tries',
      async ({ kind }) => {
        tries[kind] += 1
        if (tries[kind] > 1) return 'done'
        if (kind === 'fails') throw new Error('it failed')
        return 'again'
      },
      options,
    ),
  )
  await db.transaction().execute(async (trx) => {
    await jobs.send(trx, 'tries', { kind: 'again' })
    await jobs.send(trx, 'tries', { kind: 'fails' })
  })
  await expect.poll(() => tries).toEqual({ again: 2, fails: 2 })
  expect(lines.filter((line) => line.includes('a background job failed'))).toHaveLength(1)
})

test('RULE-80 jobs run again after the database has dropped the connections', async () => {
  const seen: number[] = []
  const { jobs } = startedJobs((defined) =>
    defined.define<{ number: number }>(
      'numbers',
      async ({ number }) => {
        seen.push(number)
        return 'done'
      },
      options,
    ),
  )
  const send = (number: number) => db.transaction().execute((trx) => jobs.send(trx, 'numbers', { number }))
  await send(1)
  await expect.poll(() => seen).toEqual([1])
  const { rows } = await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'pult jobs'`.execute(db)
  expect(rows.length).toBeGreaterThan(0)
  await send(2)
  await expect.poll(() => seen).toEqual([1, 2])
})

test('RULE-80 jobs run again after their connections have died silently', async () => {
  const line = await lineTo({ path: join(connection.host, `.s.PGSQL.${connection.port}`) })
  const seen: number[] = []
  const { jobs } = startedJobs(
    (defined) =>
      defined.define<{ number: number }>(
        'silent',
        async ({ number }) => {
          seen.push(number)
          return 'done'
        },
        options,
      ),
    { connection: { ...connection, host: '127.0.0.1', port: line.port } },
  )
  // The jobs stop after the line is closed: they would wait for a silent connection.
  onTestFinished(line.close)
  const send = (number: number) => db.transaction().execute((trx) => jobs.send(trx, 'silent', { number }))
  await send(1)
  await expect.poll(() => seen).toEqual([1])
  line.silence()
  await send(2)
  // A statement ends after 15 s.
  await expect.poll(() => seen, { timeout: 60_000 }).toEqual([1, 2])
})

test('RULE-80 the start does not wait for an unreachable database, and sending a job fails with BUSY', async () => {
  const lines: string[] = []
  const jobs = createJobs({
    connection: { ...connection, host: '/nowhere' },
    log: createLog('info', { write: (line) => void lines.push(line) }),
    readyTimeout: 500,
    startInterval: 50,
  })
  const start = performance.now()
  void jobs.start()
  expect(performance.now() - start).toBeLessThan(underLoad(50))
  await expect(
    db.transaction().execute((trx) => jobs.send(trx, 'words', { word: 'lost' })),
  ).rejects.toMatchObject({ code: 'BUSY', retryAfter: expect.any(Number) })
  // After several attempts.
  expect(lines).toHaveLength(1)
  await jobs.stop()
})

test('jobs that do not run report why, and run again without a restart once their tables are back', async () => {
  const own = await createTestDatabase()
  onFileEnd(own.drop)
  const seen: string[] = []
  const { jobs } = startedJobs(
    (defined) =>
      defined.define<{ word: string }>(
        'lost',
        async ({ word }) => {
          seen.push(word)
          return 'done'
        },
        options,
      ),
    { connection: own.connection, startInterval: 50 },
  )
  const opened = openDatabase({ connection: own.connection, max: 1, onError: () => {} })
  onTestFinished(opened.close)
  const query = queryOf(opened.db)
  await expect(jobs.check(query)).rejects.toThrow('still starting')
  const reason = () => jobs.check(query).then(() => 'none', explain)
  await expect.poll(reason).toBe('none')
  const inside = new pg.Client(own.connection)
  await inside.connect()
  onTestFinished(() => inside.end())
  await inside.query('drop schema pgboss cascade')
  expect(await reason()).toContain('pgboss')
  await expect.poll(reason).toBe('none')
  await opened.db.transaction().execute((trx) => jobs.send(trx, 'lost', { word: 'found' }))
  await expect.poll(() => seen).toEqual(['found'])
  await jobs.stop()
  expect(await reason()).not.toBe('none')
})

test('background work of a running server starts again after a fault that would have ended its first start', async () => {
  const own = await createTestDatabase()
  onFileEnd(own.drop)
  const { jobs } = startedJobs((defined) => defined.define('later', async () => 'done', options), {
    connection: own.connection,
    startInterval: 50,
    readyTimeout: 100,
  })
  const opened = openDatabase({ connection: own.connection, max: 1, onError: () => {} })
  onTestFinished(opened.close)
  const reason = () => jobs.check(queryOf(opened.db)).then(() => 'none', explain)
  await expect.poll(reason).toBe('none')
  const inside = new pg.Client(own.connection)
  await inside.connect()
  onTestFinished(() => inside.end())
  const database = pg.escapeIdentifier(own.connection.database)
  await inside.query(`revoke create on database ${database} from current_user`)
  await inside.query('drop schema pgboss cascade')
  await expect.poll(reason).toContain('permission denied for database')
  await expect(
    db.transaction().execute((trx) => jobs.send(trx, 'later', { word: 'lost' })),
  ).rejects.toMatchObject({ code: 'BUSY', retryAfter: expect.any(Number) })
  await inside.query(`grant create on database ${database} to current_user`)
  await expect.poll(reason).toBe('none')
})

test('a first start with a repeated error of unknown cause ends with it, and sending a job fails with BUSY', async () => {
  const { jobs } = startedJobs(
    (defined) => defined.define('wrong', async () => 'done', { ...options, longest: -1 }),
    { startInterval: 1 },
  )
  await expect(jobs.start()).rejects.toThrow(/expireIn/)
  await expect(
    db.transaction().execute((trx) => jobs.send(trx, 'wrong', { word: 'lost' })),
  ).rejects.toMatchObject({ code: 'BUSY' })
})

test('one failure of unknown cause, as of nodes that start together, does not end the first start', async () => {
  const own = await createTestDatabase()
  onFileEnd(own.drop)
  const inside = new pg.Client(own.connection)
  await inside.connect()
  onTestFinished(() => inside.end())
  await inside.query('alter table pgboss.queue rename to another')
  // The first failure is logged, and the second attempt succeeds.
  const repair = () =>
    void inside.query('alter table if exists pgboss.another rename to queue').catch(() => {})
  const { jobs } = startedJobs((defined) => defined.define('early', async () => 'done', options), {
    connection: own.connection,
    startInterval: 500,
    log: createLog('info', { write: repair }),
  })
  await expect(jobs.start()).resolves.toBeUndefined()
})

test('the connections of jobs set their own parameters, and not those of the database', async () => {
  const own = await createTestDatabase()
  onFileEnd(own.drop)
  const inside = new pg.Client(own.connection)
  await inside.connect()
  onTestFinished(() => inside.end())
  await inside.query(
    `alter database ${pg.escapeIdentifier(own.connection.database)} set datestyle = 'German'`,
  )
  await inside.query('create table style (name text)')
  await inside.query(`create function note_style() returns trigger language plpgsql as
    $$ begin insert into style values (current_setting('datestyle')); return new; end $$`)
  await inside.query(
    'create trigger style before update on pgboss.job for each row execute function note_style()',
  )
  const { jobs } = startedJobs((defined) => defined.define('styled', async () => 'done', options), {
    connection: own.connection,
  })
  const opened = openDatabase({ connection: own.connection, max: 1, onError: () => {} })
  onTestFinished(opened.close)
  await opened.db.transaction().execute((trx) => jobs.send(trx, 'styled', {}))
  const styles = async () => (await inside.query('select distinct name from style')).rows
  await expect.poll(styles).toEqual([{ name: 'ISO, YMD' }])
})

test('background work counts as running while an index of its table is created', async () => {
  const own = await createTestDatabase()
  onFileEnd(own.drop)
  const [held, asked] = [0, 1].map(() => {
    const opened = openDatabase({ connection: own.connection, max: 1, onError: () => {} })
    onTestFinished(opened.close)
    return opened.db
  })
  if (held === undefined || asked === undefined) throw new Error('no connection')
  const { jobs } = startedJobs((defined) => defined.define('indexed', async () => 'done', options), {
    connection: own.connection,
  })
  await jobs.start()
  await held.transaction().execute(async (trx) => {
    await sql`lock table pgboss.job in share mode`.execute(trx)
    const waiting = sql`
      select 1 from pg_stat_activity
      where datname = current_database() and application_name = 'pult jobs' and wait_event_type = 'Lock'`
    await expect.poll(async () => (await waiting.execute(trx)).rows.length).toBeGreaterThan(0)
    await expect(jobs.check(queryOf(asked))).resolves.toBeUndefined()
  })
})

test('a statement of the queue that waits for a lock is given up with its reason, and jobs run after it', async () => {
  const own = await createTestDatabase()
  onFileEnd(own.drop)
  const opened = openDatabase({ connection: own.connection, max: 2, limits: {}, onError: () => {} })
  onTestFinished(opened.close)
  const seen: number[] = []
  const { jobs, lines } = startedJobs(
    (defined) =>
      defined.define<{ number: number }>(
        'locked',
        async ({ number }) => {
          seen.push(number)
          return 'done'
        },
        options,
      ),
    { connection: own.connection },
  )
  await jobs.start()
  await opened.db.transaction().execute(async (trx) => {
    await sql`lock table pgboss.job in access exclusive mode`.execute(trx)
    await expect
      .poll(() => lines.join('\n'))
      .toMatch(/background jobs cannot use the database: .*lock timeout/)
  })
  await opened.db.transaction().execute((trx) => jobs.send(trx, 'locked', { number: 1 }))
  await expect.poll(() => seen).toEqual([1])
})

test('a failing clean-up job does not stop the others', async () => {
  const outbox = createOutboxRepository(db)
  const [old, recent, waiting] = await Promise.all(
    [1, 2, 3].map(() => outbox.add('invitation', Buffer.from('sealed'))),
  )
  await outbox.markSent(old ?? '')
  await outbox.markSent(recent ?? '')
  await db
    .updateTable('mail')
    .set({ created_at: sql<Date>`now() - interval '31 days'` })
    .where('id', 'in', [old ?? '', waiting ?? ''])
    .execute()

  const lines: string[] = []
  const handlers: (() => Promise<unknown>)[] = []
  const jobs = createJobs({ connection, log: createLog('silent') })
  const cleanUpFailures = createCleanUpFailures()
  const failingSweep = () => Promise.reject(new Error('no'))
  const failingFrequentSweep = () => failingSweep()
  sweepRegularly({
    clock: { isSteady: () => true },
    // Run by the test, because the queue belongs to the server's worker.
    jobs: { ...jobs, define: (_, handler) => void handlers.push(handler as () => Promise<unknown>) },
    db,
    sweeps: [failingSweep, sweepMails],
    frequentSweeps: [failingFrequentSweep],
    cleanUpFailures,
    log: createLog('info', { write: (line) => void lines.push(line) }),
  })
  for (const sweepAll of handlers) await sweepAll()
  const left = await db.selectFrom('mail').select('id').execute()
  expect(left.map(({ id }) => id).toSorted()).toEqual([recent, waiting].toSorted())
  expect(lines).toHaveLength(2)
  expect(lines[0]).toContain('failingSweep')
  expect(lines[1]).toContain('failingFrequentSweep')
  expect(cleanUpFailures.list()).toEqual([])
  for (const sweepAll of handlers) await sweepAll()
  expect(cleanUpFailures.list()).toMatchObject([
    { name: 'failingSweep', error: { message: 'no' } },
    { name: 'failingFrequentSweep', error: { message: 'no' } },
  ])
})

test('hashicorp/nomad#27675 nothing is deleted because of its age while the clock may be wrong', async () => {
  const handlers: (() => Promise<unknown>)[] = []
  let isSteady = false
  const swept: string[] = []
  sweepRegularly({
    clock: { isSteady: () => isSteady },
    jobs: {
      ...createJobs({ connection, log: createLog('silent') }),
      define: (_, handler) => void handlers.push(handler as () => Promise<unknown>),
    },
    db,
    sweeps: [async () => void swept.push('hourly')],
    frequentSweeps: [async () => void swept.push('often')],
    cleanUpFailures: createCleanUpFailures(),
    log: createLog('silent'),
  })
  for (const sweepAll of handlers) await sweepAll()
  expect(swept).toEqual([])
  isSteady = true
  for (const sweepAll of handlers) await sweepAll()
  expect(swept).toEqual(['hourly', 'often'])
})

test('a repeating job runs once in each time slot, on the node that starts it first', async () => {
  const seen: string[] = []
  const start = (node: string) =>
    startedJobs((defined) => {
      defined.define(
        'again-and-again',
        async () => {
          seen.push(node)
          return 'done'
        },
        options,
      )
      defined.every('again-and-again', 3600)
    })
  start('one')
  start('two')
  await expect.poll(() => seen.length).toBe(1)
  // A node that starts later in the same hour can send jobs only after its start has handled the slot.
  const { jobs: third } = start('three')
  await db.transaction().execute((trx) => third.send(trx, 'again-and-again', {}))
  const { rows } = await sql`select 1 from pgboss.job where name = 'again-and-again'`.execute(db)
  expect(rows).toHaveLength(2)
  await expect.poll(() => seen.length).toBe(2)

  // Simulates the next hour.
  await sql`update pgboss.job set singleton_on = singleton_on - interval '1 hour' where name = 'again-and-again'`.execute(
    db,
  )
  start('four')
  await expect.poll(() => seen.length).toBe(3)
})

test('rows that strangers can create are deleted within a minute after they expire', async () => {
  const intervals: number[] = []
  const jobs = createJobs({ connection, log: createLog('silent') })
  const recorded = {
    ...jobs,
    define: () => {},
    every: (_: string, seconds: number) => void intervals.push(seconds),
  }
  const cleanUpFailures = createCleanUpFailures()
  sweepEveryMinute({ jobs: recorded, db, cleanUpFailures, log: createLog('silent') }, [])
  expect(intervals).toEqual([60])

  const past = sql<Date>`now() - interval '1 second'`
  await db.insertInto('attempt').values({ key: 'network:over', failures: 9, blocked_until: past }).execute()
  await db
    .insertInto('passkey_challenge')
    .values({ challenge_hash: Buffer.from('x'), ceremony: 'login', is_named: false, expires_at: past })
    .execute()
  // Simulates the next minute.
  const nextMinute = () =>
    sql`update pgboss.job set singleton_on = singleton_on - interval '1 minute' where name = 'sweep-minutely'`
      .execute(db)
      .then(({ numAffectedRows }) => numAffectedRows)
      .catch(() => 0n)
  await expect.poll(nextMinute).toBeGreaterThan(0n)
  const second = await testServer({ besides: server })
  const left = async () => [
    ...(await db.selectFrom('attempt').select('key').execute()),
    ...(await db.selectFrom('passkey_challenge').select('ceremony').execute()),
  ]
  await expect.poll(left).toEqual([])
  await second.stop()
})

test('the clean-up runs hourly, every five minutes for fast-growing tables, and every minute for strangers', async () => {
  const lengths: Record<string, number> = { sweep: 3600, 'sweep-often': 300, 'sweep-minutely': 60 }
  const slots = () =>
    sql<{ name: string; seconds: number }>`
      select distinct name, extract(epoch from singleton_on)::int % 3600 as seconds
      from pgboss.job where name like 'sweep%' order by name`
      .execute(db)
      .then(({ rows }) => [
        ...new Set(rows.map(({ name, seconds }) => `${name} ${seconds % (lengths[name] ?? 1)}`)),
      ])
      .catch(() => [])
  await expect.poll(slots).toEqual(['sweep 0', 'sweep-minutely 0', 'sweep-often 0'])
})
