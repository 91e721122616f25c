import { loginEndpoints, meEndpoints, sessionEndpoints } from '@pult/contract'
import { expectPage, type GivenPerson, type OpenedConsole, openConsole, testServer } from '@pult/testkit'
import { describe, expect, test } from 'vitest'

const storedToken = ({ page }: OpenedConsole) => page.evaluate(() => localStorage.getItem('pult.token'))
const username = ({ page }: OpenedConsole) => page.getByPlaceholder('Username / E-Mail')
const password = ({ page }: OpenedConsole) => page.getByLabel('Password', { exact: true })
const button = ({ page }: OpenedConsole, name: string) => page.getByRole('button', { name, exact: true })

async function reachPassword(opened: OpenedConsole, name: string) {
  await username(opened).fill(name)
  await button(opened, 'Next').click()
  await button(opened, 'Password').click()
}

async function logIn(opened: OpenedConsole, person: Pick<GivenPerson, 'email' | 'password'>) {
  await reachPassword(opened, person.email)
  await password(opened).fill(person.password)
  await button(opened, 'Login').click()
}

const anyOtpBut = (code: string) => (code === '000000' ? '111111' : '000000')

describe('the login', async () => {
  const server = await testServer({ withConsole: true })
  const { given } = server

  describe('the username', () => {
    test('LOGIN-01 LOGIN-02 LOGIN-03 LOGIN-04 LOGIN-05 LOGIN-12 LOGIN-17 comes first and is required; a choice of Password or Passkey follows, and going back keeps it; the password has at least 3 characters, and Abort discards all input', async () => {
      const opened = await openConsole(server)
      await expectPage(opened.page.getByRole('heading', { name: 'Login', level: 1 })).toBeVisible()
      await expectPage(username(opened)).toBeFocused()
      await expectPage(username(opened)).toHaveAttribute('autocomplete', 'username webauthn')
      await expectPage(button(opened, 'Next')).toBeVisible()
      await expectPage(opened.page).toHaveTitle('Login · Pult')
      await expectPage(opened.page.getByRole('contentinfo')).toContainText('Version 2.4.0')

      for (const nothing of ['', '   ']) {
        await username(opened).fill(nothing)
        await button(opened, 'Next').click()
        await expectPage(opened.page.getByText('Please enter your username/E-Mail')).toBeVisible()
        await expectPage(username(opened)).toBeFocused()
        await expectPage(username(opened)).toHaveAttribute('aria-invalid', 'true')
      }

      await username(opened).fill(' ada@example.org ')
      await username(opened).press('Enter')
      await expectPage(button(opened, 'Password')).toBeFocused()
      await expectPage(button(opened, 'Passkey')).toBeVisible()
      await expectPage(opened.page.getByText('ada@example.org', { exact: true })).toBeVisible()
      await button(opened, 'Change username').click()
      await expectPage(username(opened)).toHaveValue('ada@example.org')
      await expectPage(username(opened)).toBeFocused()

      await reachPassword(opened, 'ada@example.org')
      await expectPage(password(opened)).toBeFocused()
      await expectPage(password(opened)).toHaveAttribute('autocomplete', 'current-password')
      await expectPage(opened.page.locator('input[autocomplete=username]')).toHaveValue('ada@example.org')
      await expectPage(button(opened, 'Abort')).toBeVisible()
      await expectPage(button(opened, 'Login')).toBeVisible()
      await expectPage(button(opened, 'Forgot password')).toBeVisible()
      await expectPage(button(opened, 'Recover account')).toHaveCount(0)

      const calls: string[] = []
      opened.page.on('request', (request) => calls.push(request.url()))
      for (const tooShort of ['', 'ab']) {
        await password(opened).fill(tooShort)
        await button(opened, 'Login').click()
        await expectPage(opened.page.getByText('Please enter your password')).toBeVisible()
        await expectPage(password(opened)).toBeFocused()
      }
      expect(calls.filter((url) => url.includes('/api/'))).toEqual([])

      await password(opened).fill('secret words')
      await button(opened, 'Abort').click()
      await expectPage(username(opened)).toHaveValue('')
      await expectPage(username(opened)).toBeFocused()
      await reachPassword(opened, 'ada@example.org')
      await expectPage(password(opened)).toHaveValue('')
    })
  })

  test('API-24 offline, the step after the username reports the missing connection and loads when it is back', async () => {
    // The code of the next step must not be in a cache.
    const opened = await openConsole(server, { isCold: true })
    await expectPage(username(opened)).toBeFocused()
    await opened.context.setOffline(true)
    await username(opened).fill('ada@example.org')
    await button(opened, 'Next').click()
    await expectPage(opened.page.getByRole('alert')).toContainText('The server cannot be reached')
    await opened.context.setOffline(false)
    await button(opened, 'Next').click()
    await expectPage(button(opened, 'Password')).toBeFocused()
  })

  describe('the password', () => {
    test('LOGIN-11 API-24 a wrong one is cleared, and the server’s message appears under the form; without a connection the message reports it, and a second attempt needs no reload', async () => {
      const ada = await given.person()
      const opened = await openConsole(server)
      await logIn(opened, { email: ada.email, password: 'not it at all' })
      const alert = opened.page.getByRole('alert')
      await expectPage(alert).toHaveText('Invalid credentials')
      await expectPage(password(opened)).toHaveValue('')
      await expectPage(password(opened)).toBeFocused()
      const [form, message] = [await button(opened, 'Login').boundingBox(), await alert.boundingBox()]
      expect(message?.y).toBeGreaterThanOrEqual((form?.y ?? 0) + (form?.height ?? 0))
      expect(await storedToken(opened)).toBeNull()

      await opened.context.setOffline(true)
      await password(opened).fill(ada.password)
      await button(opened, 'Login').click()
      await expectPage(opened.page.getByRole('alert')).toContainText('The server cannot be reached')
      await opened.context.setOffline(false)
      await button(opened, 'Login').click()
      await expectPage(opened.page.getByText('Please enter your password')).toBeVisible()
      await expectPage(opened.page.getByText('The server cannot be reached')).toHaveCount(0)
      await password(opened).fill(ada.password)
      await button(opened, 'Login').click()
      await expectPage(opened.page.getByRole('navigation')).toBeVisible()
    })

    test('LOGIN-06 a double press makes one attempt', async () => {
      const ada = await given.person()
      const opened = await openConsole(server, { path: null })
      let tries = 0
      const answering = Promise.withResolvers<void>()
      await opened.page.route('**/api/auth/login', async (route) => {
        tries += 1
        await answering.promise
        await route.continue()
      })
      await opened.page.goto('/')
      await reachPassword(opened, ada.email)
      await password(opened).fill('not it at all')
      await password(opened).evaluate((field: HTMLInputElement) => {
        field.form?.requestSubmit()
        field.form?.requestSubmit()
      })
      await expectPage(opened.page.getByText('Signing in')).toBeAttached()
      await password(opened).press('Enter')
      answering.resolve()
      await expectPage(opened.page.getByRole('alert')).toHaveText('Invalid credentials')
      expect(tries).toBe(1)
    })

    test('RULE-06 after too many attempts the waiting time is shown and counts down', async () => {
      const ada = await given.person()
      const data = { username: ada.email, password: 'not it at all' }
      for (let tries = 0; tries < 5; tries += 1) {
        const answer = await server.call(loginEndpoints.login, { body: { type: 'credentials', data } })
        expect(answer).toFailWith('INVALID_CREDENTIALS')
      }
      const opened = await openConsole(server)
      await logIn(opened, ada)
      const alert = opened.page.getByRole('alert')
      await expectPage(alert).toContainText(/Try again in \d+ seconds/)
      // The countdown is visual only. The text for screen readers does not change.
      const seen = alert.locator('span[aria-hidden]')
      const before = await seen.innerText()
      await expectPage(seen).not.toHaveText(before)
      await expectPage(seen).toHaveText(/^Try again in \d+ seconds$/)
    })
  })

  test('LOGIN-06 ROUTE-15 SHELL-06 the keyboard alone leads to the opened deep link', async () => {
    const ada = await given.person()
    const opened = await openConsole(server, { path: '/imprint?from=mail#top' })
    await expectPage(username(opened)).toBeFocused()
    await opened.page.keyboard.type(ada.email)
    await opened.page.keyboard.press('Enter')
    await expectPage(button(opened, 'Password')).toBeFocused()
    await opened.page.keyboard.press('Enter')
    await expectPage(password(opened)).toBeFocused()
    await opened.page.keyboard.type(ada.password)
    await opened.page.keyboard.press('Enter')
    await expectPage(opened.page.getByRole('heading', { name: 'Imprint' })).toBeVisible()
    await expectPage(opened.page).toHaveURL('/imprint?from=mail#top')
    await expectPage(opened.page).toHaveTitle('Imprint · Pult')
    expect(await server.call(meEndpoints.read, {}, (await storedToken(opened)) ?? '')).toSucceed()
    expect(opened.complaints).toEqual([])
  })

  test('LOGIN-06 the console appears without a page load, calls include the cookies of a proxy, and stale project data in the browser does not matter', async () => {
    const ada = await given.person()
    const opened = await openConsole(server)
    await expectPage(username(opened)).toBeFocused()
    await opened.page.evaluate(() => {
      Object.assign(globalThis, { loaded: 'once' })
      localStorage.setItem('pult.activeProjectId', 'ü\n'.repeat(300))
    })
    await opened.context.addCookies([{ name: 'proxy', value: 'signed-in', url: server.url }])
    const sent = opened.page.waitForRequest((request) => new URL(request.url()).pathname === '/api/start')
    const headers = sent.then((request) => request.allHeaders())
    await logIn(opened, ada)
    await expectPage(opened.page.getByRole('navigation')).toBeVisible()
    expect((await headers)['cookie']).toBe('proxy=signed-in')
    expect(await opened.page.evaluate(() => Reflect.get(globalThis, 'loaded'))).toBe('once')
  })

  describe('Abort', () => {
    test('LOGIN-17 a late response does not sign in', async () => {
      const ada = await given.person()
      const opened = await openConsole(server)
      const answered = Promise.withResolvers<void>()
      await opened.page.route('**/api/auth/login', async (route) => {
        const response = await route.fetch()
        await answered.promise
        await route.fulfill({ response }).catch(() => {})
      })
      let calls = 0
      opened.page.on('request', (request) => {
        if (request.url().endsWith('/api/auth/login')) calls += 1
      })
      await logIn(opened, ada)
      await expectPage(button(opened, 'Login')).toHaveAttribute('aria-disabled', 'true')
      await password(opened).press('Enter')
      await button(opened, 'Login').click({ force: true })
      await expect.poll(() => calls).toBe(1)
      await button(opened, 'Abort').click()
      answered.resolve()
      await opened.page.waitForTimeout(300)
      await expectPage(username(opened)).toBeVisible()
      expect(await storedToken(opened)).toBeNull()
    })
  })

  test('DEC-02 a session that ended elsewhere leads to the login with the reason, and sign-in leads back', async () => {
    const ada = await given.person()
    const opened = await openConsole(server, { as: ada, path: '/imprint' })
    await expectPage(opened.page.getByRole('heading', { name: 'Imprint' })).toBeVisible()
    await server.call(sessionEndpoints.logout, {}, (await storedToken(opened)) ?? '')
    await expectPage(opened.page.getByText('Your session has ended. Sign in again')).toBeVisible()
    expect(await storedToken(opened)).toBeNull()
    await logIn(opened, ada)
    await expectPage(opened.page.getByRole('heading', { name: 'Imprint' })).toBeVisible()
  })

  test('DEC-02 a token rejected right after it was issued leads back to the login', async () => {
    const ada = await given.person()
    const opened = await openConsole(server)
    await opened.page.route('**/api/start', (route) =>
      route.fulfill({ status: 401, json: { code: 'UNAUTHENTICATED', message: 'Sign in first' } }),
    )
    await logIn(opened, ada)
    await expectPage(opened.page.getByText('Your session has ended')).toBeVisible()
    await expectPage(username(opened)).toBeVisible()
    expect(await storedToken(opened)).toBeNull()
  })

  test('accessible at each step in each theme and width', async () => {
    const ada = await given.person({
      email: `${'ada'.repeat(20)}@example.org`,
      otp: true,
    })
    const opened = await openConsole(server)
    const { page } = opened
    await expectPage(username(opened)).toBeVisible()
    await button(opened, 'Next').click()
    await expectPage(page.getByText('Please enter your username/E-Mail')).toBeVisible()
    await opened.expectAccessibleInLooks()

    await username(opened).fill(ada.email)
    await button(opened, 'Next').click()
    await expectPage(button(opened, 'Password')).toBeVisible()
    await opened.expectAccessibleInLooks()
    await opened.context.setOffline(true)
    await button(opened, 'Passkey').click()
    await expectPage(page.getByRole('alert')).toBeVisible()
    await opened.expectAccessibleInLooks()

    await button(opened, 'Password').click()
    await button(opened, 'Forgot password').click()
    await expectPage(page.getByRole('heading', { name: 'An error occurred' })).toBeVisible()
    await opened.expectAccessibleInLooks()
    await opened.context.setOffline(false)
    await button(opened, 'Back').click()
    await password(opened).fill('not it at all')
    await button(opened, 'Login').click()
    await expectPage(password(opened)).toHaveValue('')
    await expectPage(page.getByRole('alert')).toBeVisible()
    await opened.expectAccessibleInLooks()

    await password(opened).fill(ada.password)
    await button(opened, 'Login').click()
    await page.getByLabel('OTP', { exact: true }).fill(anyOtpBut(ada.otp.code()))
    await button(opened, 'Login').click()
    await expectPage(page.getByLabel('OTP', { exact: true })).toHaveValue('')
    await expectPage(page.getByRole('alert')).toBeVisible()
    await opened.expectAccessibleInLooks()

    await button(opened, 'Recover account').click()
    await expectPage(page.getByRole('heading', { name: 'E-Mail sent' })).toBeVisible()
    await opened.expectAccessibleInLooks()
    expect(opened.complaints).toEqual([])
  })
})
