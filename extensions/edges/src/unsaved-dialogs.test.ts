import { edgeEndpoints, edgeGroupEndpoints, edgeScheduleEndpoints } from '@pult/contract'
import { expectPage, type GivenPerson, openConsole, testServer } from '@pult/testkit'
import { beforeEach, expect, test } from 'vitest'

const server = await testServer({ withConsole: true })
const { given } = server

let owner: GivenPerson
let edgeId: string
let groupId: string
beforeEach(async () => {
  owner = await given.person()
  const { projectId } = await given.project(owner, { products: ['project', 'edges'] })
  const params = { projectId }
  const made = await owner.call(edgeEndpoints.enrol, { params, body: { label: 'Hall 1' } })
  server.watchSecret(made.body.code)
  edgeId = made.body.edge._id
  const body = { label: 'All', rule: {} }
  groupId = (await owner.call(edgeGroupEndpoints.create, { params, body })).body._id
  const order = { command: { name: 'diagnostics' as const }, group: groupId }
  await owner.call(edgeScheduleEndpoints.create, {
    params,
    body: { ...order, label: 'Nightly look', cron: '30 2 * * *', timeZone: 'Europe/Berlin' },
  })
})

test('DEC-31 each dialog asks before Esc discards its input, and closes without a question if it has none', async () => {
  const { page, complaints } = await openConsole(server, { as: owner, path: null })
  const main = page.getByRole('main')
  const dialog = page.getByRole('dialog')
  const question = page.getByRole('alertdialog', { name: 'Leave without saving?' })
  const press = (name: string) => main.getByRole('button', { name, exact: true }).click()

  async function expectQuestion(path: string, open: () => Promise<void>, type: () => Promise<unknown>) {
    await page.goto(path)
    await open()
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await expectPage(dialog, path).toHaveCount(0)
    await page.goto(path)
    await open()
    await type()
    await page.keyboard.press('Escape')
    await question.getByRole('button', { name: 'Stay' }).click()
    await expectPage(question).toHaveCount(0)
    await expectPage(page.locator('[role=dialog]:focus-within'), path).toHaveCount(1)
    await page.keyboard.press('Escape')
    await question.getByRole('button', { name: 'Leave' }).click()
    await expectPage(dialog, path).toHaveCount(0)
    await expectPage(question).toHaveCount(0)
  }
  const name = () => dialog.getByLabel('Name').fill('Typed')

  // The dialog opens and closes with its address.
  await expectQuestion('/app/edges/create', async () => {}, name)
  await expectPage(page).toHaveURL(({ pathname }) => pathname === '/app/edges')
  await expectQuestion(`/app/edges/edit/${edgeId}`, () => press('Rename Hall 1'), name)
  await expectQuestion('/app/edges/keys', () => press('Create key'), name)
  await expectQuestion('/app/edges?match=any&tags=North', () => press('Save as group'), name)
  await expectQuestion('/app/edges/schedules', () => press('Edit Nightly look'), name)
  await expectQuestion(
    '/app/edges',
    () => press('Agent updates'),
    () => dialog.getByLabel('How agents are updated').selectOption('now'),
  )
  await expectQuestion(
    '/app/edges',
    async () => {
      await main
        .getByRole('row', { name: /Hall 1/ })
        .getByRole('checkbox')
        .click()
      await page.getByRole('button', { name: 'Tags', exact: true }).click()
    },
    () => dialog.getByRole('textbox', { name: 'Add tags' }).fill('North'),
  )
  await expectQuestion(
    `/app/edges?group=${groupId}`,
    () => press('Run a job'),
    () => dialog.getByRole('textbox', { name: 'At the same time on at most' }).fill('3'),
  )
  expect(complaints).toEqual([])
})

test('DEC-30 Back and a link ask before they discard the input of a dialog; Cancel and a saved dialog do not', async () => {
  const { page } = await openConsole(server, { as: owner, path: '/app/edges' })
  const main = page.getByRole('main')
  const dialog = page.getByRole('dialog')
  const question = page.getByRole('alertdialog', { name: 'Leave without saving?' })
  const name = dialog.getByLabel('Name')
  await main.getByRole('button', { name: 'Add an edge' }).click()
  await name.fill('Hall 2')
  await dialog.getByRole('link', { name: 'Enrolment keys' }).click()
  await question.getByRole('button', { name: 'Stay' }).click()
  await expectPage(name).toHaveValue('Hall 2')
  await dialog.getByRole('link', { name: 'Enrolment keys' }).click()
  await question.getByRole('button', { name: 'Leave' }).click()

  const create = main.getByRole('button', { name: 'Create key' })
  await create.click()
  await name.fill('Halls')
  await page.goBack()
  await question.getByRole('button', { name: 'Stay' }).click()
  await expectPage(name).toHaveValue('Halls')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expectPage(dialog).toHaveCount(0)
  await expectPage(question).toHaveCount(0)

  await create.click()
  await name.fill('Halls')
  await dialog.getByRole('button', { name: 'Create key' }).click()
  server.watchSecret(await dialog.getByRole('textbox', { name: 'Key', exact: true }).inputValue())
  await page.keyboard.press('Escape')
  await expectPage(dialog).toHaveCount(0)
  await page.goBack()
  await expectPage(page).toHaveURL(({ pathname }) => pathname === '/app/edges')
  await expectPage(question).toHaveCount(0)
})

test('a press of Save adds a half-typed tag', async () => {
  const { page } = await openConsole(server, { as: owner, path: '/app/edges' })
  const main = page.getByRole('main')
  await main
    .getByRole('row', { name: /Hall 1/ })
    .getByRole('checkbox')
    .click()
  await page.getByRole('button', { name: 'Tags', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Add tags' }).fill('North')
  // Forced, because the button is disabled until the press moves the focus to it.
  await dialog.getByRole('button', { name: 'Save', exact: true }).click({ force: true })
  await expectPage(dialog).toHaveCount(0)
  await expectPage(main.getByRole('row', { name: /Hall 1/ })).toContainText('North')
})
