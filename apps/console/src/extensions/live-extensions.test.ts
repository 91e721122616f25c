import { join } from 'node:path'
import { rootExtensionEndpoints } from '@pult/contract'
import { expectPage, extensionFolder, openConsole, testServer, writeExtension } from '@pult/testkit'
import { sql } from 'kysely'
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

/** Its page and its card are loaded when they are opened. */
const greet = (version: string) => ({
  manifest: {
    id: 'greet',
    label: 'Greetings',
    version,
    apps: [
      {
        id: 'greet',
        uuid,
        label: 'Greet',
        icon: 'box',
        productSku: 'testing',
        cards: [{ id: 'hello', label: 'Hello', priority: 1, place: 'organisation' }],
      },
    ],
  },
  files: {
    'entry.js': `export default { register: ({ registerApp }) =>
      registerApp({ id: 'greet', loader: () => import('./app.js'), cards: { hello: () => import('./card.js') } }) }`,
    'card.js': `import { createElement as h } from 'react'
      export default { read: async () => '${version}', Component: ({ data }) => h('p', null, 'Hello ' + data) }`,
    'app.js': `import { createElement as h } from 'react'
      export default { routes: [{ name: 'app-greet', path: '', Component: () => h('p', null, 'Greet ${version}') }] }`,
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
    // Its owner has each role.
    const refusal = page.getByRole('main').getByRole('alert')
    await expectPage(refusal).toContainText('Pump is not available')
    await expectPage(refusal).toContainText('Root has switched it off')
    await expectPage(refusal.getByRole('button', { name: 'Ask for access' })).toHaveCount(0)
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

  test('mattermost-community/focalboard#690 code that an update has removed offers a reload, because a retry cannot help, and is not counted as a failure', async () => {
    const owner = await server.given.person()
    const { orgId } = await server.given.organisation(owner, { label: 'Nordkai' })
    await server.given.project(owner, { products: ['testing'], org: { orgId } })
    const enable = async () =>
      expect(
        await root.call(rootExtensionEndpoints.enable, { params: { name: 'greet' }, body: {} }),
      ).toSucceed()
    await writeExtension(join(server.dataFolder, 'extensions/greet-1'), greet('1.0.0'))
    await enable()
    const opened = await openConsole(server, { as: owner })
    const { page } = opened
    const main = page.getByRole('main')
    await expectPage(main.getByRole('link', { name: 'Greet', exact: true }).first()).toBeVisible()
    await writeExtension(join(server.dataFolder, 'extensions/greet-2'), greet('2.0.0'))
    await enable()
    await expectPage(page.getByText('Greetings 2.0.0 is installed')).toBeVisible()

    await page.getByRole('navigation').getByRole('link', { name: 'Organizations' }).click()
    await main.getByRole('link', { name: 'Nordkai' }).click()
    const cards = main.getByRole('region', { name: 'Cards of apps' })
    await expectPage(cards).toContainText('Greetings was updated after this page had loaded')
    await expectPage(cards.getByRole('button', { name: 'Reload the page' })).toBeVisible()
    await page.getByRole('banner').getByRole('link', { name: 'Home' }).click()

    await page.getByRole('list', { name: 'Apps' }).getByRole('link', { name: 'Greet', exact: true }).click()
    const alert = main.getByRole('alert').filter({ hasText: 'Greet does not work' })
    await expectPage(alert).toContainText('Greetings was updated after this page had loaded')
    await expectPage(alert.getByRole('button', { name: 'Retry' })).toHaveCount(0)
    await alert.getByRole('button', { name: 'Reload the page' }).click()
    await expectPage(main.getByText('Greet 2.0.0')).toBeVisible()
    const { rows } = await sql`select 1 from extension_failure where extension = 'greet'`.execute(server.db)
    expect(rows).toEqual([])
  })
})
