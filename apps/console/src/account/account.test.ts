import { expectPage, openConsole, testServer } from '@pult/testkit'
import { describe, expect, test } from 'vitest'
import { account } from '../pages/pages.tsx'
import { routes } from '../pages/routes.tsx'

const places = routes.find(({ path }) => path === '/me')?.children ?? []

describe('the account area', async () => {
  const server = await testServer({ withConsole: true })
  const { given } = server
  const ada = await given.person()

  test('ROUTE-02 /me and /me/profile open the profile', async () => {
    const { page } = await openConsole(server, { as: ada, path: '/me' })
    const current = page.getByRole('navigation', { name: 'Account' }).locator('[aria-current]')
    for (const path of ['/me', '/me/profile']) {
      await expectPage(page).toHaveURL(path)
      await expectPage(page.getByRole('heading', { name: 'Profile', level: 1 })).toBeVisible()
      await expectPage(page.getByLabel('First name')).toHaveValue('Ada')
      await expectPage(current).toHaveText('Profile')
      await page.goto('/me/profile')
    }
  })

  test('ROUTE-02 the password form is the default child of /me/password', () => {
    const password = places.find(({ path }) => path === 'password')
    expect(password?.children?.map(({ index, path }) => ({ index, path }))).toEqual([{ index: true }])
  })

  test('ROUTE-03 each declared page has its route, and each route its declared page', () => {
    const paths = places.flatMap(({ path }) => (path === undefined ? [] : [`/me/${path}`]))
    expect(account.pages.map(({ path }) => path)).toEqual(paths)
  })

  test('ROUTE-03 passkey and otp are named routes', () => {
    for (const name of ['passkey', 'otp']) expect(places.find(({ id }) => id === name)?.path).toBe(name)
  })

  test('ROUTE-03 ROUTE-04 SHELL-06 SHELL-07 lists its pages in order on the left, each with its address, mark and title, and arrow keys move through them', async () => {
    const { page, complaints } = await openConsole(server, { as: ada, path: '/me' })
    const navigation = page.getByRole('navigation', { name: 'Account' })
    const pages = [
      ['/me/profile', 'Profile'],
      ['/me/emails', 'E-Mails'],
      ['/me/password', 'Password'],
      ['/me/passkey', 'Passkeys'],
      ['/me/otp', 'OTP'],
      ['/me/sessions', 'Sessions'],
    ] as const
    await expectPage(navigation.getByRole('link')).toHaveText(pages.map(([, name]) => name))
    const [aside, heading] = [await navigation.boundingBox(), await page.locator('h1').boundingBox()]
    expect((aside?.x ?? 0) + (aside?.width ?? 0)).toBeLessThan(heading?.x ?? 0)
    for (const [path, name] of pages.toReversed()) {
      await navigation.getByRole('link', { name }).click()
      await expectPage(page).toHaveURL(path)
      await expectPage(navigation.locator('[aria-current=page]')).toHaveText(name)
      await expectPage(page.getByRole('heading', { level: 1 })).toBeFocused()
      await expectPage(page.getByRole('heading', { name: 'Page not found' })).toHaveCount(0)
      await expectPage(page).toHaveTitle(/^.+ · Account · Pult$/)
    }
    await expectPage(page).toHaveTitle('Profile · Account · Pult')
    const link = (name: string) => navigation.getByRole('link', { name })
    // The list keys load with the first user interaction.
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
    expect(complaints).toEqual([])
  })

  test('ROUTE-04 on a phone the navigation is a strip above the page that shows the current page', async () => {
    const viewport = { width: 390, height: 844 }
    const { page } = await openConsole(server, { as: ada, path: '/me/sessions', viewport })
    const navigation = page.getByRole('navigation', { name: 'Account' })
    const current = navigation.locator('[aria-current]')
    // Browsers round the scroll position to different fractions of a pixel.
    await expectPage(current).toBeInViewport({ ratio: 0.99 })
    const [strip, heading] = [await navigation.boundingBox(), await page.locator('h1').boundingBox()]
    expect((strip?.y ?? 0) + (strip?.height ?? 0)).toBeLessThanOrEqual(heading?.y ?? 0)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width)
  })
})
