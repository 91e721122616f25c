import { setTimeout as delay } from 'node:timers/promises'
import { apiBase, meEndpoints, noteEndpoints, projectEndpoints } from '@pult/contract'
import { type GivenPerson, testServer, underLoad } from '@pult/testkit'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { newToken } from '#platform/secrets.ts'

const server = await testServer({ hasCallLimits: true })
const { given, db } = server
const isReady = async () => (await fetch(`${server.url}${apiBase}/health/ready`)).status === 200

let owner: GivenPerson
let projectId: string
beforeAll(async () => {
  owner = await given.person()
  projectId = (await given.project(owner)).projectId
  while (!(await isReady())) await delay(50)
})

const readNotes = () => owner.call(noteEndpoints.list, { params: { projectId } })

/** Locks a table while 100 clients repeat a call that needs it. Returns the codes of their answers. */
async function callLocked(
  table: string,
  work: () => Promise<void>,
  call: () => Promise<{ code?: string | undefined }> = readNotes,
): Promise<Set<string | undefined>> {
  const codes = new Set<string | undefined>()
  await db.transaction().execute(async (trx) => {
    await sql`lock table ${sql.table(table)} in access exclusive mode`.execute(trx)
    const end = performance.now() + 4000
    const clients = Array.from({ length: 100 }, async () => {
      while (performance.now() < end) codes.add((await call()).code)
    })
    // The clients fill what they may take.
    await delay(300)
    while (performance.now() < end) await work()
    await Promise.all(clients)
  })
  return codes
}

test('a locked table leaves sign-in, /me, ready and calls that do not need it alone', async () => {
  let slowest = 0
  const codes = await callLocked('note', async () => {
    const begun = performance.now()
    expect(await owner.call(meEndpoints.read)).toSucceed()
    expect(await isReady()).toBe(true)
    slowest = Math.max(slowest, performance.now() - begun)
    expect(await owner.call(projectEndpoints.list)).toSucceed()
    await owner.login()
    await delay(200)
  })
  expect(slowest).toBeLessThan(underLoad(100))
  expect([...codes].toSorted()).toEqual(['DATABASE_UNAVAILABLE', 'QUERY_TIMEOUT'])
  expect(await readNotes()).toSucceed()
})

test('a locked table that each session needs leaves the password and ready alone', async () => {
  const codes = await callLocked('project', async () => {
    expect(await isReady()).toBe(true)
    await owner.login()
    await delay(200)
  })
  expect([...codes]).toContain('QUERY_TIMEOUT')
  expect([...codes]).not.toContain(undefined)
})

test('a node is ready while calls of users hold every connection of their pool', async () => {
  const codes = await callLocked(
    'session_token',
    async () => {
      expect(await isReady()).toBe(true)
      await delay(200)
    },
    // Each token is read, eight at a time.
    () => server.call(meEndpoints.read, {}, newToken()),
  )
  expect([...codes]).not.toContain(undefined)
})
