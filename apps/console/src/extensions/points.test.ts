import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { noteEndpoints, rootExtensionEndpoints } from '@pult/contract'
import { expectPage, extensionFolder, openConsole, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'

const uuid = '0193a3f0-5a2e-7c41-9d5b-2f1b7a6c0d11'
const card = (id: string, priority: number, more: object = {}) => ({
  id,
  label: `Card ${id}`,
  priority,
  ...more,
})
const app = (id: string, more: object = {}) => ({
  id,
  uuid,
  label: `App ${id}`,
  icon: 'box',
  productSku: 'works',
  ...more,
})

const entry = `
  import { createElement as h, useEffect, useState } from 'react'
  import { AppLink } from '@pult/sdk'
  import { endpoint, z } from '@pult/sdk/api'
  const heat = endpoint('GET', '/heat/:id', { summary: 'Reads the heat.', reply: z.object({ degrees: z.number() }) })
  const module = (what) => async () => ({ default: what })
  const loader = module({ routes: [{ name: 'app-good', path: '', Component: () => h('p', null, 'Good page') },
    { name: 'app-good-pump', path: 'pumps/:id', Component: () => h('p', null, 'One pump') }] })
  const bad = module({ routes: [{ name: 'app-bad', path: '', Component: () => null }] })
  const slow = module({ routes: [{ name: 'app-slow', path: '', Component: () => null }] })
  function Flood() {
    const [count, setCount] = useState(0)
    useEffect(() => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => setCount(count + 1)
      port2.postMessage(null)
      return () => port1.close()
    })
    return h('output', null, count)
  }
  const pumps = [{ id: 'north', label: 'North pump', path: 'pumps/north' }]
  export default { register: ({ registerApp }) => {
    registerApp({ id: 'good', loader,
      cards: {
        here: module({ read: async ({ subject }) => subject, Component: ({ data }) => h('p', null, 'Card of ' + data) }),
        works: module({ read: async ({ project }) => project.label, Component: ({ data }) => h(AppLink, { to: '' }, 'Works of ' + data) }),
        heat: module({ read: ({ subject, backend }) => backend(heat, { params: { id: subject } }),
          Component: ({ data }) => h('p', null, 'Heat now: ' + data.degrees) }),
        none: module({ read: async () => [], empty: (all) => all.length ? null : 'No pumps yet', Component: () => null }),
      },
      pageTabs: {
        heat: module({ Component: ({ id }) => h('p', null, 'Heat of ' + id) }),
        all: module({ Component: ({ id }) => h('p', null, 'All heat of ' + id) }),
        breaks: module({ Component: () => { throw new Error('No tab today') } }),
        never: () => new Promise(() => {}),
      },
      navigation: module({ read: async () => ({ count: 24, status: 'danger', label: '24 pumps, 1 stopped' }) }),
      search: { pumps: module(async (text) => pumps.filter(({ label }) => label.toLowerCase().includes(text.toLowerCase()))) },
      actions: {
        plan: module(({ openApp }) => openApp('good')),
        prime: module(({ thing, notify }) => notify({ title: 'Primed ' + thing.label })),
        measure: module(async ({ thing, backend, notify }) => {
          const { degrees } = await backend(heat, { params: { id: thing.id } })
          notify({ title: thing.label + ' has ' + degrees })
        }),
        secret: module(() => {}),
      } })
    registerApp({ id: 'bad', loader: bad,
      cards: { throws: module({ read: async () => 1, Component: () => { throw new Error('No luck today') } }),
        floods: module({ read: async () => 1, Component: Flood }) },
      search: { broken: module(async () => { throw new Error('No search today') }) } })
    registerApp({ id: 'slow', loader: slow,
      cards: { hangs: module({ read: () => new Promise(() => {}), Component: () => null }),
        trips: module({ read: async () => null, empty: () => { throw new Error('No words today') },
          topic: () => { throw new Error('No topic today') }, Component: () => null }) },
      navigation: module({ read: async () => ({ label: 'Slow', count: {} }) }),
      search: { silent: module(() => new Promise(() => {})) } })
  } }`

const extensionsFolder = await extensionFolder({
  works: {
    manifest: {
      id: 'works',
      label: 'Works',
      settings: [
        { id: 'limit', type: 'number', label: 'Limit', default: 40, max: 99 },
        { id: 'key', scope: 'installation', type: 'secret', label: 'Key' },
        { id: 'sound', scope: 'person', type: 'switch', label: 'Sound' },
      ],
      products: [
        { sku: 'works', label: 'Works', roles: [{ id: 'worker', label: 'Worker', roles: ['works'] }] },
      ],
      apps: [
        app('good', {
          tint: 'olive',
          cards: [
            card('works', 1),
            card('none', 2),
            card('third', 3),
            card('here', 4, { place: 'edge' }),
            card('heat', 5, { place: 'edge' }),
          ],
          pageTabs: [
            { id: 'heat', page: 'edge', label: 'Heat' },
            { id: 'breaks', page: 'edge', label: 'Breaks' },
            { id: 'never', page: 'edge', label: 'Never' },
            { id: 'secret', page: 'edge', label: 'Secret', role: 'works:secret' },
            { id: 'all', page: 'project', label: 'All heat' },
          ],
          navigation: {},
          search: [{ id: 'pumps', label: 'Pump' }],
          actions: [
            { id: 'plan', label: 'Plan the works' },
            { id: 'prime', label: 'Prime', on: 'pumps' },
            { id: 'measure', label: 'Measure the heat', on: 'edge' },
            { id: 'secret', label: 'Secret of the works', role: 'works:secret' },
          ],
        }),
        app('bad', {
          cards: [card('throws', 3), card('floods', 4)],
          search: [{ id: 'broken', label: 'Broken' }],
        }),
        app('slow', {
          cards: [card('hangs', 5), card('trips', 6)],
          navigation: {},
          search: [{ id: 'silent', label: 'Silent' }],
        }),
      ],
    },
    files: { 'entry.js': entry },
  },
})

// The extensions whose pages show tabs of other apps.
for (const id of ['edges', 'extensions', 'project-details'])
  await cp(join('dist/extensions', id), join(extensionsFolder, id), { recursive: true })

describe('extension points', async () => {
  const server = await testServer({ withConsole: true, extensionsFolder })
  const { given } = server
  const owner = await given.person()
  const member = await given.person()
  const { projectId } = await given.project(owner, {
    label: 'Hall 7',
    products: ['works', 'edges', 'project'],
    grants: [{ person: member, productRole: 'edges/viewer' }],
  })
  async function edgeOf(label: string): Promise<string> {
    const { rows } = await sql<{ id: string }>`
      insert into edge (id, project_id, label) values (gen_random_uuid(), ${projectId}, ${label})
      returning id`.execute(server.db)
    return rows[0]?.id ?? ''
  }
  const open = async () => openConsole(server, { as: { token: await owner.openSession() } })

  test('a card that throws, hangs or changes endlessly shows its error; other cards show their content, and the navigation shows an app’s count and state', async () => {
    const { page } = await open()
    const cards = page.getByRole('region', { name: 'Cards of apps' })
    const one = (id: string) => cards.getByRole('region', { name: `Card ${id}`, exact: true })
    await expectPage(one('works').getByRole('link', { name: 'Works of Hall 7' })).toBeVisible()
    await expectPage(one('none').getByText('No pumps yet')).toBeVisible()
    await expectPage(one('throws').getByText('No luck today')).toBeVisible()
    await expectPage(one('floods').getByText('It changes more than 100 times a second')).toBeVisible()
    await expectPage(one('trips').getByText('No words today')).toBeVisible()
    await expectPage(one('hangs').getByText('No answer within 3 s')).toBeVisible()
    await expectPage(one('works').getByRole('link', { name: 'Works of Hall 7' })).toBeVisible()
    // The page shows at most two cards of an app.
    await expectPage(one('third')).toHaveCount(0)
    await expectPage(page.getByRole('navigation').getByText('24 pumps, 1 stopped').first()).toBeAttached()
  })

  test('failures of cards and navigation entries are counted for root once for each page, and a missing answer is none', async () => {
    const counts = async () => {
      const { rows } = await sql<{ part: string; count: number }>`
        select part, count from extension_failure where part in ('throws', 'floods', 'slow', 'hangs', 'works')
        order by part`.execute(server.db)
      return rows.map(({ part, count }) => `${part} ${count}`)
    }
    await sql`delete from extension_failure`.execute(server.db)
    for (const times of [1, 2]) {
      const { page } = await open()
      await expectPage(page.getByText('No answer within 3 s')).toBeVisible()
      await expectPage(page.getByText('It changes more than 100 times a second')).toBeVisible()
      // "slow" has no card that fails while it is drawn: its texts and its navigation entry fail.
      await expect.poll(counts).toEqual([`floods ${times}`, `slow ${times}`, `throws ${times}`])
    }
  })

  test('a user orders cards by dragging a handle or with the arrow keys, which keep the focus, and hides them; the account stores both for all browsers', async () => {
    const { page } = await open()
    const titles = page.getByRole('region', { name: 'Cards of apps' }).getByRole('heading')
    await expectPage(titles).toHaveText([
      'Card works',
      'Card none',
      'Card throws',
      'Card floods',
      'Card hangs',
      'Card trips',
    ])
    const arrange = async (id: string, item: string) => {
      await page.getByRole('button', { name: `Arrange Card ${id}` }).click()
      await page.getByRole('menuitem', { name: item }).click()
    }
    await arrange('works', 'Hide')
    await arrange('throws', 'Move forward')
    // The account stores the arrangement, so another browser shows the same.
    const titlesOf = (other: typeof page) =>
      other.getByRole('region', { name: 'Cards of apps' }).getByRole('heading')
    const other = await open()
    const arranged = ['Card throws', 'Card none', 'Card floods', 'Card hangs', 'Card trips']
    await expectPage(titlesOf(other.page)).toHaveText(arranged)
    await expectPage(titles).toHaveText(arranged)
    await page.getByRole('button', { name: 'Show 1 hidden card' }).click()
    await expectPage(titles).toHaveCount(6)

    const cards = page.getByRole('region', { name: 'Cards of apps' })
    const handle = (id: string) => page.getByRole('button', { name: `Move Card ${id}` })
    const [first, second] = await titles.allTextContents()
    const idOf = (title = '') => title.slice('Card '.length)
    const stored = () => page.waitForResponse((answer) => answer.request().method() === 'PUT')
    const movedByKey = stored()
    await handle(idOf(second)).press('ArrowLeft')
    await expectPage(titles.first()).toHaveText(second ?? '')
    await expectPage(handle(idOf(second))).toBeFocused()
    await expectPage(cards.getByRole('status').filter({ hasText: 'is now card' })).toHaveText(
      `${second} is now card 1 of 6`,
    )
    await movedByKey

    const target = cards.getByRole('region', { name: first ?? '', exact: true })
    await handle(idOf(second)).hover()
    await page.mouse.down()
    const box = await target.boundingBox()
    await page.mouse.move((box?.x ?? 0) + 20, (box?.y ?? 0) + 20, { steps: 4 })
    const movedByDrag = stored()
    await page.mouse.up()
    await expectPage(titles.nth(1)).toHaveText(second ?? '')
    await movedByDrag
    await page.reload()
    await expectPage(titles.nth(1)).toHaveText(second ?? '')
  })

  test('a tab and a card of an app on an edge’s page receive the edge’s id, and a failing tab affects only itself', async () => {
    const edgeId = await edgeOf('Kabelwagen')
    const path = `/app/edges/edit/${edgeId}`
    const { page } = await openConsole(server, { as: { token: await member.openSession() }, path })
    const tab = (name: string) => page.getByRole('tab', { name, exact: true })
    await expectPage(page.getByText(`Card of ${edgeId}`)).toBeVisible()
    await expectPage(page.getByRole('tab')).toHaveText(['Overview', 'Heat', 'Breaks', 'Never'])
    await tab('Heat').click()
    await expectPage(page.getByText(`Heat of ${edgeId}`)).toBeVisible()
    await expectPage(page).toHaveURL(/tab=good%2Fheat/)
    await tab('Never').click()
    await expectPage(page.getByText('Never is loading').first()).toBeAttached()
    await tab('Breaks').click()
    await expectPage(page.getByText('No tab today')).toBeVisible()
    await page.reload()
    await expectPage(page.getByText('No tab today')).toBeVisible()
    await tab('Overview').click()
    await expectPage(page.getByText(`Card of ${edgeId}`)).toBeVisible()
  })

  test('an action of an app on an edge is offered on the edge’s page and below the edge in the palette, and calls the app’s service as its card does', async () => {
    const edgeId = await edgeOf('Drehkran')
    const opened = await openConsole(server, { as: { token: await owner.openSession() }, path: null })
    const { page } = opened
    const projects: (string | undefined)[] = []
    await page.route(/\/api\/apps\/good\/heat\//, (route) => {
      projects.push(route.request().headers()['pult-project'])
      return route.fulfill({ json: { degrees: 40 } })
    })
    await page.goto(`/app/edges/edit/${edgeId}`)
    await expectPage(page.getByText('Heat now: 40')).toBeVisible()
    await page.getByRole('button', { name: 'Actions of apps for Drehkran' }).click()
    await expectPage(page.getByRole('menuitem')).toHaveText(['Measure the heat'])
    await opened.expectAccessible()
    await page.getByRole('menuitem').click()
    await expectPage(page.getByText('Drehkran has 40')).toBeVisible()
    expect(new Set(projects)).toEqual(new Set([projectId]))
    expect(projects.length).toBeGreaterThan(1)

    await page.keyboard.press('ControlOrMeta+k')
    const palette = page.getByRole('dialog', { name: 'Search and commands' })
    await palette.getByRole('combobox').fill('drehkran')
    await page.getByRole('option').filter({ hasText: 'Drehkran' }).first().hover()
    await expectPage(page.getByRole('group', { name: 'Actions of Drehkran' }).getByRole('option')).toHaveText(
      ['Restart agent', 'Diagnose', 'Measure the heat'],
    )
  })

  test('a tab of an app on the project’s page has its own URL', async () => {
    const { page } = await openConsole(server, {
      as: { token: await owner.openSession() },
      path: '/app/project-details/tab/good/all',
    })
    await expectPage(page.getByRole('link', { name: 'All heat' })).toHaveAttribute('aria-current', 'page')
    await expectPage(page.getByText(`All heat of ${projectId}`)).toBeVisible()
  })

  test('the console generates the settings forms of the installation, the project and the user', async () => {
    const root = await given.person({ isRoot: true })
    const form = { name: /Works|^Settings$/ }
    const installation = await openConsole(server, { as: root, path: '/app/extensions/works' })
    const section = installation.page.getByRole('region', form)
    await section.getByLabel('Key', { exact: true }).fill('moth')
    await section.getByRole('button', { name: 'Save' }).click()
    await expectPage(installation.page.getByText('A value is stored')).toBeVisible()
    await installation.expectAccessible()

    const token = await owner.openSession()
    const { page } = await openConsole(server, { as: { token }, path: '/app/project-details/settings' })
    const project = page.getByRole('region', form)
    await project.getByLabel('Limit').fill('100')
    await project.getByRole('button', { name: 'Save' }).click()
    await expectPage(project.getByText('Enter a number of at most 99')).toBeVisible()
    await project.getByLabel('Limit').fill('50')
    await project.getByRole('button', { name: 'Save' }).click()
    await expectPage(page.getByText('Settings of Works saved')).toBeVisible()

    await page.goto('/settings')
    await page.getByRole('link', { name: 'Apps', exact: true }).click()
    await page.getByRole('region', form).getByLabel('Sound').check()
    await page.getByRole('button', { name: 'Save' }).click()
    await expectPage(page.getByText('Settings of Works saved')).toBeVisible()
    await page.reload()
    await expectPage(page.getByLabel('Sound')).toBeChecked()

    // The forms of an extension leave an open page with it, and return with it.
    const params = { name: 'works' }
    expect(await root.call(rootExtensionEndpoints.disable, { params })).toSucceed()
    await expectPage(page.getByLabel('Sound')).toHaveCount(0)
    expect(await root.call(rootExtensionEndpoints.enable, { params, body: {} })).toSucceed()
    await expectPage(page.getByLabel('Sound')).toBeChecked()
  })

  test('the palette lists results and actions of apps and records, and names a provider that fails or never answers', async () => {
    const { page } = await open()
    await expectPage(page.getByRole('banner')).toBeVisible()
    const openPalette = async () => {
      await page.keyboard.press('ControlOrMeta+k')
      await expectPage(page.getByRole('combobox')).toBeFocused()
    }
    await openPalette()
    const palette = page.getByRole('dialog', { name: 'Search and commands' })
    const options = palette.getByRole('option')
    await page.keyboard.type('north')
    await expectPage(options.filter({ hasText: 'North pump' })).toBeVisible()
    await expectPage(options.filter({ hasText: 'Secret' })).toHaveCount(0)
    await expectPage(
      palette.getByText('Results are missing from App bad (Broken) and App slow (Silent)'),
    ).toBeVisible()
    await page.keyboard.press('Tab')
    await expectPage(palette.getByRole('button', { name: 'Things' })).toHaveAttribute('aria-pressed', 'true')
    await options.filter({ hasText: 'North pump' }).hover()
    await page.keyboard.press('ArrowRight')
    await expectPage(options.filter({ hasText: /^Prime$/ })).toHaveAttribute('aria-selected', 'true')
    await page.keyboard.press('Enter')
    await expectPage(page.getByText('Primed North pump')).toBeVisible()
    await openPalette()
    await page.keyboard.type('plan the')
    await page.keyboard.press('Enter')
    await expectPage(page.getByText('Good page')).toBeVisible()
  })
})

describe('the palette', async () => {
  const server = await testServer({ withConsole: true })

  test('the palette finds records, shows their actions, and finds an action by its name and target', async () => {
    const owner = await server.given.person()
    const products = ['project', 'edges']
    const { projectId } = await server.given.project(owner, { products })
    const elsewhere = await server.given.project(owner, { products, label: 'Kai 8' })
    for (const [project, label] of [
      [projectId, 'Kabelwagen'],
      [elsewhere.projectId, 'Kabeltrommel'],
    ])
      await sql`insert into edge (id, project_id, label) values (gen_random_uuid(), ${project}, ${label})`.execute(
        server.db,
      )
    await owner.call(noteEndpoints.create, {
      params: { projectId },
      body: { label: 'Umschaltung', text: 'Zuerst den Kabelwagen.' },
    })
    const { page } = await openConsole(server, { as: { token: await owner.openSession() } })
    await expectPage(page.getByRole('banner')).toBeVisible()
    await page.keyboard.press('ControlOrMeta+k')
    const field = page.getByRole('combobox')
    await expectPage(field).toBeFocused()
    const options = page.getByRole('option')
    await field.fill('kabel')
    await expectPage(options.filter({ hasText: 'Kabelwagen' }).first()).toContainText('Revoked')
    await expectPage(options.filter({ hasText: 'Kabeltrommel' })).toContainText('Kai 8')
    await expectPage(options.filter({ hasText: 'Umschaltung' })).toContainText('Zuerst den Kabelwagen.')
    await options.filter({ hasText: 'Kabelwagen' }).first().hover()
    await expectPage(
      page.getByRole('group', { name: 'Actions of Kabelwagen' }).getByRole('option'),
    ).toHaveText(['Restart agent', 'Diagnose'])
    await field.fill('restart kabel')
    await expectPage(options.filter({ hasText: 'Restart agent: Kabelwagen' })).toBeVisible()
    await field.fill('kabel restart')
    await expectPage(options.filter({ hasText: 'Restart agent: Kabelwagen' })).toBeVisible()
    // Without a name, an action is offered for the newest records.
    await field.fill('diagnose')
    await expectPage(options.filter({ hasText: 'Diagnose: Kabelwagen' })).toBeVisible()
    await field.fill('umschaltung')
    await expectPage(options.filter({ hasText: 'Umschaltung' })).toHaveAttribute('aria-selected', 'true')
    await page.keyboard.press('Enter')
    await expectPage(page).toHaveURL(/\/app\/project-details\/notes\/edit\//)
  })

  test('godotengine/godot#76454 a German console finds apps and actions of apps by their English names, too', async () => {
    const owner = await server.given.person()
    const { projectId } = await server.given.project(owner, {
      products: ['project', 'edges', 'media-library'],
    })
    await sql`insert into edge (id, project_id, label) values (gen_random_uuid(), ${projectId}, 'Kran')`.execute(
      server.db,
    )
    const { page } = await openConsole(server, { as: owner, path: null })
    await page.addInitScript(() => localStorage.setItem('pult.locale', 'de-DE'))
    await page.goto('/')
    await expectPage(page.getByRole('banner')).toBeVisible()
    await page.keyboard.press('ControlOrMeta+k')
    const options = page.getByRole('option')
    for (const [english, german] of [
      ['media library', 'Mediathek'],
      ['upload media', 'Medien hochladen'],
      ['restart kran', 'Agent neu starten: Kran'],
    ] as const) {
      await page.getByRole('combobox').fill(english)
      await expectPage(options.filter({ hasText: german }).first(), english).toBeVisible()
    }
  })

  test('a selected entry of the palette stays selected while other results arrive', async () => {
    const owner = await server.given.person()
    const { projectId } = await server.given.project(owner, { products: ['project'], label: 'Kai 5' })
    await server.given.project(owner, { label: 'Kai 6' })
    await owner.call(noteEndpoints.create, { params: { projectId }, body: { label: 'Kai', text: '' } })
    const { page } = await openConsole(server, { as: owner })
    await expectPage(page.getByRole('banner')).toBeVisible()
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route(/\/api\/find\?/, async (route) => {
      await held
      await route.continue()
    })
    await page.keyboard.press('ControlOrMeta+k')
    await page.getByRole('combobox').fill('kai')
    const options = page.getByRole('option')
    await expectPage(options).toHaveCount(2)
    await page.keyboard.press('ArrowDown')
    const chosen = page.getByRole('option', { selected: true })
    const label = (await options.nth(1).textContent()) ?? ''
    await expectPage(chosen).toHaveText(label)
    release()
    await expectPage(options.first()).toHaveText(/^Kai(?! \d)/)
    await expectPage(chosen).toHaveText(label)
  })

  test('Enter before the palette’s results have loaded opens the first one, unless further typing cancels it', async () => {
    const owner = await server.given.person()
    const { projectId } = await server.given.project(owner, { products: ['project'] })
    await owner.call(noteEndpoints.create, {
      params: { projectId },
      body: { label: 'Umschaltung', text: '' },
    })
    const { page } = await openConsole(server, { as: owner })
    await expectPage(page.getByRole('banner')).toBeVisible()
    let held = Promise.withResolvers<void>()
    await page.route(/\/api\/find\?.*q=/, async (route) => {
      await held.promise
      await route.continue()
    })
    await page.route(/\/api\/find\?(?!.*q=)/, (route) =>
      route.fulfill({ json: { items: [], isPartial: false } }),
    )
    const search = async (text: string) => {
      await page.keyboard.press('ControlOrMeta+k')
      await page.getByRole('combobox').fill(text)
      await expectPage(page.getByRole('option')).toHaveCount(0)
      await page.keyboard.press('Enter')
    }
    await search('umschalt')
    await page.keyboard.type('u')
    await page.keyboard.press('Backspace')
    held.resolve()
    await expectPage(page.getByRole('option')).toHaveText(/^Umschaltung/)
    // Enter would already have closed the palette.
    await page.keyboard.press('Escape')
    await expectPage(page).toHaveURL(/^[^/]+\/\/[^/]+\/(\?|$)/)

    held = Promise.withResolvers<void>()
    // A different text, because the palette caches its last results.
    await search('umschaltu')
    held.resolve()
    await expectPage(page).toHaveURL(/\/app\/project-details\/notes\/edit\//)
  })
})
