import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  expectPage,
  extensionFolder,
  type GivenExtension,
  muteEvents,
  openConsole,
  testServer,
} from '@pult/testkit'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'

/** The start waits for the first entries. */
const awaited = ['good', 'syntax', 'refusing']
const priorities: Record<string, number> = { good: 1, syntax: 1, refusing: 1, last: 5000 }

/** An extension `id` with an app of the same name in the product `testing`. */
function extension(id: string, files: Record<string, string>, more: object = {}): GivenExtension {
  const uuid = '0193a3f0-5a2e-7c41-9d5b-2f1b7a6c0d11'
  const priority = priorities[id] ?? 1000
  const app = { id, uuid, label: `App ${id}`, icon: 'box', productSku: 'testing', priority }
  return { manifest: { id, label: `Extension ${id}`, apps: [app], ...more }, files }
}

/** An entry whose app has these routes. */
const withRoutes = (id: string, routes: string) => `
  import { createElement, useEffect, useState } from 'react'
  export default { register: ({ registerApp }) => registerApp({ id: '${id}', loader: async () => ({ default: { routes: ${routes} } }) }) }`

const registering = (statements: string) =>
  `export default { register: ({ registerApp }) => { ${statements} } }`
const page = `[{ name: 'app-x', path: '', Component: () => null }]`
const notFetched = 'Its code could not be loaded or differs from the installed version'

/** Extensions whose code never registers an app, and the expected text of the tile. */
const notStarted: Record<string, { given: GivenExtension; message: string | RegExp }> = {
  'a changed byte': { given: extension('changed', { 'entry.js': registering('') }), message: notFetched },
  'a file that is gone': { given: extension('gone', { 'entry.js': registering('') }), message: notFetched },
  'a changed module that its entry imports': {
    given: extension('chunk', {
      'entry.js': `import { parts } from './part.js'\n${registering('parts(registerApp)')}`,
      'part.js': 'export const parts = () => {}',
    }),
    message: notFetched,
  },
  'a syntax error': {
    given: extension('syntax', { 'entry.js': 'export default { register() { let let } }' }),
    message: /Unexpected/,
  },
  'code that throws while it is loaded': {
    given: extension('throwing', { 'entry.js': `throw new Error('No luck today')\nexport default {}` }),
    message: 'No luck today',
  },
  'no default export': {
    given: extension('nothing', { 'entry.js': 'export const register = () => {}' }),
    message: 'The entry module does not export an extension',
  },
  'a default export that is no extension': {
    given: extension('other', { 'entry.js': 'export default { registerApps() {} }' }),
    message: 'The entry module does not export an extension',
  },
  'a register that throws': {
    given: extension('refusing', { 'entry.js': registering(`throw new Error('I will not')`) }),
    message: 'I will not',
  },
  'an app registered twice': {
    given: extension('twice', {
      'entry.js': registering(
        `const app = { id: 'twice', loader: async () => ({}) }; registerApp(app); registerApp(app)`,
      ),
    }),
    message: 'The app twice was registered twice',
  },
  'an app without an id': {
    given: extension('nameless', { 'entry.js': registering('registerApp({ loader: async () => ({}) })') }),
    message: 'An app was registered without id',
  },
  'an app without a loader': {
    given: extension('unloadable', { 'entry.js': registering(`registerApp({ id: 'unloadable' })`) }),
    message: 'An app was registered without loader (unloadable)',
  },
  'an app that the extension does not register': {
    given: extension('forgotten', {
      'entry.js': registering(`registerApp({ id: 'elsewhere', loader: async () => ({}) })`),
    }),
    message: 'The extension does not register this app',
  },
  'another SDK': {
    given: extension('future', { 'entry.js': registering('') }, { sdk: '^9.0.0' }),
    message: 'it needs SDK ^9.0.0, and this console has 1.0.0',
  },
  'a module that the console does not share': {
    given: extension('foreign', { 'entry.js': `import 'lodash'\n${registering('')}` }),
    message: 'entry.js imports lodash, which the console does not share',
  },
}

/** Extensions whose app fails when it is opened, and the expected text of its page. */
const notOpened: Record<string, { given: GivenExtension; message: string | RegExp }> = {
  'a loader that rejects': {
    given: extension('late', {
      'entry.js': registering(
        `registerApp({ id: 'late', loader: async () => { throw new Error('Out of order') } })`,
      ),
    }),
    message: 'Out of order',
  },
  'a module without pages': {
    given: extension('empty', {
      'entry.js': registering(`registerApp({ id: 'empty', loader: async () => ({ default: {} }) })`),
    }),
    message: 'The app module does not export an app with pages',
  },
  'a page of another name': {
    given: extension('misnamed', { 'entry.js': withRoutes('misnamed', page) }),
    message: 'The name of the page app-x does not begin with app-misnamed',
  },
  'a changed style sheet': {
    given: extension(
      'styled',
      {
        'entry.js': withRoutes('styled', page.replace('app-x', 'app-styled')),
        'style.css': 'p { color: red }',
      },
      { styles: ['style.css'] },
    ),
    message: notFetched,
  },
  'a page that throws while it is rendered': {
    given: extension('rendering', {
      'entry.js': withRoutes(
        'rendering',
        `[{ name: 'app-rendering', path: '', Component: () => { throw new Error('Cannot draw') } }]`,
      ),
    }),
    message: 'Cannot draw',
  },
  'a page that throws in an effect': {
    given: extension('effect', {
      'entry.js': withRoutes(
        'effect',
        `[{ name: 'app-effect', path: '', Component: () => { useEffect(() => { throw new Error('Too late') }); return null } }]`,
      ),
    }),
    message: 'Too late',
  },
}

/** Its page shows data that may fail to load. */
const asking = extension('asking', {
  'entry.js': `
    import { createElement, Suspense } from 'react'
    import { useSuspenseQuery } from '@tanstack/react-query'
    import { AppLink, useApi, useAppParams } from '@pult/sdk'
    import { projectEndpoints } from '@pult/sdk/api'
    function Found() {
      const { what } = useAppParams()
      const call = useApi()
      const { data } = useSuspenseQuery({ queryKey: ['asking', what], retry: false,
        queryFn: () => call(projectEndpoints.list, { query: { search: what } }) })
      return createElement('p', null, data.items.length + ' of ' + what + ' ', createElement(AppLink, { to: what === 'first' ? 'second' : 'third' }, 'Next'))
    }
    const Component = () => createElement(Suspense, { fallback: null }, createElement(Found))
    export default { register: ({ registerApp }) => registerApp({ id: 'asking',
      loader: async () => ({ default: { routes: [{ name: 'app-asking', path: ':what', Component }] } }) }) }`,
})

/** Passes values of wrong types to the console. */
const careless = extension('careless', {
  'entry.js': `
    import { createElement as h } from 'react'
    import { useAction, useHotkey, useNotify } from '@pult/sdk'
    function Page() {
      const notify = useNotify()
      useAction({ id: 'mute', label: undefined, run: () => {} })
      useHotkey('mod+shift+z', () => {}, { label: {} })
      return h('button', { onClick: () => notify({ title: 'Saving failed', text: new Error('Disk full') }) }, 'Save')
    }
    export default { register: ({ registerApp, registerAction }) => {
      registerApp({ id: 'careless', loader: async () => ({ default: { routes: [{ name: 'app-careless', path: '', Component: Page }] } }) })
      registerAction({ id: 'reset', label: 'Reset the works', keywords: 'restore', run: () => {} })
      registerAction({ id: 'stop', label: 'Stop the works', keywords: null, shortcut: 42, run: () => {} })
    } }`,
})

const idOf = ({ given }: { given: GivenExtension }) => given.manifest.id
const labelOf = (broken: { given: GivenExtension }) => `App ${idOf(broken)}`

describe('broken extensions', async () => {
  const all = [...Object.values(notStarted), ...Object.values(notOpened)]
  const extensionsFolder = await extensionFolder({
    good: {
      manifest: {
        id: 'good',
        products: [{ sku: 'testing', label: 'Testing', roles: [] }],
        apps: [{ ...extension('good', {}).manifest.apps?.[0], id: 'good', label: 'App good' }],
      },
    },
    last: {
      manifest: {
        id: 'last',
        apps: [{ ...extension('last', {}).manifest.apps?.[0], id: 'last', label: 'App last' }],
      },
    },
    asking,
    careless,
    ...Object.fromEntries(all.map((broken) => [idOf(broken), broken.given])),
  })
  const server = await testServer({ withConsole: true, extensionsFolder })
  const owner = await server.given.person()
  await server.given.project(owner, { products: ['testing'] })
  /** Opens a separate session, because a starting page replaces the token that it received. */
  const signedIn = async () => ({ token: await owner.openSession() })
  // Changed after the server has checked the files, so they no longer match the digests in the document.
  await writeFile(join(extensionsFolder, 'changed/entry.js'), registering(' '))
  await writeFile(join(extensionsFolder, 'chunk/part.js'), 'export const parts = () => { }')
  await writeFile(join(extensionsFolder, 'styled/style.css'), 'p { color: tan }')
  await rm(join(extensionsFolder, 'gone/entry.js'))

  test('BOOT-07 DEC-24 RULE-73 do not affect other extensions: each causes a warning in its line of the start, and its tile shows the reason and a next step', async () => {
    const opened = await openConsole(server, { as: await signedIn(), path: null })
    await opened.page.addInitScript(() => {
      const seen: Record<string, string> = {}
      Object.assign(globalThis, { seen })
      new MutationObserver(() => {
        for (const line of document.querySelectorAll<HTMLElement>('.boot-step[data-state=warning]'))
          seen[line.children[1]?.textContent ?? ''] = line.textContent ?? ''
      }).observe(document, { subtree: true, childList: true, attributes: true })
    })
    await opened.page.goto('/')
    await expectPage(opened.page.getByRole('navigation')).toBeVisible()
    const seen = await opened.page.evaluate((): Record<string, string> => Reflect.get(globalThis, 'seen'))
    expect(seen['Register extensions']).toContain('Extension syntax')
    expect(seen['Register extensions']).toContain('Extension future')
    expect(seen['Register extensions']).not.toContain('Extension refusing')
    expect(seen['Loading apps']).toContain('Extension refusing')
    expect(Object.values(seen).join()).not.toContain('Extension good')

    const grid = opened.page.getByRole('list', { name: 'Apps' })
    await expectPage(grid.getByRole('link', { name: 'App good' })).toBeVisible()
    for (const [kind, broken] of Object.entries(notStarted)) {
      const tile = grid.getByRole('listitem').filter({ hasText: labelOf(broken) })
      await expectPage(tile, kind).toContainText(broken.message)
      await expectPage(tile.getByRole('button', { name: /Retry|Reload the page/ }), kind).toBeVisible()
      await expectPage(tile.getByRole('link'), kind).toHaveCount(0)
    }
    await opened.expectAccessible()
    await grid.getByRole('link', { name: 'App good' }).click()
    await expectPage(opened.page.getByText('Page of App good')).toBeVisible()
  })

  test('DEC-24 an app that fails when it is opened affects only its own page', async () => {
    const opened = await openConsole(server, { as: await signedIn() })
    const main = opened.page.getByRole('main')
    for (const [kind, broken] of Object.entries(notOpened)) {
      await main.getByRole('link', { name: labelOf(broken) }).click()
      const alert = opened.page.getByRole('alert').filter({ hasText: `${labelOf(broken)} does not work` })
      await expectPage(alert, kind).toContainText(broken.message)
      await expectPage(alert.getByRole('button', { name: /Retry|Reload the page/ }), kind).toBeVisible()
      await opened.expectAccessible()
      await opened.page.getByRole('banner').getByRole('link', { name: 'Home' }).click()
      await main.getByRole('link', { name: 'App good' }).click()
      await expectPage(opened.page.getByText('Page of App good'), kind).toBeVisible()
      await opened.page.getByRole('banner').getByRole('link', { name: 'Home' }).click()
    }
  })

  test('the failures of their code are counted for root, but not code that could not be fetched', async () => {
    const { rows } = await sql<{ id: string }>`
      select distinct extension as id from extension_failure where extension = any(${Object.values(notOpened).map(idOf)})
      order by 1`.execute(server.db)
    expect(rows.map(({ id }) => id)).toEqual(['effect', 'empty', 'late', 'misnamed', 'rendering'])
  })

  test('DEC-48 an app whose data failed to load refetches it on the same page: on Retry, when the server answers a call, and when the connection is back', async () => {
    const { page: opened, context } = await openConsole(server, { as: await signedIn(), path: null })
    const busy = { status: 503, json: { code: 'BUSY', message: 'Other things to do' } }
    const health = '**/api/health/live'
    await opened.route(/search=/, (route) => route.fulfill(busy))
    await opened.route(health, (route) => route.fulfill(busy))
    await opened.goto('/app/asking/first')
    const alert = opened.getByRole('alert').filter({ hasText: 'App asking does not work' })
    await expectPage(alert).toContainText('Other things to do')
    await opened.evaluate(() => Object.assign(globalThis, { loaded: 'before' }))
    await opened.unroute(/search=/)
    await alert.getByRole('button', { name: 'Retry' }).click()
    await expectPage(opened.getByText('0 of first')).toBeVisible()

    await opened.route(/search=/, (route) => route.fulfill(busy))
    await opened.getByRole('link', { name: 'Next' }).click()
    await expectPage(alert).toContainText('Other things to do')
    await opened.unroute(/search=/)
    await opened.unroute(health)
    await expectPage(opened.getByText('0 of second')).toBeVisible()

    await context.setOffline(true)
    await opened.getByRole('link', { name: 'Next' }).click()
    await expectPage(alert).toBeVisible()
    await context.setOffline(false)
    await expectPage(opened.getByText('0 of third')).toBeVisible()
    expect(await opened.evaluate(() => Reflect.get(globalThis, 'loaded'))).toBe('before')
  })

  test('kubernetes-sigs/headlamp#597 values of wrong types and a layer that throws leave the page and all other layers', async () => {
    const { page: opened } = await openConsole(server, { as: await signedIn(), path: '/app/careless' })
    const save = opened.getByRole('main').getByRole('button', { name: 'Save' })
    await save.click()
    await expectPage(opened.getByText('Disk full')).toBeVisible()
    await opened.keyboard.press('ControlOrMeta+k')
    const field = opened.getByRole('combobox')
    const options = opened.getByRole('option')
    for (const [typed, label] of [
      ['restore', 'Reset the works'],
      ['stop the', 'Stop the works'],
      ['mute', 'careless mute'],
    ] as const) {
      await field.fill(typed)
      await expectPage(options.filter({ hasText: label })).toBeVisible()
    }
    await opened.keyboard.press('Escape')
    await expectPage(field).toHaveCount(0)

    // The list of shortcuts cannot show the label of the page's shortcut.
    await opened.keyboard.press('Shift+?')
    await expectPage(opened.getByText('This could not be loaded')).toBeVisible()
    await expectPage(save).toBeVisible()
    await opened.keyboard.press('ControlOrMeta+k')
    await expectPage(field).toBeFocused()
  })

  test('BOOT-07 Retry loads code that could not be fetched', async () => {
    const { page: opened } = await openConsole(server, { as: await signedIn(), path: null })
    // Events would make the console reload it automatically.
    await muteEvents(opened)
    await opened.route(/\/extensions\/good\//, (route) => route.abort())
    await opened.goto('/')
    const tile = opened.getByRole('main').getByRole('listitem').filter({ hasText: 'App good' })
    await expectPage(tile).toContainText(notFetched)
    await opened.unroute(/\/extensions\/good\//)
    await tile.getByRole('button', { name: 'Retry' }).click()
    await opened.getByRole('main').getByRole('link', { name: 'App good' }).click()
    await expectPage(opened.getByText('Page of App good')).toBeVisible()
  })

  test('APP-05 APP-07 missing code times out after 120 s and delays no other extension', async () => {
    const { page: opened } = await openConsole(server, { as: await signedIn(), path: null })
    await opened.clock.install()
    await opened.route(/\/extensions\/good\//, () => {})
    await opened.goto('/')
    await opened.clock.fastForward(5000)
    await expectPage(opened.getByRole('navigation')).toBeVisible()
    await opened.getByRole('main').getByRole('link', { name: 'App good' }).click()
    await expectPage(opened.getByText('App good is loading')).toBeVisible()
    // Real time passes as well. The first step ends well before the limit of 120 s, the second one after it.
    await opened.clock.fastForward(60_000)
    await expectPage(opened.getByText('App good is loading')).toBeVisible()
    await opened.clock.fastForward(60_000)
    await expectPage(opened.getByRole('alert')).toContainText('Its code did not load in time')
  })

  test('the start waits for as many entries as load in parallel; a later app appears and opens', async () => {
    const { page: opened } = await openConsole(server, { as: await signedIn(), path: null })
    const requested: string[] = []
    opened.on('request', (request) => {
      const [, id] = /\/extensions\/([^/]+)\/.*entry\.js$/.exec(new URL(request.url()).pathname) ?? []
      if (id !== undefined) requested.push(id)
    })
    await opened.addInitScript(() => Object.assign(globalThis, { requestIdleCallback: () => 0 }))
    await opened.goto('/')
    const tile = opened.getByRole('main').getByRole('link', { name: 'App last' })
    await expectPage(tile).toBeVisible()
    // A changed entry is requested again.
    expect(new Set(requested).size).toBe(6)
    expect(requested).toEqual(expect.arrayContaining(awaited))
    await tile.click()
    await expectPage(opened.getByText('Page of App last')).toBeVisible()
    expect(new Set(requested).size).toBe(7)
  })
})
