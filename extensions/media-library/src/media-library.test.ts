import { type MediaItem, mediaEndpoints } from '@pult/contract'
import {
  type ConsoleOptions,
  expectPage,
  type GivenPerson,
  muteEvents,
  type OpenedConsole,
  openConsole,
  taskEnd,
  testServer,
  upload,
} from '@pult/testkit'
import { sql } from 'kysely'
import sharp from 'sharp'
import { expect, test, vi } from 'vitest'

vi.setConfig({ testTimeout: 90_000 })
const server = await testServer({ withConsole: true })
const { given, db } = server

const path = '/app/media-library'
const pictureOf = (background: string, width = 900, height = 600) =>
  sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer()

async function givenProject() {
  const owner = await given.person({ firstname: 'Olga' })
  const viewer = await given.person({ firstname: 'Vera' })
  const { projectId } = await given.project(owner, {
    label: 'Messe',
    products: ['project', 'media-library'],
    grants: [{ person: viewer, productRole: 'media-library/viewer' }],
  })
  const add = async (label: string, background: string, tags: string[] = []): Promise<MediaItem> => {
    const file = await upload(server, owner, {
      name: `${label}.png`,
      contentType: 'image/png',
      content: await pictureOf(background),
      project: projectId,
    })
    const { body } = await owner.call(mediaEndpoints.create, { params: { projectId }, body: { file, tags } })
    await taskEnd(owner, { _id: body.task ?? '', project: projectId })
    return body
  }
  const all = async () => (await owner.call(mediaEndpoints.list, { params: { projectId } })).body.items
  return { owner, viewer, projectId, add, all }
}

/** With a separate session, because the console soon replaces its token. */
const open = async (as: GivenPerson, to = path, options: ConsoleOptions = {}) =>
  openConsole(server, { as: { token: await as.openSession() }, path: to, ...options })
const tiles = ({ page }: OpenedConsole) => page.getByRole('list', { name: 'Media' }).getByRole('link')
const button = ({ page }: OpenedConsole, name: string) =>
  page.getByRole('main').getByRole('button', { name, exact: true })
const field = ({ page }: OpenedConsole) => page.locator('input[type=file]')

test('MEDIA-01 FILE-01 chosen or dropped files are uploaded and shown in the best format, with their size reserved', async () => {
  const { owner, all } = await givenProject()
  const opened = await open(owner)
  const { page } = opened
  await expectPage(page.getByRole('heading', { name: 'No media yet' })).toBeVisible()
  await opened.expectAccessible()
  await field(opened).setInputFiles([
    { name: 'north.png', mimeType: 'image/png', buffer: await pictureOf('teal') },
    { name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') },
  ])
  await expectPage(page.getByRole('alert')).toContainText('Upload failed')
  await expectPage(page.getByRole('alert')).toContainText('logo.svg')
  await expectPage(tiles(opened)).toHaveCount(1)
  const picture = tiles(opened).first().locator('img')
  await expectPage(picture).toBeVisible()
  const shown = await picture.evaluate(async (image: HTMLImageElement) => {
    await image.decode()
    return [
      new URL(image.currentSrc).pathname,
      image.getAttribute('width'),
      image.getAttribute('height'),
      image.naturalWidth,
    ]
  })
  const [item] = await all()
  const thumb = item?.source.formats.find(({ name }) => name === 'thumb')
  // Each session has its own link.
  expect(shown).toEqual([new URL(thumb?.url ?? '', server.url).pathname, '900', '600', expect.any(Number)])

  // Dropped anywhere on the page.
  const data = await page.evaluateHandle(
    (bytes) => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([new Uint8Array(bytes)], 'south.png', { type: 'image/png' }))
      return transfer
    },
    [...(await pictureOf('tomato', 40, 30))],
  )
  const search = page.getByRole('searchbox')
  await search.dispatchEvent('dragenter', { dataTransfer: data })
  await expectPage(page.getByText('Drop to upload')).toBeVisible()
  await search.dispatchEvent('drop', { dataTransfer: data })
  await expectPage(tiles(opened)).toHaveCount(2)
  await expectPage(page.getByText('Drop to upload')).toBeHidden()
  expect((await all()).map(({ label }) => label)).toEqual(['south', 'north'])
  expect(opened.complaints).toEqual([])
})

test('dropzone/dropzone#1101 the library shows where files can be dropped while they are dragged anywhere', async () => {
  const { owner, viewer } = await givenProject()
  const drag = async ({ page }: OpenedConsole, type: string) => {
    const dataTransfer = await page.evaluateHandle(() => {
      const transfer = new DataTransfer()
      transfer.items.add(new File(['x'], 'south.png', { type: 'image/png' }))
      return transfer
    })
    await page.getByRole('navigation').first().dispatchEvent(type, { dataTransfer })
  }
  const editor = await open(owner)
  const area = editor.page.getByText('Drop to upload')
  await expectPage(editor.page.getByRole('heading', { name: 'No media yet' })).toBeVisible()
  await drag(editor, 'dragenter')
  await expectPage(area).toBeVisible()
  await drag(editor, 'dragleave')
  await expectPage(area).toBeHidden()

  const reader = await open(viewer)
  await expectPage(reader.page.getByRole('heading', { name: 'No media yet' })).toBeVisible()
  await drag(reader, 'dragenter')
  await expectPage(reader.page.getByText('Drop to upload')).toHaveCount(0)
})

test('RULE-59 MEDIA-01 the repeat after a lost response creates no second medium', async () => {
  const { owner, all } = await givenProject()
  const opened = await open(owner)
  const { page } = opened
  let isLost = false
  await page.route(/\/media$/, async (route) => {
    if (isLost || route.request().method() !== 'POST') return route.fallback()
    isLost = true
    await route.fetch()
    await route.abort()
  })
  const picture = { name: 'north.png', mimeType: 'image/png', buffer: await pictureOf('teal') }
  const isRepeated = page.waitForResponse(/\/media$/)
  await field(opened).setInputFiles([picture])
  expect((await isRepeated).status()).toBe(200)
  await expectPage(page.getByRole('alert')).toHaveCount(0)
  await expectPage(tiles(opened)).toHaveCount(1)
  expect((await all()).map(({ label }) => label)).toEqual(['north'])
})

test('FILE-01 files are uploaded even if the list has changed while the file picker was open', async () => {
  const { owner, add, all } = await givenProject()
  const opened = await open(owner)
  const picking = opened.page.waitForEvent('filechooser')
  await opened.page.getByRole('heading', { name: 'No media yet' }).locator('..').getByRole('button').click()
  const picker = await picking
  await add('Hall', 'teal')
  await expectPage(tiles(opened)).toHaveCount(1)
  await picker.setFiles({ name: 'north.png', mimeType: 'image/png', buffer: await pictureOf('tomato') })
  await expectPage(tiles(opened)).toHaveCount(2)
  expect((await all()).map(({ label }) => label).toSorted()).toEqual(['Hall', 'north'])
})

test('DEC-32 CRUD-08 TAG-01 media are found by words, key:value and tags, and other users’ uploads appear automatically', async () => {
  const { viewer, add } = await givenProject()
  await add('Hall north', 'teal', ['hall', 'north'])
  await add('Hall south', 'tomato', ['hall'])
  const opened = await open(viewer)
  const { page } = opened
  await expectPage(tiles(opened)).toHaveCount(2)
  const tag = (name: string) =>
    page.getByRole('group', { name: 'Show only media with these tags' }).getByRole('button', { name })
  await tag('north').click()
  await expectPage(tiles(opened)).toHaveCount(1)
  await expectPage(tag('north')).toHaveAttribute('aria-pressed', 'true')
  await page.reload()
  await expectPage(tiles(opened)).toHaveCount(1)
  await tag('north').click()
  await expectPage(tiles(opened)).toHaveCount(2)
  await page.getByRole('searchbox').fill('label:"Hall s"')
  await expectPage(tiles(opened)).toHaveCount(1)
  await page.getByRole('searchbox').fill('nowhere')
  await expectPage(page.getByRole('heading', { name: 'Nothing found' })).toBeVisible()
  await button(opened, 'Clear filters').click()
  await expectPage(tiles(opened)).toHaveCount(2)
  await add(
    'Tower',
    'gold',
    Array.from({ length: 15 }, (_, index) => `tag ${index}`),
  )
  await expectPage(tiles(opened)).toHaveCount(3)
  await expectPage(page.getByText('5 more: search for tag:name')).toBeVisible()
})

test('chips filter and the order sorts the grid and the list, and the address stores both', async () => {
  const { owner, viewer, projectId, add } = await givenProject()
  await add('Quay', 'teal')
  await add('Bells', 'gold')
  const sound = { name: 'Wind.mp3', contentType: 'audio/mpeg', content: Buffer.from([0xff, 0xfb, 0x90, 0]) }
  const file = await upload(server, owner, { ...sound, project: projectId })
  await owner.call(mediaEndpoints.create, { params: { projectId }, body: { file } })
  const opened = await open(viewer)
  const { page } = opened
  const grid = page.getByRole('grid', { name: 'Media' })
  const names = () => grid.getByRole('link').allTextContents()
  await expectPage(tiles(opened)).toContainText(['Wind', 'Bells', 'Quay'])
  await expectPage(button(opened, 'Videos 0')).toHaveCount(0)
  await page.getByRole('combobox', { name: 'Order' }).selectOption('Name A–Z')
  await expectPage(tiles(opened)).toContainText(['Bells', 'Quay', 'Wind'])
  await button(opened, 'Pictures 2').click()
  await expectPage(tiles(opened)).toContainText(['Bells', 'Quay'])
  await button(opened, 'List').click()
  await expectPage.poll(names).toEqual(['Bells', 'Quay'])
  await expectPage(page).toHaveURL(/sort=label&kind=image&view=list/)
  await opened.expectAccessible()
  await grid.getByRole('columnheader', { name: 'Name' }).getByRole('button').click()
  await expectPage.poll(names).toEqual(['Quay', 'Bells'])
  await page.reload()
  await expectPage.poll(names).toEqual(['Quay', 'Bells'])
  await page.getByRole('searchbox').fill('nowhere')
  await button(opened, 'Clear filters').click()
  await expectPage.poll(names).toEqual(['Wind', 'Quay', 'Bells'])
  await expectPage(grid.getByRole('checkbox')).toHaveCount(0)
  expect(opened.complaints).toEqual([])
})

test('SHELL-07 DEC-20 the arrow keys move between pictures, Space selects, Delete can be undone, Enter opens', async () => {
  const { owner, add, all } = await givenProject()
  for (const label of ['C', 'B', 'A']) await add(label, 'teal')
  const opened = await open(owner)
  const { page } = opened
  await expectPage(tiles(opened)).toHaveCount(3)
  await page.getByRole('searchbox').focus()
  await page.keyboard.press('ArrowDown')
  const isFocused = (index: number) => expectPage(tiles(opened).nth(index)).toBeFocused()
  await isFocused(0)
  await page.keyboard.press('ArrowRight')
  await isFocused(1)
  await page.keyboard.press('End')
  await isFocused(2)
  await page.keyboard.press('Home')
  await isFocused(0)
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowRight')
  await isFocused(1)
  await page.keyboard.press('Space')
  await expectPage(page.getByText('2 selected')).toBeVisible()
  await opened.expectAccessible()
  await page.keyboard.press('Delete')
  await expectPage(tiles(opened)).toHaveCount(1)
  // The medium after the deleted ones takes the focus.
  await isFocused(0)
  expect((await all()).map(({ label }) => label)).toEqual(['C'])
  // The notification stays after the page closes, and the keyboard reaches it.
  await page.getByRole('link', { name: 'Home', exact: true }).first().click()
  await expectPage(tiles(opened)).toHaveCount(0)
  const notice = page.getByRole('alertdialog', { name: '2 media deleted' })
  await expectPage(notice).toContainText('A, B')
  await opened.expectAccessible()
  await page.keyboard.press('F6')
  await notice.getByRole('button', { name: 'Undo' }).press('Enter')
  await expectPage(page.getByText('Undone')).toBeVisible()
  expect((await all()).map(({ label }) => label)).toEqual(['A', 'B', 'C'])
  await page.goBack()
  await expectPage(tiles(opened)).toHaveCount(3)
  await tiles(opened).first().focus()
  await page.keyboard.press('Enter')
  await expectPage(page.getByRole('heading', { name: 'A', level: 1, exact: true })).toBeVisible()
})

for (const late of ['A', 'B'])
  test(`DEC-20 the medium after deleted ones takes the focus, if ${late} is deleted last`, async () => {
    const { owner, add, all } = await givenProject()
    for (const label of ['C', 'B', 'A']) await add(label, 'teal')
    const lateId = (await all()).find(({ label }) => label === late)?._id ?? ''
    const opened = await open(owner)
    const { page } = opened
    await page.route(`**/media/${lateId}`, async (route) => {
      await expectPage(tiles(opened)).toHaveCount(2)
      await route.continue()
    })
    await tiles(opened).first().focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Space')
    await expectPage(page.getByText('2 selected')).toBeVisible()
    await page.keyboard.press('Delete')
    await expectPage(tiles(opened)).toHaveCount(1)
    await expectPage(tiles(opened).first()).toBeFocused()
  })

test('TAG-01 several media are tagged in one step, and each keeps its tags', async () => {
  const { owner, add, all } = await givenProject()
  await add('A', 'teal', ['old'])
  await add('B', 'tomato')
  const opened = await open(owner, `${path}?view=list`)
  const { page } = opened
  await page.getByRole('checkbox', { name: 'A', exact: true }).check()
  await page.getByRole('checkbox', { name: 'B', exact: true }).check()
  await button(opened, 'Add tags').click()
  const dialog = page.getByRole('dialog', { name: 'Tag 2 media' })
  await dialog.getByLabel('Tags').fill('new')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Stay' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expectPage(dialog).toBeHidden()
  expect((await all()).map(({ tags }) => tags)).toEqual([['new'], ['old', 'new']])
})

test('MEDIA-01 a medium is renamed, tagged, replaced and deleted, and shows its formats with sizes and addresses', async () => {
  const { owner, add, all } = await givenProject()
  const { _id } = await add('Stand', 'teal')
  const opened = await open(owner, `${path}/${_id}`)
  const { page } = opened
  const formats = page.getByRole('table', { name: 'Formats' })
  await expectPage(formats.getByRole('row')).toHaveCount(5)
  await expectPage(formats.getByRole('row', { name: 'Original' })).toContainText('900 × 600')
  await expectPage(formats.getByRole('row', { name: 'Thumb' })).toContainText('320 × 213')
  await opened.expectAccessible()
  await page.getByLabel('Name').fill('Stand 7')
  await page.getByRole('navigation').getByRole('link', { name: 'Organizations' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Stay' }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expectPage(page.getByRole('heading', { name: 'Stand 7', level: 1 })).toBeVisible()
  const changed = page.getByText(/^Changed by Olga Lovelace, (?:jetzt|vor )/)
  await expectPage(changed).toHaveAttribute('title', /^\d\d\.\d\d\.\d{4} - /)
  await page.getByLabel('Tags').last().fill('hall')
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await all())[0]?.tags).toEqual(['hall'])

  await field(opened).setInputFiles({
    name: 'other.png',
    mimeType: 'image/png',
    buffer: await pictureOf('tomato', 200, 100),
  })
  await expectPage(formats.getByRole('row', { name: 'Original' })).toContainText('200 × 100')
  await expectPage(formats.getByRole('row')).toHaveCount(4)
  await button(opened, 'Delete').click()
  await expectPage(page.getByRole('button', { name: 'Undo' })).toBeVisible()
  await expectPage(page.getByRole('heading', { name: 'No media yet' })).toBeVisible()
  expect(await all()).toEqual([])
  await page.goto(`${server.url}${path}/${_id}`)
  await expectPage(page.getByRole('heading', { name: 'Medium not found' })).toBeVisible()
  await expectPage(page.getByRole('link', { name: 'All media' })).toBeVisible()
})

test('TAG-01 a rejected tag of a medium stays in its field with the reason, and a tag of an earlier release is removed', async () => {
  const { owner, add, all } = await givenProject()
  const { _id } = await add('Stand', 'teal')
  await sql`update media set tags = array['Hall\u202e', 'Quay\u202e'] where id = ${_id}::uuid`.execute(db)
  const { page } = await open(owner, `${path}/${_id}`)
  const tagField = page.getByRole('textbox', { name: 'Tags' })
  await page.getByRole('button', { name: /^Remove Hall/ }).click()
  await expect.poll(async () => (await all())[0]?.tags).toEqual(['Quay\u202e'])
  await tagField.fill('Night\u202e')
  await tagField.press('Enter')
  await expectPage(tagField).toHaveAccessibleDescription(
    'The tags could not be saved: Must not contain control characters or hidden characters',
  )
  await page.getByRole('button', { name: /^Remove Night/ }).click()
  await expectPage(tagField).toHaveAccessibleDescription('')
  await tagField.fill('Night')
  await tagField.press('Enter')
  await expect.poll(async () => (await all())[0]?.tags).toEqual(['Quay\u202e', 'Night'])
})

test('RULE-58 a tag and a name of another user, which the page does not show yet, are not overwritten', async () => {
  const { owner, add, all, projectId } = await givenProject()
  const { _id: itemId } = await add('Stand', 'teal', ['hall'])
  const opened = await open(owner, `${path}/edit/${itemId}`, { path: null })
  const { page } = opened
  // From here on the page receives no changes.
  await muteEvents(page)
  await page.goto(`${server.url}${path}/edit/${itemId}?project=${projectId}`)
  await expectPage(page.getByLabel('Name')).toHaveValue('Stand')
  const before = JSON.stringify((await all())[0])
  await page.route(new RegExp(`/media/${itemId}$`), (route) =>
    route.request().method() === 'GET'
      ? route.fulfill({ contentType: 'application/json', body: before })
      : route.fallback(),
  )
  const params = { projectId, itemId }
  const changes = { label: 'Her stand', tags: ['hall', 'checked'] }
  expect(await owner.call(mediaEndpoints.update, { params, body: changes })).toSucceed()

  await page.getByLabel('Tags').last().fill('night')
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await all())[0]?.tags).toEqual(['hall', 'checked', 'night'])
  await page.getByRole('button', { name: 'Remove hall' }).click()
  await expect.poll(async () => (await all())[0]?.tags).toEqual(['checked', 'night'])

  await page.getByLabel('Name').fill('My stand')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expectPage(page.getByRole('dialog')).toContainText('Her stand')
  expect((await all())[0]?.label).toBe('Her stand')
})

test('DEC-48 a medium that could not be loaded appears without a press when the server responds again', async () => {
  const { owner, projectId, add } = await givenProject()
  const { _id } = await add('Stand', 'teal')
  const { page } = await open(owner, path, { path: null })
  // An event would refetch the medium.
  await muteEvents(page)
  await page.clock.install()
  const calls = new RegExp(`/media/${_id}$`)
  await page.route(calls, (route) =>
    route.fulfill({ status: 503, json: { code: 'BUSY', message: 'The server is busy' } }),
  )
  await page.goto(`${server.url}${path}/edit/${_id}?project=${projectId}`)
  await expectPage
    .poll(async () => {
      await page.clock.runFor(1000)
      return page.getByRole('main').getByRole('alert').allTextContents()
    })
    .toEqual([expect.stringContaining('The server is busy')])
  await expectPage(page.getByRole('link', { name: 'All media' })).toBeVisible()
  await page.unroute(calls)
  await page.clock.runFor(5000)
  await expectPage(page.getByRole('heading', { name: 'Stand', level: 1 })).toBeVisible()
})

test('DEC-51 CRUD-01 MEDIA-01 the address create opens the upload, an old address of a medium redirects to edit, and a search longer than the server’s limit is truncated, with tags as well', async () => {
  const { owner, add, all } = await givenProject()
  const { _id } = await add('Stand', 'teal')
  const opened = await open(owner, `${path}/create`)
  await field(opened).setInputFiles({
    name: 'north.png',
    mimeType: 'image/png',
    buffer: await pictureOf('tomato'),
  })
  await expect
    .poll(async () => (await all()).map(({ label }) => label).toSorted())
    .toEqual(['Stand', 'north'])
  await opened.page.goto(`${server.url}${path}/${_id}`)
  await expectPage(opened.page.getByRole('main').getByRole('heading', { level: 1 })).toHaveText(['Stand'])
  await expectPage(opened.page).toHaveURL(({ pathname }) => pathname === `${path}/edit/${_id}`)
  await opened.page.goto(`${path}?search=${'x'.repeat(300)}&tags=stage`)
  await expectPage(opened.page.getByRole('searchbox')).toHaveValue('x'.repeat(200))
  await expectPage(opened.page.getByText('Nothing found')).toBeVisible()
})

test('DEC-14 a viewer sees no action that changes data, even on a phone and in the dark theme', async () => {
  const { viewer, add } = await givenProject()
  await add('Stand', 'teal', ['hall'])
  const opened = await open(viewer, path, { theme: 'dark', viewport: { width: 390, height: 844 } })
  const { page } = opened
  await expectPage(tiles(opened)).toHaveCount(1)
  await expectPage(page.getByRole('list', { name: 'Media' })).toHaveAccessibleDescription(
    'Arrow keys move, Enter opens.',
  )
  await expectPage(field(opened)).toHaveCount(0)
  await expectPage(page.getByRole('checkbox')).toHaveCount(0)
  await expectPage(button(opened, 'Upload')).toHaveCount(0)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await opened.expectAccessible()
  await tiles(opened).first().click()
  await expectPage(page.getByRole('heading', { name: 'Stand', level: 1 })).toBeVisible()
  const details = page.getByRole('region', { name: 'Details' })
  await expectPage(details.getByText('Only editors can change this')).toBeVisible()
  await expectPage(details.getByRole('definition')).toHaveText(['Stand', 'hall'])
  await expectPage(page.getByRole('main').getByRole('textbox')).toHaveCount(0)
  for (const name of ['Delete', 'Replace', 'Save name']) await expectPage(button(opened, name)).toHaveCount(0)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await opened.expectAccessible()
})
