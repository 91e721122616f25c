import { expectPage, extensionFolder, openConsole, testServer } from '@pult/testkit'
import { expect, test } from 'vitest'

const app = {
  id: 'plant',
  uuid: '0193a3f0-5a2e-7c41-9d5b-2f1b7a6c0d11',
  label: 'Plant',
  icon: 'box',
  productSku: 'works',
}

const extensionsFolder = await extensionFolder({
  works: {
    manifest: {
      id: 'works',
      products: [{ sku: 'works', label: 'Works', roles: [] }],
      apps: [app],
    },
    files: {
      'entry.js': `
        import { createElement as h } from 'react'
        const Page = () => h('p', null, 'The page.')
        const app = { default: { routes: [{ name: 'app-plant-start', path: '', Component: Page }] } }
        const loader = () => new Promise((resolve) => { globalThis.finishLoading = () => resolve(app) })
        export default { register: ({ registerApp }) => registerApp({ id: 'plant', loader }) }`,
    },
  },
})

test('an app whose code is loading shows a skeleton below its header, and screen readers announce that it loads', async () => {
  const server = await testServer({ withConsole: true, extensionsFolder })
  const ada = await server.given.person()
  await server.given.project(ada, { label: 'Hall 7', products: ['works'] })
  const opened = await openConsole(server, { as: ada, path: '/app/plant' })
  const main = opened.page.getByRole('main')
  await expectPage(main.getByRole('heading', { level: 1, name: 'Plant' })).toBeVisible()
  const status = main.getByRole('status').filter({ hasText: 'Plant is loading' })
  await expectPage(status.locator('[data-awaited]')).toBeVisible()
  await opened.expectAccessible()
  await opened.page.evaluate('finishLoading()')
  await expectPage(main.getByText('The page.')).toBeVisible()
  await expectPage(status).toHaveCount(0)
  expect(opened.complaints).toEqual([])
})
