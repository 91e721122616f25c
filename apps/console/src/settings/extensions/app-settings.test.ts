import { expectPage, extensionFolder, openConsole, testServer } from '@pult/testkit'
import { expect, test } from 'vitest'

const app = {
  id: 'heat',
  uuid: '0193a3f0-5a2e-7c41-9d5b-2f1b7a6c0d11',
  label: 'Heat',
  icon: 'box',
  productSku: 'heat',
  role: 'heat',
}
const extensionsFolder = await extensionFolder({
  heat: {
    manifest: {
      id: 'heat',
      label: 'Heat',
      settings: [{ id: 'sound', scope: 'person', type: 'switch', label: 'Sound' }],
      products: [{ sku: 'heat', label: 'Heat', roles: [{ id: 'user', label: 'User', roles: ['heat'] }] }],
      apps: [app],
    },
  },
})
const server = await testServer({ withConsole: true, extensionsFolder })
const { given } = server

test('DEC-48 the user’s settings of apps stay visible with their age when a refetch fails', async () => {
  const ada = await given.person()
  await given.project(ada, { products: ['project', 'heat'] })
  const opened = await openConsole(server, { as: ada, path: '/settings/apps' })
  const main = opened.page.getByRole('main')
  const settings = main.getByRole('region', { name: 'Settings of Heat' })
  await settings.getByRole('checkbox', { name: 'Sound' }).click()
  await opened.page.route(/\/api\/me\/extension-settings/, (route) =>
    route.request().method() === 'GET'
      ? route.fulfill({ status: 403, json: { code: 'FORBIDDEN', message: 'Access denied' } })
      : route.fallback(),
  )
  await settings.getByRole('button', { name: 'Save' }).click()
  await expectPage(main.getByText(/^As of .*could not be read again/)).toBeVisible()
  await expectPage(settings).toBeVisible()
  await opened.expectAccessible()
  expect(opened.complaints).toEqual([])
})
