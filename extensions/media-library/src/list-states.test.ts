import { mediaEndpoints } from '@pult/contract'
import {
  expectPage,
  type GivenPerson,
  muteEvents,
  type OpenedConsole,
  openConsole,
  testServer,
} from '@pult/testkit'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'

/* The states of a list in the frame that all lists share. */

const server = await testServer({ withConsole: true })
const { given, db } = server

let owner: GivenPerson
let viewer: GivenPerson
let projectId: string
beforeEach(async () => {
  owner = await given.person()
  viewer = await given.person()
  const grants = [{ person: viewer, productRole: 'media-library/viewer' }]
  const made = await given.project(owner, { products: ['project', 'media-library'], grants })
  projectId = made.projectId
})

/** Adds sounds `Sound 1`, `Sound 2` … whose files are missing. */
const addSounds = (count: number) =>
  sql`
  insert into media (id, project_id, label, type, tags, state, formats)
  select gen_random_uuid(), ${projectId}::uuid, 'Sound ' || n, 'audio', '{}', 'ready', '[]'
  from generate_series(1, ${count}::int) n`.execute(db)

const calls = /\/api\/projects\/[^/]+\/media(?:\?|$)/
const path = '/app/media-library?view=list&sort=label'
const main = ({ page }: OpenedConsole) => page.getByRole('main')
const rows = (opened: OpenedConsole) =>
  main(opened).getByRole('grid', { name: 'Media' }).getByRole('rowheader')
const search = (opened: OpenedConsole) => main(opened).getByRole('searchbox')
const button = (opened: OpenedConsole, name: string) =>
  main(opened).getByRole('button', { name, exact: true })

test('an empty list and the card of an empty library offer the next step only to users who may add media', async () => {
  const cardOf = (opened: OpenedConsole) => main(opened).getByRole('region', { name: 'Last added' })
  const editor = await openConsole(server, { as: owner, path })
  await expectPage(main(editor).getByText('drop them anywhere on this page')).toBeVisible()
  await expectPage(button(editor, 'Upload')).toBeVisible()
  await expectPage(search(editor)).toHaveCount(0)
  await editor.expectAccessible()
  await editor.page.goto('/')
  await cardOf(editor).getByRole('link', { name: 'Upload' }).click()
  await expectPage(editor.page).toHaveURL(/\/app\/media-library\/create/)

  const reader = await openConsole(server, { as: viewer, path })
  await expectPage(main(reader).getByText('Uploading media needs the role Editor.')).toBeVisible()
  await expectPage(button(reader, 'Ask for access')).toBeVisible()
  await expectPage(button(reader, 'Upload')).toHaveCount(0)
  await reader.expectAccessible()
  await reader.page.goto('/')
  await expectPage(cardOf(reader)).toContainText('No pictures yet')
  await expectPage(cardOf(reader).getByRole('link', { name: 'Upload' })).toHaveCount(0)
})

const refusal = { status: 403, json: { code: 'FORBIDDEN', message: 'Access denied' } }

test('a list shows skeletons, then its failure with a retry', async () => {
  await addSounds(2)
  const opened = await openConsole(server, { as: viewer, path: null })
  const { page } = opened
  // An event would refetch the list.
  await muteEvents(page)
  let answer = () => {}
  let isDown = true
  const requested = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route(calls, async (route) => {
    await requested
    return isDown ? route.fulfill(refusal) : route.continue()
  })
  await page.goto(`${path}&project=${projectId}`)
  await expectPage(main(opened).getByRole('status', { name: 'Media' })).toHaveAttribute('aria-busy', 'true')
  await opened.expectAccessible()
  answer()
  await expectPage(main(opened).getByRole('alert')).toContainText('The media could not be loaded')
  await opened.expectAccessible()
  isDown = false
  await button(opened, 'Try again').click()
  await expectPage(rows(opened)).toHaveText(['Sound 1', 'Sound 2'])
})

test('a list keeps its rows when a refetch fails', async () => {
  await addSounds(2)
  const opened = await openConsole(server, { as: viewer, path: `${path}&project=${projectId}` })
  const { page } = opened
  await expectPage(rows(opened)).toHaveText(['Sound 1', 'Sound 2'])
  await page.route(calls, (route) => route.fulfill(refusal))
  const { items } = (await owner.call(mediaEndpoints.list, { params: { projectId } })).body
  const itemId = items.find(({ label }) => label === 'Sound 2')?._id ?? ''
  await owner.call(mediaEndpoints.update, { params: { projectId, itemId }, body: { label: 'Wind' } })
  await expectPage(main(opened).getByText(/^As of .*could not be read again/)).toBeVisible()
  await expectPage(rows(opened)).toHaveText(['Sound 1', 'Sound 2'])
  const section = main(opened)
    .locator('section')
    .filter({ has: page.getByRole('grid') })
  await expectPage(section).toHaveAttribute('data-stale', 'true')
  await opened.expectAccessible()
})

test.each([
  ['a later page', ''],
  ['ansible/awx#4239 a later page of matches', '&search=sound'],
])('%s whose records are gone leads to the first page', async (_name, filter) => {
  await addSounds(61)
  const opened = await openConsole(server, { as: owner, path: path + filter })
  await expectPage(main(opened).getByText('61 media · Page 1')).toBeVisible()
  await button(opened, 'Next page').click()
  await expectPage(rows(opened)).toHaveCount(1)
  const label = (await rows(opened).textContent()) ?? ''
  const { items } = (
    await owner.call(mediaEndpoints.list, { params: { projectId }, query: { limit: '200' } })
  ).body
  const itemId = items.find((item) => item.label === label)?._id ?? ''
  await owner.call(mediaEndpoints.remove, { params: { projectId, itemId } })
  await expectPage(main(opened).getByText('This page is empty')).toBeVisible()
  await opened.expectAccessible()
  await button(opened, 'First page').click()
  await expectPage(main(opened).getByText('60 media', { exact: true })).toBeVisible()
  expect(opened.complaints).toEqual([])
})

test('silverstripe/silverstripe-asset-admin#1210 a selection spans pages, in the grid and in the list', async () => {
  await addSounds(62)
  const opened = await openConsole(server, { as: owner, path: '/app/media-library?sort=label' })
  const { page } = opened
  const box = (name: string) => main(opened).getByRole('checkbox', { name, exact: true })
  const bar = (name: string) => main(opened).getByRole('toolbar', { name, exact: true })
  for (const number of [1, 2, 3]) await box(`Select Sound ${number}`).check()
  await button(opened, 'Next page').click()
  await box('Select Sound 61').check()
  await box('Select Sound 62').check()
  await expectPage(bar('5 selected, 3 not on this page')).toBeVisible()
  await button(opened, 'Add tags').click()
  await page.getByRole('dialog', { name: 'Tag 5 media' }).getByRole('button', { name: 'Cancel' }).click()
  await button(opened, 'Previous page').click()
  await expectPage(bar('5 selected, 2 not on this page')).toBeVisible()
  await expectPage(box('Select Sound 2')).toBeChecked()
  await button(opened, 'List').click()
  await box('Sound 2').uncheck()
  await expectPage(bar('4 selected, 2 not on this page')).toBeVisible()
  await opened.expectAccessible()
  await button(opened, 'Delete').click()
  await expectPage(main(opened).getByText('58 media', { exact: true })).toBeVisible()
  const { items } = (
    await owner.call(mediaEndpoints.list, { params: { projectId }, query: { limit: '200' } })
  ).body
  expect(items.map(({ label }) => label).filter((label) => /^Sound (?:[123]|6[12])$/.test(label))).toEqual([
    'Sound 2',
  ])
})

test.each([
  ['a fault', 503, 'DATABASE_UNAVAILABLE'],
  ['a refusal', 403, 'FORBIDDEN'],
])(
  'several media are deleted up to %s: those can be restored, and the others stay selected',
  async (_name, status, code) => {
    await addSounds(3)
    const opened = await openConsole(server, { as: owner, path })
    const { page } = opened
    for (const name of ['Sound 1', 'Sound 2', 'Sound 3'])
      await main(opened).getByRole('checkbox', { name }).check()
    const third = (await owner.call(mediaEndpoints.list, { params: { projectId } })).body.items.find(
      ({ label }) => label === 'Sound 3',
    )
    await page.route(`**/media/${third?._id}`, (route) =>
      route.fulfill({ status, json: { code, message: 'Not now' } }),
    )
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('2 media deleted').waitFor()
    await page.getByText('Deleting failed').waitFor()
    await expectPage(page.getByText('1 selected')).toBeVisible()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expectPage(rows(opened)).toHaveCount(3)
  },
)

test('Undo restores the media that this user has deleted, and not one that another user has deleted before', async () => {
  await addSounds(2)
  // A filtered list does not show which selected records still exist.
  const opened = await openConsole(server, { as: owner, path: `${path}&search=sound` })
  const { page } = opened
  const { items } = (await owner.call(mediaEndpoints.list, { params: { projectId } })).body
  const itemId = items.find(({ label }) => label === 'Sound 2')?._id ?? ''
  for (const name of ['Sound 1', 'Sound 2']) await main(opened).getByRole('checkbox', { name }).check()
  await page.route(`**/media/${itemId}`, async (route) => {
    await owner.call(mediaEndpoints.remove, { params: { projectId, itemId } })
    await route.continue()
  })
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByText('1 medium deleted').waitFor()
  await expectPage(page.getByRole('toolbar')).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expectPage(rows(opened)).toHaveText(['Sound 1'])
  expect(opened.complaints).toEqual([])
})

test('the box of a list that fits is as high as its rows, so that it does not scroll', async () => {
  await addSounds(2)
  const opened = await openConsole(server, { as: owner, path })
  await expectPage(rows(opened)).toHaveCount(2)
  const box = main(opened).getByRole('grid', { name: 'Media' }).locator('..')
  expect(await box.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)).toBe(0)
})
