import { extensionFailureEndpoints, rootExtensionEndpoints } from '@pult/contract'
import { extensionFolder, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { sweepExtensionFailures } from './extension-failures.ts'

const server = await testServer({
  extensionsFolder: await extensionFolder({ reports: { manifest: { id: 'reports', version: '1.2.0' } } }),
})
const { given, db } = server
const [ada, bob] = [await given.person(), await given.person()]
const root = await given.person({ isRoot: true })

beforeEach(async () => {
  await db.deleteFrom('extension_failure').execute()
})

const report = (
  { part = 'totals', message = 'No luck today', version = '1.2.0', name = 'reports' } = {},
  by = ada,
) => by.call(extensionFailureEndpoints.report, { params: { name }, body: { version, part, message } })

async function listed() {
  const { items } = (await root.call(rootExtensionEndpoints.list)).body
  return items.find(({ id }) => id === 'reports')?.versions.find(({ version }) => version === '1.2.0')
    ?.failures
}

test('failures of an extension are counted by part, and root sees them with the version', async () => {
  expect(await listed()).toEqual([])
  expect(await report()).toSucceed()
  expect(await report({ message: 'Still none' }, bob)).toSucceed()
  expect(await report({ part: 'entry', message: 'x is not a\nfunction' })).toSucceed()
  const failures = await listed()
  expect(failures).toMatchObject([
    { part: 'entry', message: 'x is not a\nfunction', count: 1 },
    { part: 'totals', message: 'Still none', count: 2 },
  ])
  const [, totals] = failures ?? []
  expect(Date.parse(totals?.lastAt ?? '')).toBeGreaterThan(Date.parse(totals?.firstAt ?? ''))
})

test('only failures of the running version of an extension are counted, and only of signed-in users', async () => {
  expect(await report({ version: '1.1.0' })).toFailWith('NOT_FOUND')
  expect(await report({ name: 'nothing' })).toFailWith('NOT_FOUND')
  const anonymous = await server.call(extensionFailureEndpoints.report, {
    params: { name: 'reports' },
    body: { version: '1.2.0', part: 'totals', message: 'No luck today' },
  })
  expect(anonymous).toFailWith('UNAUTHENTICATED')
  for (const long of [{ part: 'a'.repeat(101) }, { message: 'a'.repeat(301) }])
    expect(await report(long)).toFailWith('VALIDATION_FAILED')
  expect(await db.selectFrom('extension_failure').selectAll().execute()).toEqual([])
})

test('at most 50 parts of a version are counted, and known ones further', async () => {
  for (let part = 0; part < 50; part += 1) expect(await report({ part: `card ${part}` })).toSucceed()
  expect(await report({ part: 'one more' })).toSucceed()
  expect(await report({ part: 'card 7' })).toSucceed()
  const failures = (await listed()) ?? []
  expect(failures).toHaveLength(50)
  expect(failures[0]).toMatchObject({ part: 'card 7', count: 2 })
})

test('failures are deleted 30 days after the last one', async () => {
  for (const part of ['old', 'lasting']) await report({ part })
  await sql`update extension_failure set first_at = now() - interval '40 days',
    last_at = now() - case part when 'old' then interval '31 days' else interval '29 days' end`.execute(db)
  await sweepExtensionFailures(db)
  expect((await listed())?.map(({ part }) => part)).toEqual(['lasting'])
})
