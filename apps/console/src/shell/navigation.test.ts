import { expectPage, openConsole, testServer } from '@pult/testkit'
import { describe, expect, test } from 'vitest'

describe('the navigation', async () => {
  const server = await testServer({ withConsole: true })
  const { given } = server

  test('SHELL-02 SHELL-03 lists its destinations in order, with Contact, Privacy and Imprint; the user dropdown shows the e-mail, with Profile, Device settings and Logout', async () => {
    const ada = await given.person({ isRoot: true, email: 'ada.l@example.org' })
    const { page, complaints } = await openConsole(server, { as: ada })
    const navigation = page.getByRole('navigation', { name: 'Main navigation' })
    await expectPage(navigation.getByRole('listitem')).toHaveText([
      'Home',
      'Projects',
      'Organizations',
      'Tasks',
      'Root',
      'Profile',
      'Device settings',
      'Logout',
      'Contact',
      'Privacy',
      'Imprint',
    ])
    const places = { Home: '/', Profile: '/me', Organizations: '/orgs', Projects: '/projects', Root: '/root' }
    for (const [name, href] of Object.entries({ ...places, 'Device settings': '/settings/stream-decks' })) {
      await expectPage(navigation.getByRole('link', { name })).toHaveAttribute('href', href)
    }

    const button = page.getByRole('button', { name: /ada\.l@example\.org/ })
    await expectPage(button).toHaveText(/ada\.l@example\.org/)
    await button.click()
    const menu = page.getByRole('dialog', { name: 'Your account' })
    await expectPage(menu.getByText('ada.l@example.org')).toBeVisible()
    await expectPage(menu.getByRole('listitem')).toHaveText(['Profile', 'Device settings', 'Logout'])
    await menu.getByRole('link', { name: 'Device settings' }).click()
    await expectPage(page).toHaveURL('/settings/stream-decks')
    await expectPage(menu).toHaveCount(0)
    expect(complaints).toEqual([])
  })

  test('SHELL-02 ROLE-02 SHELL-06 SHELL-07 users other than root see no Root entry; Tab reaches the skip link first, a navigation updates title and focus, and a menu opens by keyboard repeatedly', async () => {
    const { page } = await openConsole(server, { as: await given.person() })
    await expectPage(page.getByRole('banner')).toBeVisible()
    await page.keyboard.press('Tab')
    await expectPage(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await expectPage(page.getByRole('link', { name: 'Create project' })).toBeFocused()
    await expectPage(page).toHaveURL('/')

    const navigation = page.getByRole('navigation', { name: 'Main navigation' })
    await expectPage(navigation.getByRole('link', { name: 'Projects' })).toBeVisible()
    await expectPage(navigation.getByRole('link', { name: 'Root' })).toHaveCount(0)

    await expectPage(page).toHaveTitle('Home · Pult')
    await page.getByRole('link', { name: 'Contact' }).click()
    await expectPage(page.getByRole('heading', { name: 'Contact', level: 1 })).toBeFocused()
    await expectPage(page).toHaveTitle('Contact · Pult')
    await page.goBack()
    await expectPage(page.getByRole('heading', { level: 1 })).toBeFocused()
    await expectPage(page).toHaveTitle('Home · Pult')

    const button = page.getByRole('button', { name: /^Your account/ })
    const menu = page.getByRole('dialog', { name: 'Your account' })
    for (const key of ['Enter', 'ArrowDown', 'Space']) {
      await button.focus()
      await page.keyboard.press(key)
      await expectPage(menu.getByRole('link', { name: 'Profile' })).toBeFocused()
      await expectPage(button).toHaveAttribute('aria-expanded', 'true')
      await page.keyboard.press('Escape')
      await expectPage(menu).toHaveCount(0)
      await expectPage(button).toBeFocused()
    }
  })

  test('SHELL-07 Tab stops once at each entry between the skip link and the page, and an app’s window opens from its entry', async () => {
    const ada = await given.person()
    await given.project(ada, { products: ['project', 'media-library'] })
    const { page } = await openConsole(server, { as: ada, path: '/me/profile' })
    const navigation = page.getByRole('navigation', { name: 'Main navigation' })
    const apps = navigation.getByRole('group', { name: 'Apps' })
    await expectPage(apps.getByRole('link', { name: 'Project Details' })).toBeVisible()
    await expectPage(page.getByLabel('First name')).toBeVisible()
    await page.getByRole('link', { name: 'Skip to content' }).focus()
    const isWithin = (place: string) =>
      page.evaluate((selector) => document.activeElement?.closest(selector) != null, place)
    let stops = 0
    do {
      await page.keyboard.press('Tab')
      if (await isWithin('[aria-label="Main navigation"]')) stops += 1
    } while (!(await isWithin('main')))
    expect(stops).toBe(await navigation.getByRole('listitem').count())

    await apps.getByRole('link', { name: 'Project Details' }).press('ControlOrMeta+Enter')
    await expectPage(page.getByRole('dialog', { name: /Project Details/ })).toBeFocused()
  })

  test('ROUTE-14 an unknown path shows a not-found page inside the console, with a link home', async () => {
    const { page } = await openConsole(server, { as: await given.person(), path: '/no/such/page' })
    await expectPage(page.getByRole('heading', { name: 'Page not found', level: 1 })).toBeVisible()
    await expectPage(page.getByRole('main')).toContainText('/no/such/page')
    await expectPage(page).toHaveTitle('Page not found · Pult')
    await expectPage(page.getByRole('navigation', { name: 'Main navigation' })).toBeVisible()
    await page.getByRole('main').getByRole('link', { name: 'Go to home' }).click()
    await expectPage(page).toHaveURL('/')
  })
})
