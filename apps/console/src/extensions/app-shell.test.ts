import { projectEndpoints, rootGrantEndpoints } from '@pult/contract'
import { expectPage, extensionFolder, type GivenPerson, openConsole, testServer } from '@pult/testkit'
import { describe, expect, test } from 'vitest'

const uuid = '0193a3f0-5a2e-7c41-9d5b-2f1b7a6c0d11'
const app = (id: string, label: string, more: object = {}) => ({
  id,
  uuid,
  label,
  icon: 'box',
  productSku: 'works',
  ...more,
})

const entry = `
  import { createElement as h } from 'react'
  import { AppLink, useAppNavigate, useAppParams, usePageTitle, useRole } from '@pult/sdk'
  import { Button } from '@pult/sdk/ui'
  const text = (words) => () => h('p', null, words)
  function Machines() {
    const navigate = useAppNavigate()
    return h('ul', null,
      h('li', null, 'There is ', h(AppLink, { to: 'machines/7' }, 'Machine 7'), ' and another one.'),
      h('li', null, h(Button, { onClick: () => navigate('machines/8') }, 'Machine 8')))
  }
  function Machine() {
    const { machineId } = useAppParams()
    usePageTitle('Machine ' + machineId)
    return h('p', null, 'Machine ' + machineId, useRole('plant:repair') ? ' can be repaired' : ' as it is')
  }
  const plant = { routes: [
    { name: 'app-plant-machines', path: 'machines', Component: Machines },
    { name: 'app-plant-machine', path: 'machines/:machineId', Component: Machine },
    { name: 'app-plant-plans', path: 'plans', Component: text('The plans') },
    { name: 'app-plant-secrets', path: 'secrets', Component: text('The secrets') },
  ] }
  const simple = (id) => ({ routes: [{ name: 'app-' + id, path: '', Component: text('Content of ' + id) }] })
  const register = (registerApp, id, app) => registerApp({ id, loader: async () => ({ default: app }) })
  export default { register: ({ registerApp }) => {
    register(registerApp, 'plant', plant)
    for (const id of ['open', 'first', 'last', 'admin']) register(registerApp, id, simple(id))
  } }`

const extensionsFolder = await extensionFolder({
  works: {
    manifest: {
      id: 'works',
      products: [
        {
          sku: 'works',
          label: 'Works',
          roles: [
            { id: 'worker', label: 'Worker', roles: ['plant', 'plant:plans'] },
            {
              id: 'master',
              label: 'Master',
              roles: ['plant', 'plant:plans', 'plant:secrets', 'plant:repair'],
            },
            { id: 'guest', label: 'Guest', roles: [] },
          ],
        },
      ],
      apps: [
        app('last', 'Abacus', { priority: 1001 }),
        app('open', 'Open'),
        app('plant', 'Plant', {
          role: 'plant',
          tabs: [
            { id: 'secrets', label: 'Secrets', role: 'secrets' },
            { id: 'machines', label: 'Machines' },
            { id: 'plans', label: 'Plans', role: 'plans' },
          ],
        }),
        app('first', 'Zebra', { priority: 1 }),
        app('admin', 'Admin', { productSku: 'root' }),
      ],
    },
    files: { 'entry.js': entry },
  },
})

describe('apps', async () => {
  const server = await testServer({ withConsole: true, extensionsFolder })
  const { given } = server
  const root = await given.person({ isRoot: true })
  const owner = await given.person()
  const { projectId } = await given.project(owner, { label: 'Hall 7', products: ['works'] })

  /** Opens a separate session, because a starting page replaces the token that it received. */
  const session = async (person: GivenPerson) => ({ token: await person.openSession() })

  /** Creates a user with a role of the product in the project. */
  async function colleague(role: string): Promise<GivenPerson & { grantId: string }> {
    const person = await given.person()
    const params = { projectId }
    const { body } = await root.call(rootGrantEndpoints.add, { params, body: { user: person.personId } })
    const grantId = body._id
    await owner.call(projectEndpoints.changeProductRole, {
      params: { projectId, grantId },
      body: { productRole: `works/${role}` },
    })
    return { ...person, grantId }
  }

  test('ROUTE-01 APP-03 HOME-06 SHELL-07 the grid shows the project’s apps by priority, without root apps, and the arrow keys move through it', async () => {
    const opened = await openConsole(server, { as: await session(owner) })
    const grid = opened.page.getByRole('list', { name: 'Apps' })
    await expectPage(grid.getByRole('link')).toHaveText(['Zebra', 'Open', 'Plant', 'Abacus'])
    await expectPage(opened.page.getByRole('heading', { level: 1, name: 'Hall 7' })).toBeVisible()
    expect(opened.complaints).toEqual([])
    await opened.expectAccessible()

    const { page } = opened
    await page.setViewportSize({ width: 700, height: 800 })
    const tile = (name: string) => page.getByRole('list', { name: 'Apps' }).getByRole('link', { name })
    await tile('Zebra').focus()
    await page.keyboard.press('ArrowRight')
    await expectPage(tile('Open')).toBeFocused()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await expectPage(tile('Abacus')).toBeFocused()
    await page.keyboard.press('Enter')
    await expectPage(page).toHaveURL(/\/app\/last\?project=/)
  })

  test('APP-10 ROUTE-10 root apps are on /root for root only', async () => {
    const opened = await openConsole(server, { as: await session(root), path: '/root' })
    const grid = opened.page.getByRole('list', { name: 'Root' })
    await expectPage(grid.getByRole('link')).toHaveText(['Admin'])
    await opened.expectAccessible()
    await grid.getByRole('link', { name: 'Admin' }).click()
    await expectPage(opened.page.getByText('Content of admin')).toBeVisible()
    // Root has each role, so only a missing app can refuse it.
    await opened.page.goto('/app/nowhere')
    const refusal = opened.page.getByRole('main').getByRole('alert')
    await expectPage(refusal).toContainText('Nowhere is not available')
    await expectPage(refusal).toContainText('not installed, or it is switched off')

    const { page } = await openConsole(server, { as: await session(owner), path: null })
    for (const [path, notice] of [
      ['/root', 'Only root can open it.'],
      ['/app/admin', 'You do not have access to Admin.'],
    ] as const) {
      await page.goto(path)
      await expectPage(page.getByRole('heading', { level: 1, name: 'Hall 7' })).toBeVisible()
      await expectPage(page).toHaveURL('/')
      await expectPage(page.getByText(notice)).toBeVisible()
    }
  })

  test('RULE-08 ROUTE-10 /root names a proxy that is not trusted, and the setting that lists it', async () => {
    const behindProxy = await testServer({ withConsole: true, extensionsFolder })
    const as = await behindProxy.given.person({ isRoot: true })
    const { page, context } = await openConsole(behindProxy, { as, path: '/root' })
    const toDo = page.getByRole('region', { name: 'To do' }).getByRole('listitem')
    await expectPage(toDo.filter({ hasText: 'Mail is not set up' })).toBeVisible()
    await expectPage(toDo.filter({ hasText: 'proxy' })).toHaveCount(0)

    await fetch(`${behindProxy.url}/api/build`, { headers: { 'x-forwarded-for': '203.0.113.9' } })
    await page.reload()
    const proxy = toDo.filter({
      hasText: /Requests come through the proxy \S+, which is not in TRUSTED_PROXIES\./,
    })
    await expectPage(proxy).toContainText('sign-in limits count all users as one')
    // Any program on the network can send such a request. The page came through no proxy, so it offers no setting.
    await expectPage(proxy).toContainText('Open this page through the proxy')
    await expectPage(proxy.getByRole('button', { name: 'Copy setting' })).toHaveCount(0)

    await context.setExtraHTTPHeaders({ 'x-forwarded-for': '203.0.113.10' })
    await page.reload()
    await expectPage(proxy.getByRole('button', { name: 'Copy setting' })).toBeVisible()
    await expectPage(proxy).toContainText(/Set TRUSTED_PROXIES=\S+, then restart/)
  })

  test('ROUTE-11 APP-06 opening an app pushes its base address; tabs and pages have their own, and an unknown one shows not found', async () => {
    const { page } = await openConsole(server, { as: await colleague('worker') })
    await page.getByRole('main').getByRole('link', { name: 'Plant' }).click()
    await expectPage(page).toHaveURL(/\/app\/plant\/machines\?project=/)
    await expectPage(page.getByRole('heading', { level: 1, name: 'Plant' })).toBeVisible()
    await expectPage(page).toHaveTitle('Plant · Pult')
    const tabs = page.getByRole('navigation', { name: 'Parts of Plant' })
    await expectPage(tabs.getByRole('link', { name: 'Machines' })).toHaveAttribute('aria-current', 'page')

    await page.getByRole('link', { name: 'Machine 7' }).click()
    await expectPage(page).toHaveURL(/\/app\/plant\/machines\/7\?project=/)
    await expectPage(page).toHaveTitle('Machine 7 · Plant · Pult')
    await page.goBack()
    await page.getByRole('button', { name: 'Machine 8' }).click()
    await expectPage(page.getByText('Machine 8 as it is')).toBeVisible()
    await tabs.getByRole('link', { name: 'Plans' }).click()
    await expectPage(page.getByText('The plans')).toBeVisible()
    await page.goBack()
    await page.goBack()
    await page.goBack()
    await expectPage(page).toHaveURL('/')

    await page.goto('/app/plant/machines/9')
    await expectPage(page.getByText('Machine 9 as it is')).toBeVisible()
    await page.goto('/app/plant/nowhere/at/all')
    await expectPage(page.getByText('This app has no such page')).toBeVisible()
  })

  test('APP-04 APP-09 DEC-19 a tab whose role the user lacks is hidden, and its address shows Access denied', async () => {
    const worker = await colleague('worker')
    const opened = await openConsole(server, { as: worker, path: '/app/plant/secrets' })
    await expectPage(opened.page.getByRole('alert')).toContainText('Access denied')
    await expectPage(opened.page.getByText('The secrets')).toHaveCount(0)
    const tabs = opened.page.getByRole('navigation', { name: 'Parts of Plant' })
    await expectPage(tabs.getByRole('link')).toHaveText(['Machines', 'Plans'])
    await opened.expectAccessible()

    for (const person of [await colleague('master'), owner, root]) {
      const { page } = await openConsole(server, { as: await session(person), path: null })
      await page.addInitScript((id) => localStorage.setItem('pult.activeProjectId', id), projectId)
      await page.goto('/app/plant/secrets')
      await expectPage(page.getByText('The secrets')).toBeVisible()
      await page.getByRole('link', { name: 'Machines', exact: true }).click()
      await page.getByRole('link', { name: 'Machine 7' }).click()
      await expectPage(page.getByText('Machine 7 can be repaired')).toBeVisible()
    }
  })

  test('APP-08 DEC-15 DEC-19 RULE-62 an app whose role the user lacks is not in the grid, and its address leads home with a notice; a gained or lost grant takes effect in an open console immediately', async () => {
    const guest = await colleague('guest')
    // Without a project in the URL, like a root app. The user's roles show that it is not one.
    const { page } = await openConsole(server, { as: guest, path: '/app/plant/machines' })
    await expectPage(page.getByRole('heading', { level: 1, name: 'Hall 7' })).toBeVisible()
    await expectPage(page).toHaveURL(({ pathname }) => pathname === '/')
    const refusal = page.getByRole('main').getByRole('alert')
    await expectPage(refusal).toContainText('You cannot open this app')
    await expectPage(refusal).toContainText(/Plant needs the role .* who owns the project\./)
    await expectPage(refusal).not.toContainText('administer this installation')
    await expectPage(page.getByRole('list', { name: 'Apps' }).getByRole('link')).toHaveText([
      'Zebra',
      'Open',
      'Abacus',
    ])

    const plant = page.getByRole('list', { name: 'Apps' }).getByRole('link', { name: 'Plant' })
    const change = (role: string) =>
      owner.call(projectEndpoints.changeProductRole, {
        params: { projectId, grantId: guest.grantId },
        body: { productRole: `works/${role}` },
      })
    await change('worker')
    await plant.click()
    await expectPage(page.getByRole('link', { name: 'Machine 7' })).toBeVisible()
    await change('guest')
    await expectPage(page).toHaveURL(({ pathname }) => pathname === '/')
    await expectPage(page.getByText('You cannot open this app').first()).toBeVisible()
  })

  test('an app is accessible in each theme and width', async () => {
    const as = await session(owner)
    const opened = await openConsole(server, { as, path: '/app/plant/machines' })
    await expectPage(opened.page.getByRole('link', { name: 'Machine 7' })).toBeVisible()
    await opened.expectAccessibleInLooks()
  })
})
