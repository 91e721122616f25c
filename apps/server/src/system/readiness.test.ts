import { join } from 'node:path'
import { apiBase, conditionEndpoints, type ErrorReply } from '@pult/contract'
import { createTestDatabase, lineTo, onFileEnd, testServer } from '@pult/testkit'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { migrations } from '../../migrations/index.ts'

const server = await testServer()
const { connection } = server.testDatabase
const database = pg.escapeIdentifier(connection.database)

/** Its session began before each fault, so the fault does not reach it. */
const inside = new pg.Client(connection)
await inside.connect()
onFileEnd(() => inside.end())

async function stateOf({ url }: { url: string }): Promise<[number, string | undefined]> {
  const answer = await fetch(`${url}${apiBase}/health/ready`)
  return [answer.status, ((await answer.json()) as Partial<ErrorReply>).code]
}
const ready = () => stateOf(server)
const isLive = async () => (await fetch(`${server.url}${apiBase}/health/live`)).status
const reports = () =>
  server.logLines.flatMap((line) => {
    const { part = '', msg = '' } = JSON.parse(line) as { part?: string; msg?: string }
    return /this node is (not )?ready/.test(msg) ? [`${part} ${msg}`] : []
  })

/** All connections of the server close, and new ones meet the fault. */
const endSessions = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and application_name like 'pult%'`
const newest = Object.keys(migrations).at(-1) ?? ''

test.each([
  {
    fault: 'accepts only reads',
    begin: [`alter database ${database} set default_transaction_read_only = on`, endSessions],
    end: [`alter database ${database} reset default_transaction_read_only`],
    code: 'DATABASE_UNAVAILABLE',
    cause: /accepts only reads/,
  },
  {
    fault: 'forbids new rows in a table',
    begin: ['revoke insert on note from current_user'],
    end: ['grant insert on note to current_user'],
    code: 'NOT_READY',
    cause: /permission denied for table note/,
  },
  {
    fault: 'forbids changes of a table',
    begin: ['revoke update on session from current_user'],
    end: ['grant update on session to current_user'],
    code: 'NOT_READY',
    cause: /permission denied for table session/,
  },
  {
    fault: 'forbids the function of an index',
    begin: ['revoke execute on function tags_text from current_user, public'],
    end: ['grant execute on function tags_text to current_user, public'],
    code: 'NOT_READY',
    cause: /permission denied for function tags_text.*grant usage, create on schema/,
  },
  {
    fault: 'forbids the use of the schema',
    begin: ['revoke usage on schema public from pg_database_owner, public'],
    end: ['grant usage on schema public to pg_database_owner, public'],
    code: 'NOT_READY',
    cause: /permission denied for schema .*public.*grant usage, create on schema/,
  },
  {
    fault: 'has an older schema',
    begin: [`delete from kysely_migration where name = '${newest}'`],
    end: [`insert into kysely_migration (name, timestamp) values ('${newest}', now()::text)`],
    code: 'NOT_READY',
    cause: /the migration .* is missing/,
  },
  {
    fault: 'forbids background work',
    begin: ['revoke all on all tables in schema pgboss from current_user'],
    end: ['grant all on all tables in schema pgboss to current_user'],
    code: 'NOT_READY',
    cause: /permission denied for table/,
  },
  {
    fault: 'has lost the tables of background work, which the server creates again',
    begin: ['drop schema pgboss cascade'],
    end: [],
    code: 'NOT_READY',
    cause: /pgboss/,
  },
])(
  'a server whose database $fault is not ready until that ends, and logs the cause once',
  async ({ begin, end, code, cause }) => {
    await expect.poll(ready).toEqual([200, undefined])
    const before = reports().length
    for (const statement of begin) await inside.query(statement)
    await expect.poll(ready).toEqual([expect.any(Number), code])
    expect(await isLive()).toBe(200)
    for (const statement of end) await inside.query(statement)
    await expect.poll(ready).toEqual([200, undefined])
    const lines = reports().slice(before)
    expect(lines).toContainEqual(expect.stringMatching(cause))
    // One part after the other may notice the fault and its end.
    expect(lines.filter((line, index) => line === lines[index - 1])).toEqual([])
  },
)

test('a server that receives no events is not ready until it is connected again', async () => {
  await expect.poll(ready).toEqual([200, undefined])
  // The connections of the pools remain.
  await inside.query(`alter database ${database} connection limit 0`)
  await inside.query(`${endSessions} and application_name = 'pult events'`)
  const before = reports().length
  const isNamed = () =>
    reports()
      .slice(before)
      .some((line) => /^events .*Raise max_connections/.test(line))
  await expect.poll(async () => [...(await ready()), isNamed()]).toEqual([503, 'NOT_READY', true])
  await inside.query(`alter database ${database} connection limit -1`)
  await expect.poll(ready).toEqual([200, undefined])
})

test('a slow statement and a locked table do not end the readiness', async () => {
  await expect.poll(ready).toEqual([200, undefined])
  await inside.query('begin')
  await inside.query('lock table note in access exclusive mode')
  // As the creation of an index does.
  await inside.query('lock table node in share mode')
  const locked = server.app.http.inject({ method: 'GET', url: `${apiBase}/build` })
  const slow = server.db.selectFrom('note').select('id').execute()
  for (let probe = 0; probe < 3; probe += 1) expect(await ready()).toEqual([200, undefined])
  await inside.query('rollback')
  await Promise.all([locked, slow])
})

test('a server whose database does not answer is alive and not ready, and is ready when it answers', async () => {
  const line = await lineTo({ path: join(connection.host, `.s.PGSQL.${connection.port}`) })
  const own = await createTestDatabase()
  onFileEnd(own.drop)
  const node = await testServer({
    besides: {
      ...server,
      testDatabase: {
        connection: { ...own.connection, host: '127.0.0.1', port: line.port },
        drop: async () => {},
      },
    },
    hasCallLimits: true,
  })
  onTestFinished(node.stop)
  const state = () => stateOf(node)
  await expect.poll(state).toEqual([200, undefined])
  const resume = line.stall()
  await expect.poll(state).toEqual([503, 'DATABASE_UNAVAILABLE'])
  expect((await fetch(`${node.url}${apiBase}/health/live`)).status).toBe(200)
  resume()
  await expect.poll(state).toEqual([200, undefined])
})

test('the Root page names why the node is not ready, in both languages', async () => {
  const { token } = await server.given.person({ isRoot: true, otp: true })
  const checks = async (language: string) => {
    const headers = { 'accept-language': language }
    const { checks: all } = (await server.call(conditionEndpoints.read, { headers }, token)).body
    return all.find(({ id }) => id === 'ready')
  }
  await inside.query('revoke insert on note from current_user')
  await expect
    .poll(() => checks('en'))
    .toMatchObject({
      level: 'danger',
      what: expect.stringContaining('permission denied for table note'),
      fix: expect.stringContaining('It must own the tables of Pult'),
    })
  // Its row, for the other nodes and the command line. Reading the condition writes the latest results.
  const row = async () => {
    await checks('en')
    return JSON.stringify((await inside.query('select problems from node')).rows)
  }
  await expect.poll(row).toContain('permission denied for table note')
  expect(await checks('de')).toMatchObject({
    what: expect.stringContaining('dem Datenbankbenutzer fehlt ein Recht'),
    fix: expect.stringContaining('Die Tabellen von Pult müssen ihm gehören'),
  })
  await inside.query('grant insert on note to current_user')
  await expect.poll(() => checks('en')).toBeUndefined()
  await expect.poll(row).toBe('[{"problems":[]}]')
})
