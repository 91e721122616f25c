import { rootPeopleEndpoints } from '@pult/contract'
import { type Answer, type TestServer, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { type QuickPerson, quickPerson } from './testing/quick-person.ts'

const server = await testServer()
const second = await testServer({ besides: server })
const { db } = server

beforeEach(async () => {
  await db.updateTable('person').set({ is_root: false }).execute()
})

const newRoot = () => quickPerson(server, { isRoot: true })

/** Counts the accounts that can administer. */
async function rootsLeft(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from person where is_root and disabled_at is null`.execute(db)
  return rows[0]?.count ?? 0
}

type Act = (on: TestServer, by: QuickPerson, other: QuickPerson) => Promise<Answer<unknown>>

const change =
  (body: object, whom: (by: QuickPerson, other: QuickPerson) => QuickPerson): Act =>
  (on, by, other) => {
    const { personId } = whom(by, other)
    return on.call(rootPeopleEndpoints.update, { params: { personId }, body }, by.token)
  }
const remove: Act = (on, by, { personId }) =>
  on.call(rootPeopleEndpoints.remove, { params: { personId } }, by.token)

const demote = change({ isRoot: false }, (_, other) => other)
const disable = change({ isDisabled: true }, (_, other) => other)
const stepDown = change({ isRoot: false }, (by) => by)
const leave: Act = (on, by) => remove(on, by, by)

test.each([
  ['demote each other', 30, demote, demote],
  ['demote themselves', 30, stepDown, stepDown],
  ['disable each other', 10, disable, disable],
  ['delete each other', 10, remove, remove],
  ['delete themselves', 10, leave, leave],
  ['demote and delete each other', 10, demote, remove],
  ['disable and demote each other', 10, disable, demote],
] as const)(
  'RULE-55 DEC-18 when two last roots %s concurrently on two nodes, one remains, in %i rounds',
  async (_, rounds, first, other) => {
    for (let round = 0; round < rounds; round += 1) {
      await db.updateTable('person').set({ is_root: false }).execute()
      const [a, b] = [await newRoot(), await newRoot()]
      const answers = await Promise.all([first(server, a, b), other(second, b, a)])
      expect([round, await rootsLeft()]).toEqual([round, 1])
      const codes = answers.map(({ code }) => code)
      expect(codes).toContain(undefined)
      // The later caller has lost the right or is the last root.
      const refused = codes.find((code) => code !== undefined)
      expect(['LAST_ROOT', 'FORBIDDEN', 'UNAUTHENTICATED']).toContain(refused)
    }
  },
)

test('RULE-55 DEC-18 the last root who can sign in cannot be demoted, disabled or deleted', async () => {
  const last = await newRoot()
  const disabled = await newRoot()
  const acts = [stepDown, change({ isDisabled: true }, (by) => by), leave]
  // A disabled root does not count.
  expect(await disable(server, last, disabled)).toSucceed()
  for (const act of acts) expect(await act(server, last, last)).toFailWith('LAST_ROOT')
  const both = { isRoot: false, isDisabled: true }
  expect(await change(both, (by) => by)(second, last, last)).toFailWith('LAST_ROOT')
  const { body } = await server.call(
    rootPeopleEndpoints.read,
    { params: { personId: last.personId } },
    last.token,
  )
  expect(body).toMatchObject({ isRoot: true, isDisabled: false, revision: 1 })
  const rows = await db.selectFrom('audit').select('event').where('target', '=', last.personId).execute()
  expect(rows).toEqual([])

  // The disabled root can be demoted and deleted. Enabled again, it counts as a second root.
  expect(await change({ isDisabled: false }, () => disabled)(server, last, disabled)).toSucceed()
  expect(await stepDown(server, last, last)).toSucceed()
  expect(await rootsLeft()).toBe(1)
})

test('RULE-55 a root who is demoted while the change waits changes nothing', async () => {
  const [a, b, c] = [await newRoot(), await newRoot(), await newRoot()]
  const personIds = { params: { personId: c.personId } }
  for (const revocation of [sql`is_root = false`, sql`disabled_at = now()`]) {
    await db
      .updateTable('person')
      .set({ is_root: true, disabled_at: null })
      .where('id', '=', b.personId)
      .execute()
    const waiting = await db.transaction().execute(async (trx) => {
      await sql`select pg_advisory_xact_lock(hashtextextended('accounts', 0))`.execute(trx)
      const calls = [
        second.call(rootPeopleEndpoints.update, { ...personIds, body: { isRoot: false } }, b.token),
        second.call(rootPeopleEndpoints.remove, personIds, b.token),
      ]
      await expect
        .poll(async () => {
          const { rows } = await sql`select from pg_locks where locktype = 'advisory' and not granted
            and database = (select oid from pg_database where datname = current_database())`.execute(db)
          return rows.length
        })
        .toBe(2)
      await sql`update person set ${revocation} where id = ${b.personId}`.execute(trx)
      return calls
    })
    for (const { code } of await Promise.all(waiting))
      expect(['FORBIDDEN', 'UNAUTHENTICATED']).toContain(code)
  }
  expect((await server.call(rootPeopleEndpoints.read, personIds, a.token)).body).toMatchObject({
    isRoot: true,
    revision: 1,
  })
})
