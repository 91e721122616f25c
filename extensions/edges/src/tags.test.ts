import { edgeEndpoints, edgeGroupEndpoints } from '@pult/contract'
import { expectPage, openConsole, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { expect, test } from 'vitest'

const server = await testServer({ withConsole: true })
const { given, db } = server

/** Creates a project with three edges, two of which have the tag Crane. */
async function fleet() {
  const [owner, colleague] = [await given.person({ firstname: 'Olga' }), await given.person()]
  const { projectId } = await given.project(owner, {
    products: ['project', 'edges'],
    grants: [{ person: colleague, productRole: 'edges/operator' }],
  })
  const add = async (label: string, body: { tags?: string[]; place?: string }) => {
    const made = await colleague.call(edgeEndpoints.enrol, { params: { projectId }, body: { label } })
    server.watchSecret(made.body.code)
    const params = { projectId, edgeId: made.body.edge._id }
    expect(await colleague.call(edgeEndpoints.update, { params, body })).toSucceed()
    return params
  }
  const crane = await add('Portalkran 1', { tags: ['Crane', 'North'], place: 'Kai 3 West' })
  await add('Portalkran 2', { tags: ['Crane'], place: 'Kai 3 Ost' })
  const gate = await add('Lesetor', {})
  return { owner, colleague, crane, gate }
}

const filter = 'Filter'

test('the list filters by tag and place in its address, and tags are added to and removed from a selection', async () => {
  const { owner, colleague, crane, gate } = await fleet()
  const { page, complaints, expectAccessible } = await openConsole(server, {
    as: owner,
    path: '/app/edges',
  })
  const main = page.getByRole('main')
  const row = (name: string) => main.getByRole('row', { name: new RegExp(name) })
  const dialog = page.getByRole('dialog')
  await row('Lesetor').waitFor()
  await main.getByRole('button', { name: filter, exact: true }).click()
  await dialog.getByRole('button', { name: 'Crane 2' }).click()
  await row('Lesetor').waitFor({ state: 'detached' })
  await dialog.getByRole('combobox', { name: 'Place' }).selectOption('Kai 3 Ost')
  await row('Portalkran 1').waitFor({ state: 'detached' })
  await expectAccessible()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  const { searchParams } = new URL(page.url())
  expect(Object.fromEntries(searchParams)).toMatchObject({ tags: 'Crane', place: 'Kai 3 Ost' })
  await page.reload()
  await row('Portalkran 2').waitFor()
  expect(await row('Lesetor').count()).toBe(0)

  await main.getByRole('button', { name: 'Remove the filter Kai 3 Ost' }).click()
  await main.getByRole('button', { name: 'Remove the filter Crane' }).click()
  await row('Lesetor').getByRole('checkbox').click()
  await row('Portalkran 1').getByRole('checkbox').click()
  await page.getByRole('button', { name: 'Tags', exact: true }).click()
  await dialog.getByRole('textbox', { name: 'Add tags' }).fill('Gate, South')
  await dialog.getByRole('textbox', { name: 'Add tags' }).press('Enter')
  await dialog.getByRole('button', { name: 'North 1' }).click()
  await expectAccessible()
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  const tagsOf = async (params: typeof gate) =>
    (await colleague.call(edgeEndpoints.read, { params })).body.tags
  expect([await tagsOf(gate), await tagsOf(crane)]).toEqual([
    ['Gate', 'South'],
    ['Crane', 'Gate', 'South'],
  ])
  expect(complaints).toEqual([])
})

test('leaving the page saves a typed place', async () => {
  const { owner, colleague, crane } = await fleet()
  const { page } = await openConsole(server, { as: owner, path: `/app/edges/edit/${crane.edgeId}` })
  const place = page.getByRole('textbox', { name: 'Place' })
  await place.fill('Kai 4')
  await page.getByRole('navigation').getByRole('link', { name: 'Organizations' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Stay' }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect
    .poll(async () => (await colleague.call(edgeEndpoints.read, { params: crane })).body.place)
    .toBe('Kai 4')
})

test('filters are saved as a group, which is changed and deleted; a link to a deleted group shows that it does not exist', async () => {
  const { owner } = await fleet()
  const opened = await openConsole(server, { as: owner, path: '/app/edges?match=any&tags=North,Crane' })
  const { page, complaints } = opened
  const main = page.getByRole('main')
  const row = (name: string) => main.getByRole('row', { name: new RegExp(name) })
  await row('Portalkran 2').waitFor()
  await main.getByRole('button', { name: 'Save as group' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('All cranes')
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  const choice = main.getByRole('combobox', { name: 'Group' })
  await choice.getByRole('option', { name: 'All cranes (2)', selected: true }).waitFor({ state: 'attached' })
  expect(await row('Lesetor').count()).toBe(0)

  const act = async (action: string) => {
    await main.getByRole('button', { name: 'Actions of All cranes' }).click()
    await page.getByRole('menuitem', { name: action }).click()
  }
  await act('Edit group')
  await dialog.getByRole('button', { name: 'Remove Crane' }).click()
  await opened.expectAccessible()
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await choice.getByRole('option', { name: 'All cranes (1)', selected: true }).waitFor({ state: 'attached' })
  await row('Portalkran 2').waitFor({ state: 'detached' })
  await act('Delete group')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete group' }).click()
  await row('Lesetor').waitFor()
  await choice.waitFor({ state: 'detached' })

  await page.goto(new URL('/app/edges?group=cranes', page.url()).href)
  await main.getByText('This group does not exist').waitFor()
  await main.getByRole('button', { name: 'All edges' }).click()
  await row('Lesetor').waitFor()
  expect(complaints).toEqual([])
})

test('a rejected tag stays in its field with the reason, as does a rejected tag of a group', async () => {
  const { owner, colleague, crane } = await fleet()
  const { page } = await openConsole(server, { as: owner, path: `/app/edges/edit/${crane.edgeId}` })
  const reason = /Must not contain control characters/
  const tags = page.getByRole('textbox', { name: 'Tags' })
  await tags.fill('Night\u202e')
  await tags.press('Enter')
  await expectPage(tags).toHaveAccessibleDescription(reason)
  await page.getByRole('button', { name: 'Remove Night' }).click()
  await expectPage(tags).toHaveAccessibleDescription('')
  await tags.fill('Night')
  await tags.press('Enter')
  await expect
    .poll(async () => (await colleague.call(edgeEndpoints.read, { params: crane })).body.tags)
    .toEqual(['Crane', 'North', 'Night'])

  await page.goto('/app/edges?match=any&tags=North')
  await page.getByRole('main').getByRole('button', { name: 'Save as group', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Night shift')
  const first = dialog.getByRole('textbox').nth(1)
  await first.fill('Night\u202e')
  await first.press('Enter')
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await expectPage(first).toHaveAccessibleDescription(reason)
  await expectPage(dialog.getByRole('alert')).toHaveCount(0)
})

test('a group of an earlier release is changed, with hidden characters in its name, tags and places', async () => {
  const { owner, crane } = await fleet()
  const { projectId } = crane
  const group = await owner.call(edgeGroupEndpoints.create, {
    params: { projectId },
    body: { label: 'Cranes', rule: { anyTags: ['Gone', 'Crane'], places: ['Quay'] } },
  })
  const itemId = group.body._id
  await sql`update edge_group set label = 'Cra\u202enes', any_tags = array['Go\u202ene', 'Crane\u200b'],
    places = array['Quay\ue000'] where id = ${itemId}::uuid`.execute(db)
  const { page } = await openConsole(server, { as: owner, path: `/app/edges?group=${itemId}` })
  await page.getByRole('button', { name: /^Actions of Cra/ }).click()
  await page.getByRole('menuitem', { name: 'Edit group' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: /^Remove Crane/ }).click()
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await expectPage(dialog).toHaveCount(0)
  const changed = await owner.call(edgeGroupEndpoints.read, { params: { projectId, itemId } })
  expect(changed.body).toMatchObject({
    label: 'Cra\u202enes',
    rule: { anyTags: ['Go\u202ene'], places: ['Quay\ue000'] },
  })
})

test('RULE-58 a tag and a place of another user, which the page does not show yet, are not overwritten', async () => {
  const { owner, colleague, crane } = await fleet()
  const opened = await openConsole(server, { as: owner, path: `/app/edges/edit/${crane.edgeId}` })
  const { page } = opened
  const read = async () => (await colleague.call(edgeEndpoints.read, { params: crane })).body
  const place = page.getByRole('textbox', { name: 'Place' })
  await expectPage(place).toHaveValue('Kai 3 West')
  // From here on the page receives no changes.
  const before = JSON.stringify(await read())
  await page.route(new RegExp(`/edges/${crane.edgeId}$`), (route) =>
    route.request().method() === 'GET'
      ? route.fulfill({ contentType: 'application/json', body: before })
      : route.fallback(),
  )
  const changes = { tags: ['Crane', 'Checked'], place: 'Kai 5' }
  expect(await colleague.call(edgeEndpoints.update, { params: crane, body: changes })).toSucceed()

  await page.getByRole('textbox', { name: 'Tags' }).fill('Night')
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await read()).tags).toEqual(['Crane', 'Checked', 'Night'])
  await page.getByRole('button', { name: 'Remove Crane' }).click()
  await expect.poll(async () => (await read()).tags).toEqual(['Checked', 'Night'])

  await place.fill('Kai 4')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const conflict = page.getByRole('dialog')
  await expectPage(conflict).toContainText('Kai 5')
  expect((await read()).place).toBe('Kai 5')
  await opened.expectAccessible()
})

test('RULE-58 consecutive changes on the page of an edge do not conflict before it is refetched', async () => {
  const { owner, colleague, crane } = await fleet()
  const { page } = await openConsole(server, { as: owner, path: `/app/edges/edit/${crane.edgeId}` })
  const read = async () => (await colleague.call(edgeEndpoints.read, { params: crane })).body
  const place = page.getByRole('textbox', { name: 'Place' })
  const save = page.getByRole('button', { name: 'Save', exact: true })
  await expectPage(place).toHaveValue('Kai 3 West')
  // From here on no read is answered.
  await page.route(new RegExp(`/edges/${crane.edgeId}$`), (route) =>
    route.request().method() === 'GET' ? undefined : route.fallback(),
  )
  await place.fill('Kai 4')
  await save.click()
  await expectPage(save).not.toHaveAttribute('aria-disabled')
  await expectPage(save).toBeDisabled()

  const changed = page.waitForResponse((response) => response.request().method() === 'PUT')
  await page.getByRole('combobox', { name: 'Alert when offline' }).selectOption('5')
  await (await changed).finished()
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
  expect((await read()).alertAfter).toBe(5)

  await place.fill('Kai 5')
  await save.click()
  await expect.poll(async () => (await read()).place).toBe('Kai 5')
})

test('silverstripe/silverstripe-asset-admin#1210 the filters name the search for values that they do not list', async () => {
  const { owner, crane } = await fleet()
  const fill = (count: number) =>
    sql`update edge set tags = array(select 'Tag ' || n from generate_series(1, ${count}::int) n)
      where id = ${crane.edgeId}`.execute(db)
  const { page } = await openConsole(server, { as: owner, path: null })
  const dialog = page.getByRole('dialog')
  const note = dialog.getByText('Only the 200 most used are listed: search for tag:name')
  for (const [count, notes] of [
    [150, 0],
    [250, 1],
  ] as const) {
    await fill(count)
    await page.goto('/app/edges')
    await page.getByRole('main').getByRole('button', { name: filter, exact: true }).click()
    await expectPage(dialog.getByRole('button', { name: 'Crane 1' })).toBeVisible()
    await expectPage(note).toHaveCount(notes)
  }
})
