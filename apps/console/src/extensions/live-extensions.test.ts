import { join } from 'node:path'
import { rootExtensionEndpoints } from '@pult/contract'
import { expectPage, extensionFolder, openConsole, testServer, writeExtension } from '@pult/testkit'
import { describe, expect, test } from 'vitest'

const uuid = '0193a3f0-5a2e-7c41-9d5b-2f1b7a6c0d11'
const pump = (version: string) => ({
  manifest: {
    id: 'pump',
    label: 'Pumps',
    version,
    apps: [{ id: 'pump', uuid, label: `Pump ${version}`, icon: 'box', productSku: 'testing' }],
  },
})

const extensionsFolder = await extensionFolder({
  testing: { manifest: { id: 'testing', products: [{ sku: 'testing', label: 'Testing', roles: [] }] } },
})

describe('extensions that change while the console is open', async () => {
  const server = await testServer({ withConsole: true, extensionsFolder })
  const root = await server.given.person({ isRoot: true })
  const params = { name: 'pump' }

  test('DEC-21 RULE-73 a dropped-in extension is disabled; enabling, updating and disabling it take effect in open consoles', async () => {
    const owner = await server.given.person()
    await server.given.project(owner, { products: ['testing'] })
    const opened = await openConsole(server, { as: owner })
    const { page } = opened
    const grid = page.getByRole('list', { name: 'Apps' })
    await expectPage(page.getByText('No apps confirgured yet.')).toBeVisible()
    await writeExtension(join(server.dataFolder, 'extensions/pump-1'), pump('1.0.0'))
    await page.reload()
    await expectPage(page.getByText('No apps confirgured yet.')).toBeVisible()

    expect(await root.call(rootExtensionEndpoints.enable, { params, body: {} })).toSucceed()
    await expectPage(grid).toContainText('It was installed after this page had loaded')
    await grid.getByRole('button', { name: 'Reload the page' }).click()
    await grid.getByRole('link', { name: 'Pump 1.0.0' }).click()
    await expectPage(page.getByText('Page of Pump 1.0.0')).toBeVisible()

    await writeExtension(join(server.dataFolder, 'extensions/pump-2'), pump('2.0.0'))
    expect(await root.call(rootExtensionEndpoints.enable, { params, body: {} })).toSucceed()
    await expectPage(page.getByText('Pumps 2.0.0 is installed')).toBeVisible()
    await expectPage(page.getByText('Page of Pump 1.0.0')).toBeVisible()
    await page.getByRole('banner').getByRole('button', { name: 'Reload' }).click()
    await expectPage(page.getByText('Page of Pump 2.0.0')).toBeVisible()

    expect(await root.call(rootExtensionEndpoints.disable, { params })).toSucceed()
    await expectPage(page).toHaveURL(/\/(\?project=[\w-]+)?$/)
    await expectPage(page.getByText('You cannot open this app')).toBeVisible()
    await expectPage(page.getByText('No apps confirgured yet.')).toBeVisible()
    expect(opened.complaints).toEqual([])
  })

  test('DEC-48 an extension that is enabled while the server is busy appears without another event', async () => {
    const owner = await server.given.person()
    await server.given.project(owner, { products: ['testing'] })
    const { page } = await openConsole(server, { as: owner })
    await expectPage(page.getByText('No apps confirgured yet.')).toBeVisible()
    const busy = { status: 503, json: { code: 'BUSY', message: 'Other things to do' } }
    const refused = page.waitForResponse(
      (response) => /\/probe/.test(response.url()) && response.status() === 503,
    )
    await page.route(/\/probe/, (route) => route.fulfill(busy))
    expect(await root.call(rootExtensionEndpoints.enable, { params, body: {} })).toSucceed()
    await refused
    await page.unroute(/\/probe/)
    await expectPage(page.getByRole('list', { name: 'Apps' })).toContainText('Pump 2.0.0')
  })
})
