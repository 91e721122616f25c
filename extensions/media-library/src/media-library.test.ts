import { type MediaItem, mediaEndpoints } from '@pult/contract'
import {
  type ConsoleOptions,
  expectPage,
  type GivenPerson,
  type OpenedConsole,
  openConsole,
  taskEnd,
  testServer,
  upload,
} from '@pult/testkit'
import sharp from 'sharp'
import { expect, test, vi } from 'vitest'

vi.setConfig({ testTimeout: 90_000 })
const server = await testServer({ withConsole: true })
const { given } = server

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

const open = (as: GivenPerson, to = path, options: ConsoleOptions = {}) =>
  openConsole(server, { as, path: to, ...options })
const tiles = ({ page }: OpenedConsole) => page.getByRole('list', { name: 'Media' }).getByRole('link')
const button = ({ page }: OpenedConsole, name: string) =>
  page.getByRole('main').getByRole('button', { name, exact: true })
const field = ({ page }: OpenedConsole) => page.locator('input[type=file]')

test('MEDIA-01 of a search that is longer than the server accepts counts the beginning, beside its tags as well', async () => {
  const { owner, add } = await givenProject()
  await add('Red', '#ff0000', ['stage'])
  const opened = await open(owner, `${path}?search=${'x'.repeat(300)}&tags=stage`)
  await expectPage(opened.page.getByRole('searchbox')).toHaveValue('x'.repeat(200))
  await expectPage(opened.page.getByText('Nothing found')).toBeVisible()
})

test('MEDIA-01 FILE-01 what is chosen or dropped is uploaded, shown by the format that fits, its width and height there before it comes', async () => {
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
    return [image.currentSrc, image.getAttribute('width'), image.getAttribute('height'), image.naturalWidth]
  })
  const [item] = await all()
  const thumb = item?.source.formats.find(({ name }) => name === 'thumb')
  expect(shown).toEqual([new URL(thumb?.url ?? '', server.url).href, '900', '600', expect.any(Number)])

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

test('DEC-32 CRUD-08 TAG-01 media are found by words and key:value, by tags, and what others add comes by itself', async () => {
  const { viewer, add } = await givenProject()
  await add('Hall north', 'teal', ['hall', 'north'])
  await add('Hall south', 'tomato', ['hall'])
  const opened = await open(viewer)
  const { page } = opened
  await expectPage(tiles(opened)).toHaveCount(2)
  const tag = (name: string) =>
    page.getByRole('group', { name: 'Show only what carries' }).getByRole('button', { name })
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
  await button(opened, 'Show all').click()
  await expectPage(tiles(opened)).toHaveCount(2)
  await add('Tower', 'gold')
  await expectPage(tiles(opened)).toHaveCount(3)
})

test('SHELL-07 the arrow keys lead from picture to picture, Space selects, Delete asks, Enter opens', async () => {
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
  await page.keyboard.press('Space')
  await expectPage(page.getByText('2 selected')).toBeVisible()
  await opened.expectAccessible()
  await page.keyboard.press('Delete')
  await page
    .getByRole('alertdialog', { name: 'Delete 2 media?' })
    .getByRole('button', { name: 'Cancel' })
    .click()
  expect(await all()).toHaveLength(3)
  await isFocused(1)
  await page.keyboard.press('Delete')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expectPage(tiles(opened)).toHaveCount(1)
  expect((await all()).map(({ label }) => label)).toEqual(['C'])
  await tiles(opened).first().focus()
  await page.keyboard.press('Enter')
  await expectPage(page.getByRole('heading', { name: 'C', level: 2 })).toBeVisible()
})

test('TAG-01 several are tagged at once, and each keeps the tags that it has', async () => {
  const { owner, add, all } = await givenProject()
  await add('A', 'teal', ['old'])
  await add('B', 'tomato')
  const opened = await open(owner, `${path}?view=list`)
  const { page } = opened
  await page.getByRole('checkbox', { name: 'Select A' }).check()
  await page.getByRole('checkbox', { name: 'Select B' }).check()
  await button(opened, 'Add tags').click()
  const dialog = page.getByRole('dialog', { name: 'Tag 2 media' })
  await dialog.getByLabel('Tags').fill('new')
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expectPage(dialog).toBeHidden()
  expect((await all()).map(({ tags }) => tags)).toEqual([['new'], ['old', 'new']])
})

test('MEDIA-01 one medium is renamed, tagged, replaced and deleted, and shows its formats with their sizes and addresses', async () => {
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
  await page.keyboard.press('Enter')
  await expectPage(page.getByRole('heading', { name: 'Stand 7', level: 2 })).toBeVisible()
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
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expectPage(page.getByRole('heading', { name: 'No media yet' })).toBeVisible()
  expect(await all()).toEqual([])
  await page.goto(`${server.url}${path}/${_id}`)
  await expectPage(page.getByRole('heading', { name: 'This medium is gone' })).toBeVisible()
})

test('DEC-14 who only views is offered nothing that changes, on a phone and in the dark as well', async () => {
  const { viewer, add } = await givenProject()
  await add('Stand', 'teal', ['hall'])
  const opened = await open(viewer, path, { theme: 'dark', viewport: { width: 390, height: 844 } })
  const { page } = opened
  await expectPage(tiles(opened)).toHaveCount(1)
  await expectPage(field(opened)).toHaveCount(0)
  await expectPage(page.getByRole('checkbox')).toHaveCount(0)
  await expectPage(button(opened, 'Upload')).toHaveCount(0)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await opened.expectAccessible()
  await tiles(opened).first().click()
  await expectPage(page.getByRole('heading', { name: 'Stand', level: 2 })).toBeVisible()
  await expectPage(page.getByLabel('Name')).toHaveAttribute('readonly', '')
  for (const name of ['Delete', 'Replace', 'Save name']) await expectPage(button(opened, name)).toHaveCount(0)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await opened.expectAccessible()
})
