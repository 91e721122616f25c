import { edgeGroupEndpoints, edgeScheduleEndpoints } from '@pult/contract'
import { someReport } from '@pult/server/edges/testing/virtual-agent.ts'
import { expectPage, type GivenPerson, openConsole, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { expect, test } from 'vitest'

const server = await testServer({ withConsole: true })
const { given, db } = server

/** Returns the id of a group with one edge, which is offline. */
async function groupWithAnEdge(owner: GivenPerson, projectId: string): Promise<string> {
  const { body } = await owner.call(edgeGroupEndpoints.create, {
    params: { projectId },
    body: { label: 'All', rule: {} },
  })
  await sql`
    with made as (
      insert into edge (id, project_id, label, token_hash, enrolled_at)
      values (gen_random_uuid(), ${projectId}::uuid, 'Hall 1', decode(md5(random()::text), 'hex'), now()) returning id
    )
    insert into edge_presence (edge_id, connection, connected_at, run, version, is_online, seen_at, report)
    select id, gen_random_uuid(), now(), gen_random_uuid(), '1.2.3', false, now(), ${JSON.stringify(someReport({ commands: [] }))}::jsonb
    from made`.execute(db)
  return body._id
}

test('a user schedules a job for a group with a preview of its times, and sees a missed run with its reason', async () => {
  const owner = await given.person()
  const { projectId } = await given.project(owner, { products: ['project', 'edges'] })
  const groupId = await groupWithAnEdge(owner, projectId)
  const { page, complaints, expectAccessible } = await openConsole(server, {
    as: owner,
    path: `/app/edges?group=${groupId}`,
  })
  const main = page.getByRole('main')
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Run a job' }).click()
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await dialog.getByText('When they are back: 1').waitFor()
  await dialog.getByRole('button', { name: 'Schedule …' }).click()
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Nightly look')
  await dialog.getByLabel('Time', { exact: true }).fill('02:30')
  await expectPage(dialog.getByRole('combobox', { name: 'Time zone' })).toHaveValue('Europe/Berlin')
  await dialog.getByText('does not exist').waitFor()
  await expect.poll(() => dialog.getByRole('listitem').count()).toBe(3)
  await expectAccessible()
  await dialog.getByRole('combobox', { name: 'Repeats' }).selectOption('Cron pattern')
  await dialog.getByRole('textbox', { name: 'Cron pattern' }).fill('* * * * *')
  await dialog.getByText('These times do not exist').waitFor()
  await dialog.getByRole('textbox', { name: 'Cron pattern' }).fill('30 2 1 1 *')
  await dialog
    .getByText(/01\.01\.\d{4} - 02:30/)
    .first()
    .waitFor()
  await dialog.getByRole('button', { name: 'Save schedule' }).click()

  const row = main.getByRole('row', { name: /Nightly look/ })
  await row.getByText('30 2 1 1 * · Europe/Berlin').waitFor()
  await expectPage(main.getByRole('heading', { level: 1 })).toHaveText(['Schedules'])
  await expectAccessible()
  const listed = await owner.call(edgeScheduleEndpoints.list, { params: { projectId }, query: {} })
  const [schedule] = listed.body.items
  await sql`update edge_schedule set next_at = now() - interval '1 hour' where id = ${schedule?._id ?? ''}`.execute(
    db,
  )
  await row.getByText('The server was not running').waitFor()
  await row.getByRole('button', { name: 'Runs of Nightly look' }).click()
  await dialog.getByText('The server was not running').waitFor()
  await expectAccessible()
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click()
  await row.getByRole('button', { name: 'Pause Nightly look' }).click()
  await row.getByText('Paused').waitFor()
  expect(complaints).toEqual([])
})

test('cockpit-project/cockpit#3029, oxidecomputer/console#1875 UTC is the first time zone, and that of a browser without one', async () => {
  const owner = await given.person()
  const { projectId } = await given.project(owner, { products: ['project', 'edges'] })
  const groupId = await groupWithAnEdge(owner, projectId)
  const { page } = await openConsole(server, { as: owner, path: null })
  await page.addInitScript(() => {
    const { resolvedOptions } = Intl.DateTimeFormat.prototype
    Intl.DateTimeFormat.prototype.resolvedOptions = function () {
      return { ...resolvedOptions.call(this), timeZone: 'Etc/Unknown' }
    }
  })
  await page.goto(`/app/edges?group=${groupId}`)
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Run a job' }).click()
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await dialog.getByRole('button', { name: 'Schedule …' }).click()
  const zone = dialog.getByRole('combobox', { name: 'Time zone' })
  await expectPage(zone).toHaveValue('UTC')
  await expect.poll(() => dialog.getByRole('listitem').count()).toBe(3)
  await zone.click()
  const zones = page.getByRole('listbox').getByRole('option')
  await expectPage(zones.first()).toHaveText('UTC')
  await expectPage(zones.filter({ hasText: /^UTC$/ })).toHaveCount(1)
  await page.keyboard.press('Escape')
  await dialog.getByRole('combobox', { name: 'Repeats' }).selectOption('Cron pattern')
  await dialog.getByText('on each day that matches one of them').waitFor()
  await dialog.getByRole('textbox', { name: 'Cron pattern' }).fill('0 9 * * 4#1')
  await expect.poll(() => dialog.getByRole('listitem').count()).toBe(3)
  await expect.poll(() => dialog.getByText('These times do not exist').count()).toBe(0)
})

test('the-djmaze/snappymail#760 tc39/ecma402#778 a saved time zone that the browser does not list stays, another one is found by typing, and times have 24 hours', async () => {
  const owner = await given.person()
  const { projectId } = await given.project(owner, { products: ['project', 'edges'] })
  const params = { projectId }
  const group = await owner.call(edgeGroupEndpoints.create, { params, body: { label: 'All', rule: {} } })
  const made = await owner.call(edgeScheduleEndpoints.create, {
    params,
    body: {
      label: 'Afternoon look',
      cron: '30 15 * * *',
      timeZone: 'Etc/GMT-3',
      group: group.body._id,
      command: { name: 'diagnostics' },
    },
  })
  const zoneOf = async () =>
    (await owner.call(edgeScheduleEndpoints.read, { params: { projectId, itemId: made.body._id } })).body
      .timeZone
  const { page } = await openConsole(server, { as: owner, path: null })
  await page.addInitScript(() => {
    localStorage.setItem('pult.locale', 'en')
    Intl.supportedValuesOf = () => ['Africa/Abidjan', 'Asia/Kolkata']
  })
  await page.goto('/app/edges/schedules')
  await expectPage(page.getByRole('row', { name: /Afternoon look/ })).toContainText(
    /[A-Z][a-z]{2}, \d+ [A-Z][a-z]+ \d{4}, 15:30/,
  )
  await page.getByRole('button', { name: 'Edit Afternoon look' }).click()
  const dialog = page.getByRole('dialog')
  const zone = dialog.getByRole('combobox', { name: 'Time zone' })
  await expectPage(zone).toHaveValue('Etc/GMT-3')
  await expectPage(dialog.getByRole('listitem').first()).toContainText(/, 15:30$/)
  await zone.fill('kol')
  await page.getByRole('option', { name: 'Asia/Kolkata' }).click()
  await expectPage(zone).toHaveValue('Asia/Kolkata')
  await zone.fill('nowhere')
  await expectPage(page.getByText('No such time zone')).toBeVisible()
  await page.keyboard.press('Tab')
  await expectPage(zone).toHaveValue('Asia/Kolkata')
  await dialog.getByRole('button', { name: 'Save schedule' }).click()
  await expectPage(dialog).toHaveCount(0)
  expect(await zoneOf()).toBe('Asia/Kolkata')
})

test('the times of a schedule of an earlier release change, with hidden characters in its name', async () => {
  const owner = await given.person()
  const { projectId } = await given.project(owner, { products: ['project', 'edges'] })
  const params = { projectId }
  const group = await owner.call(edgeGroupEndpoints.create, { params, body: { label: 'All', rule: {} } })
  const { body } = await owner.call(edgeScheduleEndpoints.create, {
    params,
    body: {
      label: 'Nightly',
      cron: '30 2 * * *',
      timeZone: 'Europe/Berlin',
      group: group.body._id,
      command: { name: 'diagnostics' },
    },
  })
  await sql`update edge_schedule set label = 'Night\u202ely' where id = ${body._id}::uuid`.execute(db)
  const { page } = await openConsole(server, { as: owner, path: '/app/edges/schedules' })
  await page.getByRole('button', { name: /^Edit Night/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Time', { exact: true }).fill('03:45')
  await dialog.getByRole('button', { name: 'Save schedule' }).click()
  await expectPage(dialog).toHaveCount(0)
  const changed = await owner.call(edgeScheduleEndpoints.read, { params: { projectId, itemId: body._id } })
  expect(changed.body).toMatchObject({ label: 'Night\u202ely', cron: '45 3 * * *' })
})

test('RULE-58 pausing a schedule right after a change causes no conflict, because its dialog closes after the refetch', async () => {
  const owner = await given.person()
  const { projectId } = await given.project(owner, { products: ['project', 'edges'] })
  const params = { projectId }
  const group = await owner.call(edgeGroupEndpoints.create, { params, body: { label: 'All', rule: {} } })
  const made = await owner.call(edgeScheduleEndpoints.create, {
    params,
    body: {
      label: 'Nightly look',
      cron: '30 2 * * *',
      timeZone: 'Europe/Berlin',
      group: group.body._id,
      command: { name: 'diagnostics' },
    },
  })
  expect(made).toSucceed()
  const { page } = await openConsole(server, { as: owner, path: '/app/edges/schedules' })
  await page.getByRole('button', { name: 'Edit Nightly look' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Early look')
  let answer = () => {}
  const requested = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route(/\/edge-schedules(?:\?|$)/, async (route) => {
    await requested
    await route.fallback()
  })
  const changed = page.waitForResponse((response) => response.request().method() === 'PUT')
  await dialog.getByRole('button', { name: 'Save schedule' }).click()
  await (await changed).finished()
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
  await expectPage(dialog).toBeVisible()
  answer()
  await expectPage(dialog).toHaveCount(0)
  await page.getByRole('button', { name: 'Pause Early look' }).click()
  await expectPage(page.getByRole('row', { name: /Early look/ })).toContainText('Paused')
})
