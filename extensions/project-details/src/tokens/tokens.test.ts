import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { taskDriverEndpoints, taskTokenEndpoints } from '@pult/contract'
import {
  expectPage,
  extensionFolder,
  type GivenPerson,
  type OpenedConsole,
  openConsole,
  testServer,
} from '@pult/testkit'
import { beforeEach, expect, test } from 'vitest'

const folder = await extensionFolder({
  render: {
    manifest: {
      id: 'render',
      products: [{ sku: 'render', label: 'Render', roles: [] }],
      tasks: [
        { kind: 'report', label: 'Report' },
        { kind: 'show-file', label: 'Show file' },
      ],
    },
  },
})
await cp(
  join(import.meta.dirname, '../../../../dist/extensions/project-details'),
  join(folder, 'project-details'),
  { recursive: true },
)
const server = await testServer({ withConsole: true, extensionsFolder: folder })
const { given } = server

let owner: GivenPerson
let maintainer: GivenPerson
let projectId: string
beforeEach(async () => {
  owner = await given.person({ firstname: 'Olga', lastname: 'Ohm' })
  maintainer = await given.person()
  const grants = [{ person: maintainer, productRole: 'project/maintainer' }]
  const products = ['project', 'render']
  projectId = (await given.project(owner, { products, grants })).projectId
})

const openTokens = (as: GivenPerson, options: Parameters<typeof openConsole>[1] = {}) =>
  openConsole(server, { as, path: '/app/project-details/tokens', ...options })
const main = ({ page }: OpenedConsole) => page.getByRole('main')
const tokens = (opened: OpenedConsole) =>
  main(opened).getByRole('table', { name: 'Task tokens' }).getByRole('row')

test('API-21 the owner creates a token that is shown once and permits the chosen kinds; a revoked token is rejected', async () => {
  const opened = await openTokens(owner)
  await expectPage(main(opened)).toContainText('No task tokens yet.')
  const create = main(opened).getByRole('button', { name: 'Create task token' })
  await main(opened).getByLabel('Label').fill('Render service')
  await opened.page.getByRole('navigation').getByRole('link', { name: 'Organizations' }).click()
  await opened.page.getByRole('alertdialog').getByRole('button', { name: 'Stay' }).click()
  await expectPage(create).toBeDisabled()
  await main(opened).getByRole('checkbox', { name: 'render/report' }).check()
  await create.click()
  const shown = main(opened).getByLabel('Task token', { exact: true })
  await expectPage(shown).toHaveValue(/^pult-task-/)
  const token = await shown.inputValue()
  server.watchSecret(token)
  await expectPage(tokens(opened)).toHaveText([/Label/, /Render service.*render\/report.*by Olga Ohm.*Never/])

  const begin = (type: string) =>
    server.call(taskDriverEndpoints.create, { params: { projectId }, body: { type, title: 'Show' } }, token)
  expect(await begin('render/report')).toSucceed()
  expect((await begin('render/show-file')).status).toBeGreaterThanOrEqual(400)
  await opened.page.reload()
  await expectPage(tokens(opened).nth(1)).not.toContainText('Never')
  await expectPage(shown).toHaveCount(0)

  await main(opened).getByRole('button', { name: 'Revoke Render service' }).click()
  await opened.page
    .getByRole('alertdialog', { name: 'Revoke this task token?' })
    .getByRole('button', { name: 'Revoke' })
    .click()
  await expectPage(main(opened)).toContainText('No task tokens yet.')
  expect((await begin('render/report')).status).toBe(401)
  expect(opened.complaints).toEqual([])
})

test('API-21 a token for a whole extension names it once; a user without edit rights gets an explanation', async () => {
  const opened = await openTokens(owner)
  await main(opened).getByLabel('Label').fill('Render service')
  await main(opened).getByRole('checkbox', { name: 'All kinds of render' }).check()
  await expectPage(main(opened).getByRole('checkbox', { name: 'render/report' })).toBeDisabled()
  await main(opened).getByRole('button', { name: 'Create task token' }).click()
  server.watchSecret(await main(opened).getByLabel('Task token', { exact: true }).inputValue())
  const { body } = await owner.call(taskTokenEndpoints.list, { params: { projectId } })
  expect(body.items.map(({ types }) => types)).toEqual([['render/*']])
  expect(body.types).toEqual(['render/report', 'render/show-file'])

  const other = await openTokens(maintainer)
  await expectPage(main(other)).toContainText('manage its task tokens')
  await expectPage(main(other).getByRole('checkbox')).toHaveCount(0)
})

test('API-21 the form offers lifetimes of a token, and the list shows its expiry', async () => {
  const opened = await openTokens(owner)
  const lifetime = main(opened).getByLabel('Expires after')
  await expectPage(lifetime.getByRole('option')).toHaveText(['30 days', '90 days', '180 days', '365 days'])
  await expectPage(lifetime).toHaveValue('90')
  await main(opened).getByLabel('Label').fill('Render service')
  await main(opened).getByRole('checkbox', { name: 'render/report' }).check()
  await lifetime.selectOption('30 days')
  await main(opened).getByRole('button', { name: 'Create task token' }).click()
  server.watchSecret(await main(opened).getByLabel('Task token', { exact: true }).inputValue())

  const { body } = await owner.call(taskTokenEndpoints.list, { params: { projectId } })
  const { createdAt, expiresAt } = body.items[0] ?? { createdAt: '', expiresAt: '' }
  expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(30 * 86_400_000)
  await expectPage(tokens(opened).nth(1).locator(`time[datetime="${expiresAt}"]`)).toBeVisible()
  await expectPage(lifetime).toHaveValue('90')
})

for (const theme of ['light', 'dark'] as const) {
  test(`API-21 the tab has no axe findings, ${theme}, 390 px`, async () => {
    const viewport = { width: 390, height: 844 }
    const { body } = await owner.call(taskTokenEndpoints.create, {
      params: { projectId },
      body: { label: 'Render service', types: ['render/*'] },
    })
    server.watchSecret(body.token)
    const opened = await openTokens(owner, { theme, viewport })
    await expectPage(tokens(opened)).toHaveCount(2)
    await opened.expectAccessible()
    expect(await opened.page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  })
}
