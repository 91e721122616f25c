import { noteEndpoints, projectEndpoints, rootGrantEndpoints } from '@pult/contract'
import { someReport } from '@pult/server/edges/testing/virtual-agent.ts'
import { expectPage, extensionFolder, type GivenPerson, openConsole, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'

const uuid = '0193a3f0-5a2e-7c41-9d5b-2f1b7a6c0d11'
const app = (id: string, label: string) => ({ id, uuid, label, icon: 'box', productSku: 'works' })

const entry = `
  import { createElement as h, useState } from 'react'
  import { useAction, useHotkey } from '@pult/sdk'
  import { TextField } from '@pult/sdk/ui'
  function Pumps() {
    const [count, setCount] = useState(0)
    useAction({ id: 'prime', label: 'Prime all pumps', keywords: ['flush'], shortcut: 'mod+shift+p', run: () => setCount(count + 1) })
    useAction({ id: 'drain', label: 'Drain all pumps', role: 'pumps:drain', run: () => setCount(99) })
    useAction({ id: 'fail', label: 'Fail all pumps', run: () => { throw new Error('No pump there') } })
    useHotkey('mod+shift+l', () => setCount(7), { label: 'Lucky number' })
    return h('div', null, h('output', null, 'Primed ' + count), h(TextField, { label: 'Write here' }))
  }
  export default { register: ({ registerApp, registerAction }) => {
    registerApp({ id: 'pumps', loader: async () => ({ default: { routes: [{ name: 'app-pumps', path: '', Component: Pumps },
      { name: 'app-pumps-plan', path: 'plan', Component: () => h('p', null, 'The plan of the pumps') }] } }) })
    registerApp({ id: 'accounts', loader: async () => ({ default: { routes: [
      { name: 'app-accounts-one', path: ':id', Component: () => h('p', null, 'One account') }] } }) })
    registerAction({ id: 'plan', label: 'Plan the pumps', keywords: ['schedule'], shortcut: 'mod+shift+y', icon: 'calendar',
      run: ({ openApp, project }) => openApp('pumps', project ? 'plan' : '') })
    registerAction({ id: 'greet', label: 'Greet the works', run: ({ notify, project }) => notify({ title: 'Hello ' + project.label }) })
    registerAction({ id: 'secret', label: 'Secret of the works', role: 'pumps:secret', run: () => {} })
    registerAction({ id: 'broken', label: 'Break the works', run: async () => { throw new Error('It is broken') } })
  } }`

const extensionsFolder = await extensionFolder({
  works: {
    manifest: {
      id: 'works',
      label: 'Works',
      products: [
        { sku: 'works', label: 'Works', roles: [{ id: 'worker', label: 'Worker', roles: ['pumps'] }] },
      ],
      apps: [
        app('pumps', 'Pumps'),
        app('lamps', 'Lamps'),
        { ...app('accounts', 'Accounts'), productSku: 'root' },
      ],
    },
    files: { 'entry.js': entry },
  },
})

describe('the command palette', async () => {
  const server = await testServer({ withConsole: true, extensionsFolder })
  const { given } = server
  const owner = await given.person({ firstname: 'Ada', lastname: 'Lovelace' })
  await given.project(owner, { label: 'Hall 7', products: ['works'] })
  await given.project(owner, { label: 'Hall 8', products: ['works'] })
  const root = await given.person({ isRoot: true, firstname: 'Grace', lastname: 'Hopper' })

  const open = async (
    as: { openSession: () => Promise<string> },
    more: Parameters<typeof openConsole>[1] = {},
  ) => {
    const opened = await openConsole(server, { as: { token: await as.openSession() }, ...more })
    const { page } = opened
    await expectPage(page.getByRole('banner')).toBeVisible()
    const palette = page.getByRole('dialog', { name: 'Search and commands' })
    const field = palette.getByRole('combobox')
    const options = palette.getByRole('option')
    const search = async (text: string) => {
      await expectPage(palette).toHaveCount(0)
      await page.keyboard.press('ControlOrMeta+k')
      await expectPage(field).toBeFocused()
      await field.fill(text)
    }
    return { ...opened, palette, field, options, search }
  }

  test('finds apps, pages, projects and actions; arrows and Enter choose, Esc restores the focus', async () => {
    const { page, palette, field, options, search } = await open(owner)
    const button = page.getByRole('button', { name: 'Search' })
    await button.press('Enter')
    await expectPage(field).toBeFocused()
    await page.keyboard.press('Escape')
    await expectPage(palette).toHaveCount(0)
    await expectPage(button).toBeFocused()

    await search('pa')
    await expectPage(palette.getByRole('group', { name: 'Settings' })).toContainText('Passkeys')
    await expectPage(palette.getByRole('status')).toHaveText(/\d+ results/)
    const selected = palette.locator('[aria-selected=true]')
    const first = await selected.textContent()
    await page.keyboard.press('ArrowDown')
    await expectPage(selected).not.toHaveText(first ?? '')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    await expectPage(options.last()).toHaveAttribute('aria-selected', 'true')
    const isLastActive = async () =>
      (await options.last().getAttribute('id')) === (await field.getAttribute('aria-activedescendant'))
    await expectPage.poll(isLastActive).toBe(true)
    await field.fill('passk')
    await expectPage(options.first().locator('mark')).toHaveText('Passk')
    await page.keyboard.press('Enter')
    await expectPage(page).toHaveURL('/me/passkey')
    await expectPage(palette).toHaveCount(0)

    const other = page.getByRole('button', { name: /^Active project/ })
    const label = (await other.textContent())?.includes('Hall 8') ? 'Hall 7' : 'Hall 8'
    await search(label)
    await expectPage(options.first()).toContainText(label)
    await page.keyboard.press('Enter')
    await expectPage(page.getByRole('heading', { level: 1, name: label })).toBeVisible()
    await search('appearance dark')
    await page.keyboard.press('Enter')
    await expectPage(page.locator('html')).toHaveAttribute('data-theme', 'dark')
    await search('keyboard shortcuts')
    await page.keyboard.press('Enter')
    await expectPage(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expectPage(page.getByRole('dialog')).toHaveCount(0)
    await search('qqqq')
    await expectPage(palette).toContainText('No results for “qqqq”')
    await expectPage(options).toHaveCount(3)
    // Enter runs none of the three suggestions without a selection.
    await page.keyboard.press('Enter')
    await expectPage(palette).toBeVisible()
    await page.keyboard.press('ArrowUp')
    await expectPage(options.last()).toHaveAttribute('aria-selected', 'true')
    await page.keyboard.press('Enter')
    await expectPage(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  })

  test('keeps the keys that are typed before its code has loaded', async () => {
    const opened = await openConsole(server, { as: { token: await owner.openSession() }, path: null })
    const { page } = opened
    const held = Promise.withResolvers<void>()
    await page.route(/\/Palette-[^/]*\.js$/, async (route) => {
      await held.promise
      await route.continue()
    })
    await page.goto('/')
    await expectPage(page.getByRole('banner')).toBeVisible()
    await page.keyboard.press('ControlOrMeta+k')
    // On the page, G and T would open the tasks, and Enter would follow the focused link.
    await page.getByRole('link', { name: 'Projects' }).first().focus()
    await page.keyboard.type('gtx')
    for (const key of ['Backspace', 'Backspace', 'Backspace']) await page.keyboard.press(key)
    await page.keyboard.type('passk')
    await page.keyboard.press('Enter')
    await expectPage(page).toHaveURL('/')
    held.resolve()
    await expectPage(page).toHaveURL('/me/passkey')
  })

  test('every destination of the navigation is found by its name, in every language', async () => {
    const { page } = await open(root)
    for (const locale of ['de', 'en', 'de-DE']) {
      await page.evaluate((chosen) => localStorage.setItem('pult.locale', chosen), locale)
      await page.reload()
      await expectPage(page.locator('html')).toHaveAttribute('lang', locale)
      const places = page.getByRole('navigation').first().locator('a, button')
      await expectPage(places.first()).toBeVisible()
      const names = await places.allTextContents()
      expect(names.length).toBeGreaterThan(6)
      for (const name of names) {
        await page.keyboard.press('ControlOrMeta+k')
        await page.getByRole('combobox').fill(name)
        await expectPage(page.getByRole('option').first()).toContainText(name)
        await page.keyboard.press('Escape')
        await expectPage(page.getByRole('combobox')).toHaveCount(0)
      }
    }
  })

  test('godotengine/godot#76454 a German console finds its pages, settings and actions by their English names, too', async () => {
    const { page } = await open(root)
    const options = page.getByRole('option')
    await page.evaluate(() => localStorage.setItem('pult.locale', 'de-DE'))
    await page.reload()
    await expectPage(page.locator('html')).toHaveAttribute('lang', 'de-DE')
    await expectPage(page.getByRole('banner')).toBeVisible()
    for (const [english, german] of [
      ['logout', 'Abmelden'],
      ['password', 'Passwort'],
      ['settings', 'Geräteeinstellungen'],
      ['language', 'Sprache'],
      ['projects', 'Projekte'],
      ['notifications', 'Benachrichtigungen'],
      ['dark', 'Erscheinungsbild: Dunkel'],
      ['create project', 'Projekt erstellen'],
      ['failed tasks', 'Fehlgeschlagene Aufgaben'],
      ['api documentation', 'Dokumentation der API'],
    ] as const) {
      await page.keyboard.press('ControlOrMeta+k')
      await page.getByRole('combobox').fill(english)
      await expectPage(options.filter({ hasText: german }).first(), english).toBeVisible()
      await page.keyboard.press('Escape')
      await expectPage(page.getByRole('combobox')).toHaveCount(0)
    }
  })

  test('DEC-23 the latest choice comes first the next time, the query is limited to the length that the search accepts, and Ctrl+Enter opens an app as a window', async () => {
    const { page, palette, field, search } = await open(owner)
    await search('organizations')
    await page.keyboard.press('Enter')
    await expectPage(page).toHaveURL('/orgs')
    await page.reload()
    await expectPage(page.getByRole('banner')).toBeVisible()
    await page.keyboard.press('ControlOrMeta+k')
    await expectPage(palette.getByRole('group', { name: 'Recent' }).getByRole('option')).toHaveText([
      'Organizations',
    ])
    await expectPage(palette.getByRole('option').first()).toHaveAttribute('aria-selected', 'true')
    await page.keyboard.press('Escape')

    await search('x'.repeat(200))
    await page.keyboard.press('y')
    await expectPage(field).toHaveValue('x'.repeat(200))
    await page.keyboard.press('Escape')

    await search('pumps')
    await page.keyboard.press('ControlOrMeta+Enter')
    await expectPage(page.getByRole('dialog', { name: 'Pumps' })).toBeFocused()
    await expectPage(page).toHaveURL('/orgs')
  })

  test('people and the documentation of the API are found for root only', async () => {
    for (const [person, count] of [
      [root, 1],
      [owner, 0],
    ] as const) {
      const { page, palette, options, search } = await open(person)
      await search('openapi')
      await expectPage(options.filter({ hasText: 'API documentation' })).toHaveCount(count)
      await page.keyboard.press('Escape')
      await search('lovelace')
      await expectPage(palette.getByRole('status')).toHaveText(count === 1 ? '1 result' : '0 results')
      await expectPage(palette.getByRole('group', { name: 'People' })).toHaveCount(count)
      if (count === 0) continue
      await page.keyboard.press('Enter')
      await expectPage(page.getByText('One account')).toBeVisible()
      await expectPage(page).toHaveURL(`/app/accounts/${owner.personId}`)
    }
  })

  test('extensions add actions for users with the role, and their errors are shown', async () => {
    const { page, palette, options, search } = await open(owner)
    await search('schedule')
    await expectPage(options).toHaveText(['Plan the pumpsWorksCtrl Shift Y'])
    await page.keyboard.press('Enter')
    await expectPage(page).toHaveURL(/\/app\/pumps\/plan\?project=/)
    await search('greet the works')
    await page.keyboard.press('Enter')
    await expectPage(page.getByText(/Hello Hall/)).toBeVisible()
    await search('break the works')
    await page.keyboard.press('Enter')
    await expectPage(page.getByText('It is broken')).toBeVisible()
    const failures = async () =>
      (
        await sql<{ part: string; message: string }>`select part, message from extension_failure`.execute(
          server.db,
        )
      ).rows
    await expect.poll(failures).toEqual([{ part: 'broken', message: 'It is broken' }])
    await page.goto('/')
    await expectPage(page.getByRole('list', { name: 'Apps' })).toBeVisible()
    await page.keyboard.press('ControlOrMeta+Shift+y')
    await expectPage(page).toHaveURL(/\/app\/pumps\/plan\?project=/)

    // Actions of mounted components are listed only while they are on screen.
    await search('prime')
    await expectPage(options).toHaveCount(0)
    await page.keyboard.press('Escape')
    await page.goto('/app/pumps')
    await expectPage(page.getByText('Primed 0')).toBeVisible()
    await search('flush')
    await page.keyboard.press('Enter')
    await expectPage(page.getByText('Primed 1')).toBeVisible()
    await page.keyboard.press('ControlOrMeta+Shift+p')
    await expectPage(page.getByText('Primed 2')).toBeVisible()
    await search('fail all pumps')
    await page.keyboard.press('Enter')
    await expectPage(page.getByText('No pump there')).toBeVisible()
    await search('all pumps')
    await expectPage(options.filter({ hasText: 'Drain' })).toHaveCount(1)
    await expectPage(palette).toContainText('Prime all pumps')
  })

  test('scalableminds/webknossos#4719 the error of an action stays until it is closed, and the time of another message runs only while the page is visible', async () => {
    const { page, search } = await open(owner)
    const notices = page.getByRole('region', { name: 'Notifications' })
    await page.clock.install()
    await search('break the works')
    await page.keyboard.press('Enter')
    await expectPage(notices).toContainText('It is broken')
    await page.clock.runFor(60_000)
    await expectPage(notices).toContainText('It is broken')
    await notices.getByRole('button', { name: 'Close' }).click()
    await expectPage(page.getByText('It is broken')).toHaveCount(0)
    // The time of a message stands still below the pointer.
    await page.mouse.move(20, 400)

    const setHidden = (isHidden: boolean) =>
      page.evaluate((hidden) => {
        Object.defineProperty(document, 'hidden', { value: hidden, configurable: true })
        document.dispatchEvent(new Event('visibilitychange'))
      }, isHidden)
    await setHidden(true)
    await search('greet the works')
    await page.keyboard.press('Enter')
    await expectPage(notices).toContainText('Hello Hall')
    await page.clock.runFor(60_000)
    await expectPage(notices).toContainText('Hello Hall')
    await setHidden(false)
    await page.clock.runFor(6000)
    await expectPage(page.getByText('Hello Hall')).toHaveCount(0)
  })

  test('ROLE-02 a user without the role does not see its action', async () => {
    const worker = await given.person()
    const { projectId } = await given.project(root, { label: 'Hall 9', products: ['works'] })
    const params = { projectId }
    const { body } = await root.call(rootGrantEndpoints.add, { params, body: { user: worker.personId } })
    await root.call(projectEndpoints.changeProductRole, {
      params: { projectId, grantId: body._id },
      body: { productRole: 'works/worker' },
    })
    const { page, options, search } = await open(worker, { path: '/app/pumps' })
    await expectPage(page.getByText('Primed 0')).toBeVisible()
    await search('greet the works')
    await expectPage(options).toHaveCount(1)
    await page.keyboard.press('Escape')
    await search('secret of the works')
    await expectPage(options).toHaveCount(0)
    await page.keyboard.press('Escape')
    await search('all pumps')
    await expectPage(options).toHaveText([/^Fail/, /^Prime/])
  })

  test('SHELL-07 ? lists the current shortcuts, but not while the user types', async () => {
    const opened = await open(owner, { path: '/app/pumps' })
    const { page } = opened
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await page.getByLabel('Write here').press('Shift+?')
    await expectPage(page.getByLabel('Write here')).toHaveValue('?')
    await expectPage(list).toHaveCount(0)
    await page.getByRole('main').focus()
    await page.keyboard.press('Shift+?')
    await expectPage(list).toContainText('Left half')
    for (const [label, keys] of [
      ['Lucky number', 'Ctrl Shift L'],
      ['Prime all pumps', 'Ctrl Shift P'],
      ['Plan the pumps', 'Ctrl Shift Y'],
    ])
      await expectPage(list.locator('dl > div').filter({ hasText: label ?? '' })).toContainText(keys ?? '')
    await opened.expectAccessible()
    // Esc closes this layer only, and shortcuts of the layers below it are inactive.
    await page.keyboard.press('ControlOrMeta+k')
    await expectPage(opened.palette).toHaveCount(0)
    await page.keyboard.press('Escape')
    await expectPage(list).toHaveCount(0)
    await expectPage(page.getByText('Primed 0')).toBeVisible()
  })

  test('the palette has no axe findings in each theme and width, and closes by its button and by a click beside it', async () => {
    const opened = await open(owner)
    await opened.search('p')
    await expectPage(opened.options.first()).toBeVisible()
    await opened.expectAccessibleInLooks()
    await opened.page.mouse.click(20, 400)
    await expectPage(opened.palette).toHaveCount(0)

    await opened.page.setViewportSize({ width: 390, height: 800 })
    await opened.search('p')
    const width = async () => (await opened.palette.boundingBox())?.width
    await expectPage.poll(width).toBeLessThanOrEqual(390)
    await opened.palette.getByRole('button', { name: 'Close' }).click()
    await expectPage(opened.palette).toHaveCount(0)
    expect(opened.complaints).toEqual([])
  })
})

describe('the palette finds what users call things', async () => {
  const server = await testServer({ withConsole: true })
  const { given } = server

  async function open(as: GivenPerson, locale?: string) {
    const opened = await openConsole(server, { as: { token: await as.openSession() }, path: null })
    const { page } = opened
    if (locale !== undefined)
      await page.addInitScript((chosen) => localStorage.setItem('pult.locale', chosen), locale)
    await page.goto('/')
    await expectPage(page.getByRole('banner')).toBeVisible()
    await page.keyboard.press('ControlOrMeta+k')
    const field = page.getByRole('combobox')
    await expectPage(field).toBeFocused()
    return { page, field, options: page.getByRole('option') }
  }

  test('parts of apps and pages are found by the words of users, if the user may open them', async () => {
    const root = await given.person({ isRoot: true })
    await given.project(root, { products: ['project', 'edges'] })
    const { page, field, options } = await open(root)
    for (const [typed, label] of [
      ['offline', /^Offline edges/],
      ['disk full', /^Edges in trouble/],
      ['job', /^Jobs/],
      ['schedule', /^Schedules/],
      ['cron', /^Schedules/],
      ['failed', /^Failed tasks/],
      ['backup', /^Backups/],
      ['restore', /^Backups/],
      ['temperature', /^Edges/],
    ] as const) {
      await field.fill(typed)
      await expectPage(options.filter({ hasText: label }).first(), typed).toBeVisible()
    }
    await field.fill('failed tasks')
    await page.keyboard.press('Enter')
    await expectPage(page).toHaveURL(/\/tasks\?state=failed/)

    const reader = await given.person()
    await given.project(root, { grants: [{ person: reader, productRole: 'project/viewer' }] })
    const hers = await open(reader)
    await hers.field.fill('failed')
    await expectPage(hers.options.filter({ hasText: /^Failed tasks/ })).toBeVisible()
    for (const typed of ['offline', 'schedule', 'backup']) {
      await hers.field.fill(typed)
      await expectPage(hers.page.getByText(`No results for “${typed}”`)).toBeVisible()
    }
  })

  test.each([
    ['de', 'new note', /^Write a note/],
    ['de-DE', 'neue notiz', /^Notiz schreiben/],
  ])('%s: the action that creates a note precedes a note of that name: %s', async (locale, name, action) => {
    const ada = await given.person()
    const { projectId } = await given.project(ada)
    const body = { label: name, text: '' }
    expect(await ada.call(noteEndpoints.create, { params: { projectId }, body })).toSucceed()
    const { field, options } = await open(ada, locale)
    await field.fill(name)
    await expectPage(options.filter({ hasText: name })).toHaveCount(1)
    await expectPage(options.first()).toHaveText(action)
  })

  test('an edge in trouble shows the cause that its list shows', async () => {
    const ada = await given.person()
    const { projectId } = await given.project(ada, { products: ['edges'] })
    const report = someReport({ disk: { total: 100e9, free: 7e9 } })
    await given.edge(projectId, { label: 'Trafostation Ost', state: 'trouble', report })
    await given.edge(projectId, { label: 'Trafostation West', report: someReport() })
    const { field, options } = await open(ada)
    await field.fill('trafo')
    await expectPage(options.filter({ hasText: 'Trafostation Ost' })).toContainText(/Disk 93\W%/)
    await expectPage(options.filter({ hasText: 'Trafostation West' })).toContainText('Online')
  })
})
