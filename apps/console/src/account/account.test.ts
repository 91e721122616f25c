import { expectPage, openConsole, testServer } from '@pult/testkit'
import { describe, expect, test } from 'vitest'
import { accountRoute } from './account.routes.tsx'

describe('the account area', async () => {
  const server = await testServer({ withConsole: true })
  const { given } = server
  const ada = await given.person()

  for (const path of ['/me', '/me/profile']) {
    test(`ROUTE-02 ${path} opens the profile`, async () => {
      const { page } = await openConsole(server, { as: ada, path })
      await expectPage(page.getByRole('heading', { name: 'Profile', level: 1 })).toBeVisible()
      await expectPage(page.getByLabel('First name')).toHaveValue('Ada')
      await expectPage(
        page.getByRole('navigation', { name: 'Account' }).locator('[aria-current]'),
      ).toHaveText('Profile')
    })
  }

  test('ROUTE-02 the password form is the default child of /me/password', async () => {
    const { page } = await openConsole(server, { as: ada, path: '/me/password' })
    await expectPage(page.getByLabel('New password', { exact: true })).toBeVisible()
    const password = accountRoute.children?.find(({ path }) => path === 'password')
    expect(password?.children?.map(({ index, path }) => ({ index, path }))).toEqual([{ index: true }])
  })

  for (const [path, name] of [
    ['/me/emails', 'E-Mails'],
    ['/me/password', 'Password'],
    ['/me/passkey', 'Passkeys'],
    ['/me/otp', 'OTP'],
    ['/me/sessions', 'Sessions'],
  ] as const) {
    test(`ROUTE-03 ${path} exists, is marked as ${name} and has a title within the account’s`, async () => {
      const { page, complaints } = await openConsole(server, { as: ada, path })
      const navigation = page.getByRole('navigation', { name: 'Account' })
      await expectPage(navigation.locator('[aria-current=page]')).toHaveText(name)
      await expectPage(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expectPage(page.getByRole('heading', { name: 'Page not found' })).toHaveCount(0)
      await expectPage(page).toHaveTitle(/^.+ · Account · Pult$/)
      expect(complaints).toEqual([])
    })
  }

  test('ROUTE-03 passkey and otp are named routes', () => {
    const named = accountRoute.children?.filter(({ id }) => id !== undefined)
    expect(named?.map(({ id, path }) => [id, path])).toEqual([
      ['passkey', 'passkey'],
      ['otp', 'otp'],
    ])
  })

  test('ROUTE-04 SHELL-06 has a navigation in its order, at the left of the page', async () => {
    const { page } = await openConsole(server, { as: ada, path: '/me' })
    const navigation = page.getByRole('navigation', { name: 'Account' })
    await expectPage(navigation.getByRole('link')).toHaveText([
      'Profile',
      'E-Mails',
      'Password',
      'Passkeys',
      'OTP',
      'Sessions',
    ])
    await expectPage(page).toHaveTitle('Profile · Account · Pult')
    const [aside, heading] = [await navigation.boundingBox(), await page.locator('h1').boundingBox()]
    expect((aside?.x ?? 0) + (aside?.width ?? 0)).toBeLessThan(heading?.x ?? 0)
    await navigation.getByRole('link', { name: 'Password' }).click()
    await expectPage(page).toHaveURL('/me/password')
    await expectPage(page.getByRole('heading', { name: 'Password / Set new password' })).toBeFocused()
    await expectPage(page).toHaveTitle('Password · Account · Pult')
    await navigation.getByRole('link', { name: 'E-Mails' }).click()
    await expectPage(page).toHaveTitle('E-Mails · Account · Pult')
  })

  test('SHELL-07 arrow keys move through the navigation', async () => {
    const { page } = await openConsole(server, { as: ada, path: '/me' })
    const link = (name: string) =>
      page.getByRole('navigation', { name: 'Account' }).getByRole('link', { name })
    // The keys of lists come with the first thing that one does.
    await page.getByRole('heading', { level: 1 }).click()
    await expectPage(async () => {
      await link('Profile').focus()
      await page.keyboard.press('ArrowDown')
      await expectPage(link('E-Mails')).toBeFocused({ timeout: 500 })
    }).toPass()
    await link('Profile').focus()
    for (const [key, name] of [
      ['ArrowUp', 'Profile'],
      ['ArrowDown', 'E-Mails'],
      ['ArrowRight', 'Password'],
      ['ArrowLeft', 'E-Mails'],
      ['End', 'Sessions'],
      ['ArrowDown', 'Sessions'],
      ['Home', 'Profile'],
    ] as const) {
      await page.keyboard.press(key)
      await expectPage(link(name)).toBeFocused()
    }
  })

  test('ROUTE-04 on a phone it is a strip above the page that shows the current place', async () => {
    const viewport = { width: 390, height: 844 }
    const { page } = await openConsole(server, { as: ada, path: '/me/sessions', viewport })
    const navigation = page.getByRole('navigation', { name: 'Account' })
    const current = navigation.locator('[aria-current]')
    await expectPage(current).toBeInViewport({ ratio: 1 })
    const [strip, heading] = [await navigation.boundingBox(), await page.locator('h1').boundingBox()]
    expect((strip?.y ?? 0) + (strip?.height ?? 0)).toBeLessThanOrEqual(heading?.y ?? 0)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width)
  })
})
