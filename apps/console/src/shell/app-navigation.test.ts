import { expectPage, extensionFolder, type OpenedConsole, openConsole, testServer } from '@pult/testkit'
import { describe, expect, test } from 'vitest'

const app = (id: string, label: string, more: object = {}) => ({
  id,
  uuid: '0193a3f0-5a2e-7c41-9d5b-2f1b7a6c0d11',
  label,
  icon: 'box',
  productSku: 'works',
  ...more,
})

const extensionsFolder = await extensionFolder({
  works: {
    manifest: {
      id: 'works',
      products: [{ sku: 'works', label: 'Works', roles: [] }],
      apps: [
        app('plant', 'Plant', { priority: 1 }),
        app('clock', 'Clock', { priority: 2, container: 'window' }),
        app('admin', 'Admin', { productSku: 'root' }),
      ],
    },
    files: {
      'entry.js': `
        import { createElement as h } from 'react'
        const Page = () => h('p', null, 'The page.')
        const loader = async () => ({ default: { routes: [
          { name: 'start', path: '', Component: Page }, { name: 'pump', path: 'pumps/:id', Component: Page } ] } })
        export default { register: ({ registerApp }) => {
          for (const id of ['plant', 'clock', 'admin']) registerApp({ id, loader })
        } }`,
    },
  },
})

const phone = { width: 390, height: 844 }
const navigation = ({ page }: OpenedConsole) => page.getByRole('navigation', { name: 'Main navigation' })

describe('apps in the frame', async () => {
  const server = await testServer({ withConsole: true, extensionsFolder })
  const { given } = server

  const open = async ({
    isRoot = false,
    ...more
  }: Parameters<typeof openConsole>[1] & { isRoot?: boolean } = {}) => {
    const ada = await given.person({ isRoot })
    await given.project(ada, { label: 'Hall 7', products: ['works'] })
    return openConsole(server, { as: ada, ...more })
  }

  test('SHELL-02 the navigation lists each app once and marks the open one, also on its child routes', async () => {
    const opened = await open({ path: '/app/plant/pumps/7' })
    const apps = navigation(opened).getByRole('group', { name: 'Apps' })
    await expectPage(apps.getByRole('link')).toHaveText(['Plant', 'Clock'])
    await expectPage(apps.getByRole('link', { name: 'Plant' })).toHaveAttribute('aria-current', 'page')
    await expectPage(navigation(opened).locator('[aria-current]')).toHaveCount(1)
    const path = opened.page.getByRole('list', { name: 'You are here' })
    await expectPage(path.getByRole('listitem')).toHaveText(['Hall 7', 'Plant'])
    expect(opened.complaints).toEqual([])
  })

  test('SHELL-04 Ctrl Enter and the second button of an entry open the app in a window, which gets a mark', async () => {
    const opened = await open({ path: '/me' })
    const { page } = opened
    const plant = navigation(opened).getByRole('link', { name: 'Plant' })
    await plant.press('Control+Enter')
    await expectPage(page.getByRole('dialog', { name: 'Plant' })).toBeFocused()
    await expectPage(page).toHaveURL('/me')
    await expectPage(plant).toHaveAccessibleName('Plant in a window')
    await page.keyboard.press('Escape')
    await expectPage(plant).toHaveAccessibleName('Plant')

    await plant.hover()
    await navigation(opened).getByRole('button', { name: 'Open Plant in a window' }).click()
    await expectPage(page.getByRole('dialog', { name: 'Plant' })).toBeFocused()
    // An app without a page has one action.
    await expectPage(page.getByRole('button', { name: 'Open Clock in a window' })).toHaveCount(0)
    await navigation(opened).getByRole('link', { name: 'Clock' }).click()
    await expectPage(page.getByRole('dialog', { name: 'Clock' })).toBeFocused()
  })

  test('SHELL-01 SHELL-07 the switcher lists each app once; G and a letter open pages, unless letters are turned off', async () => {
    const opened = await open({ path: '/me/profile' })
    const { page } = opened
    const layer = page.getByRole('dialog', { name: 'Apps' })
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key)
    }
    // In a field, letters are text.
    await expectPage(page.getByLabel('First name')).toBeVisible()
    await page.getByLabel('First name').focus()
    await press('g', 'a')
    await expectPage(layer).toHaveCount(0)
    await page.getByLabel('First name').press('ControlOrMeta+z')
    await page.reload()
    await expectPage(page.getByRole('banner')).toBeVisible()
    await press('g', 'a')
    await expectPage(layer.getByRole('link')).toHaveText(['Plant', 'Clock'])
    await expectPage(layer.getByRole('link', { name: 'Plant' })).toBeFocused()
    await press('ArrowDown')
    await expectPage(layer.getByRole('link', { name: 'Clock' })).toBeFocused()
    await press('Escape')
    await expectPage(layer).toHaveCount(0)
    for (const [key, address] of [
      ['p', '/projects'],
      ['t', '/tasks'],
      ['h', '/'],
    ] as const) {
      await press('g', key)
      await expectPage(page).toHaveURL(address)
    }
    await press('g', 'p')
    const search = page.getByRole('searchbox', { name: 'Search projects' })
    await expectPage(search).toBeVisible()
    await press('/')
    await expectPage(search).toBeFocused()
    await page.goto('/settings/appearance')
    await page.getByRole('radio', { name: 'Off' }).press('Space')
    await expectPage(page.locator('html')).toHaveAttribute('data-letter-keys', 'off')
    await page.getByRole('heading', { level: 1 }).click()
    await press('g', 't')
    await expectPage(page).toHaveURL('/settings/appearance')
    await page.goto('/projects')
    await expectPage(search).toBeVisible()
    await press('/')
    await expectPage(search).not.toBeFocused()
  })

  test('ROLE-02 Root and its apps are in the frame of root users only', async () => {
    const root = await open({ isRoot: true, path: '/app/admin' })
    await expectPage(navigation(root).getByRole('link', { name: 'Admin' })).toHaveAttribute(
      'aria-current',
      'page',
    )
    const other = await open()
    await expectPage(navigation(other).getByRole('link', { name: 'Plant' })).toBeVisible()
    await other.page.getByRole('button', { name: 'Apps' }).click()
    await expectPage(other.page.getByRole('dialog', { name: 'Apps' }).getByRole('link')).toHaveText([
      'Plant',
      'Clock',
    ])
    await expectPage(other.page.getByText('Admin')).toHaveCount(0)
    await expectPage(other.page.getByRole('link', { name: 'Root' })).toHaveCount(0)
  })

  test('the bar of a phone has home, the first app, the tasks and the drawer, and does not cover the end of a page', async () => {
    const opened = await open({ viewport: phone, path: '/projects' })
    const { page } = opened
    const bar = page.getByRole('navigation', { name: 'Quick navigation' })
    await expectPage(bar.locator('a, button')).toHaveText(['Home', 'Plant', 'Tasks', 'More'])
    await bar.getByRole('link', { name: 'Plant' }).click()
    await expectPage(page).toHaveURL(/\/app\/plant/)
    await expectPage(bar.getByRole('link', { name: 'Plant' })).toHaveAttribute('aria-current', 'page')
    await bar.getByRole('button', { name: 'Tasks' }).click()
    await expectPage(page.getByRole('dialog', { name: 'Tasks' })).toBeVisible()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /^Active project/ }).click()
    await expectPage(page.getByRole('combobox', { name: 'Find a project' })).toBeFocused()
    await opened.expectAccessible()
  })

  test('SHELL-06 the page scrolls below the frame, and Back restores its scroll position', async () => {
    const { page } = await open({ path: '/imprint' })
    await expectPage(page.getByRole('heading', { level: 1, name: 'Imprint' })).toBeVisible()
    await page.getByRole('main').evaluate((main) => Object.assign(main.style, { minHeight: '4000px' }))
    await page.keyboard.press('End')
    const scrolledTo = () => page.evaluate(() => scrollY)
    const end = await page.evaluate(() => Math.floor(document.documentElement.scrollHeight - innerHeight))
    expect(end).toBeGreaterThan(3000)
    await expectPage.poll(scrolledTo).toBeGreaterThanOrEqual(end)
    await expectPage(page.getByRole('banner')).toBeInViewport({ ratio: 1 })
    await expectPage(page.getByRole('link', { name: 'Imprint' })).toBeInViewport({ ratio: 1 })
    const place = await scrolledTo()
    await page
      .getByRole('navigation', { name: 'Main navigation' })
      .getByRole('link', { name: 'Projects' })
      .click()
    await expectPage(page.getByRole('heading', { level: 1, name: 'Projects' })).toBeFocused()
    await expectPage.poll(scrolledTo).toBe(0)
    await page.goBack()
    await expectPage.poll(scrolledTo).toBe(place)
  })

  test('the navigation folds to icons with their names, and stays folded after a reload', async () => {
    const opened = await open()
    const { page } = opened
    await page.getByRole('button', { name: 'Fold navigation' }).press('Enter')
    await expectPage(page.getByRole('button', { name: 'Unfold navigation' })).toBeFocused()
    await page.reload()
    const plant = navigation(opened).getByRole('link', { name: 'Plant' })
    await expectPage(plant).toBeVisible()
    await expectPage.poll(async () => (await page.getByRole('main').boundingBox())?.x).toBe(64)
    expect((await plant.boundingBox())?.width).toBeLessThan(64)
  })
})
