import { edgeGroupEndpoints, edgeJobEndpoints, edgeScheduleEndpoints } from '@pult/contract'
import { someReport } from '@pult/server/edges/testing/virtual-agent.ts'
import { expectPage, type GivenPerson, type OpenedConsole, openConsole, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'

/* In each test the server handles a call, its response is lost, and the user presses again. */

const server = await testServer({ withConsole: true })
const { given, db } = server

let opened: OpenedConsole
let ask: { params: { projectId: string }; query: object }
let owner: GivenPerson
beforeEach(async () => {
  owner = await given.person()
  const { projectId } = await given.project(owner, { products: ['project', 'edges'] })
  ask = { params: { projectId }, query: {} }
  await sql`
    with made as (
      insert into edge (id, project_id, label, token_hash, enrolled_at)
      values (gen_random_uuid(), ${projectId}::uuid, 'Hall 1', decode(md5(random()::text), 'hex'), now()) returning id
    )
    insert into edge_presence (edge_id, connection, connected_at, run, version, is_online, seen_at, report)
    select id, gen_random_uuid(), now(), gen_random_uuid(), '1.2.3', false, now(), ${JSON.stringify(someReport({ commands: [] }))}::jsonb
    from made`.execute(db)
  opened = await openConsole(server, { as: owner, path: null })
})

const dialog = () => opened.page.getByRole('dialog')

async function pressTwice(name: string, path: RegExp) {
  let isLost = false
  await opened.page.route(path, async (route) => {
    if (isLost || route.request().method() !== 'POST') return route.fallback()
    isLost = true
    await route.fetch()
    await route.abort()
  })
  const button = dialog().getByRole('button', { name, exact: true })
  await button.click()
  await expectPage(dialog().getByRole('alert')).toContainText('The server cannot be reached')
  await button.click()
  await expectPage(dialog()).toHaveCount(0)
}

/** Previews diagnostics of a group with one edge. */
async function preview() {
  const { params } = ask
  const group = await owner.call(edgeGroupEndpoints.create, { params, body: { label: 'All', rule: {} } })
  await opened.page.goto(`/app/edges?group=${group.body._id}`)
  await opened.page.getByRole('button', { name: 'Run a job' }).click()
  await dialog().getByRole('button', { name: 'Preview' }).click()
  await dialog().getByText('When they are back: 1').waitFor()
}

test('RULE-59 a group saved again after a lost response exists once', async () => {
  await opened.page.goto('/app/edges?match=any&tags=North')
  await opened.page.getByRole('button', { name: 'Save as group' }).click()
  await dialog().getByRole('textbox', { name: 'Name' }).fill('North')
  await pressTwice('Save', /\/edge-groups$/)
  expect((await owner.call(edgeGroupEndpoints.list, ask)).body.total).toBe(1)
})

test('RULE-59 a job started again after a lost response runs once', async () => {
  await preview()
  await pressTwice('Start on 1 edge', /\/edge-jobs$/)
  expect((await owner.call(edgeJobEndpoints.list, ask)).body.total).toBe(1)
})

test('RULE-59 a schedule saved again after a lost response exists once', async () => {
  await preview()
  await dialog().getByRole('button', { name: 'Schedule …' }).click()
  await dialog().getByRole('textbox', { name: 'Name' }).fill('Nightly look')
  await pressTwice('Save schedule', /\/edge-schedules$/)
  expect((await owner.call(edgeScheduleEndpoints.list, ask)).body.total).toBe(1)
})
