import { expectPage, openConsole, testServer } from '@pult/testkit'
import { describe, expect, test } from 'vitest'

describe('the navigation', async () => {
  const server = await testServer({ withConsole: true })
  const { given } = server

  test('SHELL-02 has the places in their order, with Contact, Privacy and Imprint', async () => {
    const { page } = await openConsole(server, { as: await given.person({ isRoot: true }) })
    const navigation = page.getByRole('navigation', { name: 'Main navigation' })
    await expectPage(navigation.getByRole('listitem')).toHaveText([
      'Profile',
      'Organizations',
      'Projects',
      'Tasks',
      'Root',
      'Device settings',
      'Logout',
      'Contact',
      'Privacy',
      'Imprint',
    ])
    const places = { Profile: '/me', Organizations: '/orgs', Projects: '/projects', Root: '/root' }
    for (const [name, href] of Object.entries({ ...places, 'Device settings': '/settings/stream-decks' })) {
      await expectPage(navigation.getByRole('link', { name })).toHaveAttribute('href', href)
    }
  })

  test('SHELL-02 ROLE-02 shows Root to root users only', async () => {
    const { page } = await openConsole(server, { as: await given.person() })
    const navigation = page.getByRole('navigation', { name: 'Main navigation' })
    await expectPage(navigation.getByRole('link', { name: 'Projects' })).toBeVisible()
    await expectPage(navigation.getByRole('link', { name: 'Root' })).toHaveCount(0)
  })

  test('SHELL-03 the user dropdown shows the e-mail, with Profile, Device settings and Logout', async () => {
    const ada = await given.person({ email: 'ada.l@example.org' })
    const { page, complaints } = await openConsole(server, { as: ada })
    const button = page.getByRole('button', { name: /ada\.l@example\.org/ })
    await expectPage(button).toHaveText(/ada\.l@example\.org/)
    await button.click()
    const menu = page.getByRole('menu')
    await expectPage(menu.getByText('ada.l@example.org')).toBeVisible()
    await expectPage(menu.getByRole('menuitem')).toHaveText(['Profile', 'Device settings', 'Logout'])
    await menu.getByRole('menuitem', { name: 'Device settings' }).click()
    await expectPage(page).toHaveURL('/settings/stream-decks')
    await expectPage(menu).toHaveCount(0)
    expect(complaints).toEqual([])
  })

  test('SHELL-07 a menu opens from the keyboard each time, and Esc gives the focus back to its button', async () => {
    const { page } = await openConsole(server, { as: await given.person() })
    const button = page.getByRole('button', { name: 'Apps' })
    for (const key of ['Enter', 'ArrowDown', 'Space']) {
      await button.focus()
      await page.keyboard.press(key)
      await expectPage(page.getByRole('menu', { name: 'Apps' })).toBeVisible()
      await expectPage(button).toHaveAttribute('aria-expanded', 'true')
      await page.keyboard.press('Escape')
      await expectPage(page.getByRole('menu')).toHaveCount(0)
      await expectPage(button).toBeFocused()
    }
  })

  test('SHELL-07 Tab reaches the skip link first, and the skip link the content', async () => {
    const { page } = await openConsole(server, { as: await given.person() })
    await expectPage(page.getByRole('banner')).toBeVisible()
    await page.keyboard.press('Tab')
    await expectPage(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await expectPage(page.getByRole('link', { name: 'Create project' })).toBeFocused()
    await expectPage(page).toHaveURL('/')
  })

  test('SHELL-06 a navigation changes the title and moves the focus to the new page’s heading', async () => {
    const { page } = await openConsole(server, { as: await given.person() })
    await expectPage(page).toHaveTitle('Home · Pult')
    await page.getByRole('link', { name: 'Contact' }).click()
    await expectPage(page.getByRole('heading', { name: 'Contact', level: 1 })).toBeFocused()
    await expectPage(page).toHaveTitle('Contact · Pult')
    await page.goBack()
    await expectPage(page.getByRole('heading', { level: 1 })).toBeFocused()
    await expectPage(page).toHaveTitle('Home · Pult')
  })

  test('ROUTE-14 an unknown path gets a not-found page inside the console, with a way home', async () => {
    const { page } = await openConsole(server, { as: await given.person(), path: '/no/such/page' })
    await expectPage(page.getByRole('heading', { name: 'Page not found', level: 1 })).toBeVisible()
    await expectPage(page.getByRole('main')).toContainText('/no/such/page')
    await expectPage(page).toHaveTitle('Page not found · Pult')
    await expectPage(page.getByRole('navigation', { name: 'Main navigation' })).toBeVisible()
    await page.getByRole('main').getByRole('link', { name: 'Go to home' }).click()
    await expectPage(page).toHaveURL('/')
  })
})
