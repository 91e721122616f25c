import { loginEndpoints, meEndpoints, sessionEndpoints } from '@pult/contract'
import { expectPage, type GivenPerson, type OpenedConsole, openConsole, testServer } from '@pult/testkit'
import type { WebSocket } from 'playwright-core'
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
    test('LOGIN-01 is asked for first: title, placeholder, Next, and the field has the focus', async () => {
      const opened = await openConsole(server)
      await expectPage(opened.page.getByRole('heading', { name: 'Login', level: 1 })).toBeVisible()
      await expectPage(username(opened)).toBeFocused()
      await expectPage(username(opened)).toHaveAttribute('autocomplete', 'username webauthn')
      await expectPage(button(opened, 'Next')).toBeVisible()
      await expectPage(opened.page).toHaveTitle('Login · Pult')
    })

    test('LOGIN-02 is needed', async () => {
      const opened = await openConsole(server)
      for (const nothing of ['', '   ']) {
        await username(opened).fill(nothing)
        await button(opened, 'Next').click()
        await expectPage(opened.page.getByText('Please enter your username/E-Mail')).toBeVisible()
        await expectPage(username(opened)).toBeFocused()
        await expectPage(username(opened)).toHaveAttribute('aria-invalid', 'true')
      }
    })

    test('LOGIN-03 a choice of Password or Passkey follows, with a way back that keeps what was typed', async () => {
      const opened = await openConsole(server)
      await username(opened).fill(' ada@example.org ')
      await username(opened).press('Enter')
      await expectPage(button(opened, 'Password')).toBeFocused()
      await expectPage(button(opened, 'Passkey')).toBeVisible()
      await expectPage(opened.page.getByText('ada@example.org', { exact: true })).toBeVisible()
      await button(opened, 'Change username').click()
      await expectPage(username(opened)).toHaveValue('ada@example.org')
      await expectPage(username(opened)).toBeFocused()
    })
  })

  test('without a connection what comes after the username says so, and comes with it', async () => {
    const opened = await openConsole(server)
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
    test('LOGIN-04 has a field, Abort, Login and Forgot password, and tells password managers whose it is', async () => {
      const opened = await openConsole(server)
      await reachPassword(opened, 'ada@example.org')
      await expectPage(password(opened)).toBeFocused()
      await expectPage(password(opened)).toHaveAttribute('autocomplete', 'current-password')
      await expectPage(opened.page.locator('input[autocomplete=username]')).toHaveValue('ada@example.org')
      await expectPage(button(opened, 'Abort')).toBeVisible()
      await expectPage(button(opened, 'Login')).toBeVisible()
      await expectPage(button(opened, 'Forgot password')).toBeVisible()
      await expectPage(button(opened, 'Recover account')).toHaveCount(0)
    })

    test('LOGIN-05 is needed and has at least 3 characters', async () => {
      const opened = await openConsole(server)
      await reachPassword(opened, 'ada@example.org')
      const calls: string[] = []
      opened.page.on('request', (request) => calls.push(request.url()))
      for (const tooShort of ['', 'ab']) {
        await password(opened).fill(tooShort)
        await button(opened, 'Login').click()
        await expectPage(opened.page.getByText('Please enter your password')).toBeVisible()
        await expectPage(password(opened)).toBeFocused()
      }
      expect(calls.filter((url) => url.includes('/api/'))).toEqual([])
    })

    test('LOGIN-11 API-24 a wrong one is cleared, and the server’s message stands under the form', async () => {
      const opened = await openConsole(server)
      await logIn(opened, { email: 'nobody@example.org', password: 'not it at all' })
      const alert = opened.page.getByRole('alert')
      await expectPage(alert).toHaveText('Invalid credentials')
      await expectPage(password(opened)).toHaveValue('')
      await expectPage(password(opened)).toBeFocused()
      const [form, message] = [await button(opened, 'Login').boundingBox(), await alert.boundingBox()]
      expect(message?.y).toBeGreaterThanOrEqual((form?.y ?? 0) + (form?.height ?? 0))
      expect(await storedToken(opened)).toBeNull()
    })

    test('API-24 without a connection the message says so, and a second try needs no reload', async () => {
      const ada = await given.person()
      const opened = await openConsole(server)
      await reachPassword(opened, ada.email)
      await expectPage(password(opened)).toBeFocused()
      await opened.context.setOffline(true)
      await password(opened).fill(ada.password)
      await button(opened, 'Login').click()
      await expectPage(opened.page.getByRole('alert')).toContainText('The server cannot be reached')
      await opened.context.setOffline(false)
      await password(opened).fill(ada.password)
      await button(opened, 'Login').click()
      await expectPage(opened.page.getByRole('navigation')).toBeVisible()
    })

    test('the live connection is opened while the password is looked at, and the start goes on with it', async () => {
      const ada = await given.person()
      const opened = await openConsole(server)
      const sockets: WebSocket[] = []
      opened.page.on('websocket', (socket) => sockets.push(socket))
      const sent: string[] = []
      const answering = Promise.withResolvers<void>()
      await opened.page.route('**/api/auth/login', async (route) => {
        await answering.promise
        await route.continue()
      })
      await logIn(opened, { email: ada.email, password: 'not it at all' })
      await expect.poll(() => sockets.length).toBe(1)
      sockets[0]?.on('framesent', ({ payload }) => sent.push(String(payload)))
      expect(await storedToken(opened)).toBe(null)

      // A wrong password leaves it for the next try, and tells the server nothing.
      answering.resolve()
      await expectPage(opened.page.getByRole('alert')).toBeVisible()
      expect(sent).toEqual([])
      await password(opened).fill(ada.password)
      await button(opened, 'Login').click()
      await expectPage(opened.page.getByRole('navigation')).toBeVisible()
      await expect.poll(() => sent[0]).toContain('"type":"auth"')
      expect(sockets).toHaveLength(1)
    })

    test('LOGIN-06 pressed twice at once it is one try', async () => {
      const ada = await given.person()
      const opened = await openConsole(server)
      let tries = 0
      const answering = Promise.withResolvers<void>()
      await opened.page.route('**/api/auth/login', async (route) => {
        tries += 1
        await answering.promise
        await route.continue()
      })
      await reachPassword(opened, ada.email)
      await password(opened).fill('not it at all')
      await password(opened).evaluate((field: HTMLInputElement) => {
        field.form?.requestSubmit()
        field.form?.requestSubmit()
      })
      await expectPage(opened.page.getByText('Signing in')).toBeAttached()
      await password(opened).press('Enter')
      answering.resolve()
      await expectPage(opened.page.getByRole('alert')).toBeVisible()
      expect(tries).toBe(1)
    })

    test('RULE-06 after too many tries the wait is told in words, and counts', async () => {
      const ada = await given.person()
      const data = { username: ada.email, password: 'not it at all' }
      for (let tries = 0; tries < 5; tries += 1) {
        const answer = await server.call(loginEndpoints.login, { body: { type: 'credentials', data } })
        expect(answer).toFailWith('INVALID_CREDENTIALS')
      }
      const opened = await openConsole(server)
      await logIn(opened, ada)
      const alert = opened.page.getByRole('alert')
      await expectPage(alert).toContainText(/Try again in (1\d|2\d|30) seconds/)
      // For the eye alone; what a screen reader hears stays.
      const seen = alert.locator('span[aria-hidden]')
      const before = await seen.innerText()
      await expectPage(seen).not.toHaveText(before, { timeout: 10_000 })
      await expectPage(seen).toHaveText(/^Try again in \d+ seconds$/)
    })
  })

  test('LOGIN-06 ROUTE-15 SHELL-06 by keyboard alone to the deep link that was opened', async () => {
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

  test('LOGIN-06 the console comes without loading the page anew', async () => {
    const ada = await given.person()
    const opened = await openConsole(server)
    await expectPage(username(opened)).toBeFocused()
    await opened.page.evaluate(() => Object.assign(globalThis, { loaded: 'once' }))
    await logIn(opened, ada)
    await expectPage(opened.page.getByRole('navigation')).toBeVisible()
    expect(await opened.page.evaluate(() => Reflect.get(globalThis, 'loaded'))).toBe('once')
  })

  test('LOGIN-12 the footer shows the version', async () => {
    const { page } = await openConsole(server)
    await expectPage(page.getByRole('contentinfo')).toContainText('Version 2.4.0')
  })

  describe('Abort', () => {
    test('LOGIN-17 returns to the start with nothing kept', async () => {
      const opened = await openConsole(server)
      await reachPassword(opened, 'ada@example.org')
      await password(opened).fill('secret words')
      await button(opened, 'Abort').click()
      await expectPage(username(opened)).toHaveValue('')
      await expectPage(username(opened)).toBeFocused()
      await reachPassword(opened, 'ada@example.org')
      await expectPage(password(opened)).toHaveValue('')
    })

    test('LOGIN-17 an answer that comes later signs nobody in', async () => {
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
      expect(calls).toBe(1)
      await button(opened, 'Abort').click()
      answered.resolve()
      await opened.page.waitForTimeout(300)
      await expectPage(username(opened)).toBeVisible()
      expect(await storedToken(opened)).toBeNull()
    })
  })

  test('DEC-02 a session that ended elsewhere leads to the login, which says why and leads back', async () => {
    const ada = await given.person()
    const opened = await openConsole(server, { as: ada, path: '/imprint' })
    await expectPage(opened.page.getByRole('heading', { name: 'Imprint' })).toBeVisible()
    await server.call(sessionEndpoints.logout, {}, (await storedToken(opened)) ?? '')
    await expectPage(opened.page.getByText('Your session has ended. Please sign in again')).toBeVisible()
    expect(await storedToken(opened)).toBeNull()
    await logIn(opened, ada)
    await expectPage(opened.page.getByRole('heading', { name: 'Imprint' })).toBeVisible()
  })

  test('LOGIN-06 entries of extensions are fetched while somebody proves who they are, and calls carry what a proxy needs', async () => {
    const ada = await given.person()
    const opened = await openConsole(server)
    await opened.context.addCookies([{ name: 'proxy', value: 'signed-in', url: server.url }])
    const entries = opened.page.locator('link[rel=modulepreload][href^="/extensions/"][href*="/entry"]')
    await expectPage(entries).toHaveCount(0)
    const asked = opened.page.waitForRequest((request) => request.url().endsWith('/api/me'))
    const call = asked.then((request) => request.allHeaders())
    await reachPassword(opened, ada.email)
    await expectPage(entries.first()).toBeAttached()
    await password(opened).fill(ada.password)
    await button(opened, 'Login').click()
    expect((await call)['cookie']).toBe('proxy=signed-in')
  })

  test('LOGIN-06 whatever the browser has kept of a project, people sign in', async () => {
    const ada = await given.person()
    const opened = await openConsole(server)
    await opened.page.evaluate(() => localStorage.setItem('pult.activeProjectId', 'ü\n'.repeat(300)))
    await logIn(opened, ada)
    await expectPage(opened.page.getByRole('navigation')).toBeVisible()
  })

  test('DEC-02 a token that is refused as soon as it was issued leads back to the login', async () => {
    const ada = await given.person()
    const opened = await openConsole(server)
    await opened.page.route('**/api/auth/login', async (route) => {
      const response = await route.fetch()
      const { ahead: _ahead, ...answer } = (await response.json()) as Record<string, unknown>
      await route.fulfill({ response, json: answer })
    })
    await opened.page.route('**/api/me', (route) =>
      route.fulfill({ status: 401, json: { code: 'UNAUTHENTICATED', message: 'Please sign in' } }),
    )
    await logIn(opened, ada)
    await expectPage(opened.page.getByText('Your session has ended')).toBeVisible()
    await expectPage(username(opened)).toBeVisible()
    expect(await storedToken(opened)).toBeNull()
  })

  for (const theme of ['light', 'dark'] as const) {
    for (const viewport of [
      { width: 1280, height: 800 },
      { width: 390, height: 844 },
    ]) {
      test(`accessible at each step, ${theme}, ${viewport.width} px`, { timeout: 60_000 }, async () => {
        const ada = await given.person({
          email: `${'ada'.repeat(20)}.${theme}.${viewport.width}@example.org`,
          otp: true,
        })
        const opened = await openConsole(server, { theme, viewport })
        const { page } = opened
        const expectWhole = async () => {
          await opened.expectAccessible()
          expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width)
        }
        await expectPage(username(opened)).toBeVisible()
        await button(opened, 'Next').click()
        await expectPage(page.getByText('Please enter your username/E-Mail')).toBeVisible()
        await expectWhole()

        await username(opened).fill(ada.email)
        await button(opened, 'Next').click()
        await expectPage(button(opened, 'Password')).toBeVisible()
        await expectWhole()
        await opened.context.setOffline(true)
        await button(opened, 'Passkey').click()
        await expectPage(page.getByRole('alert')).toBeVisible()
        await expectWhole()

        await button(opened, 'Password').click()
        await button(opened, 'Forgot password').click()
        await expectPage(page.getByRole('heading', { name: 'An error occurred' })).toBeVisible()
        await expectWhole()
        await opened.context.setOffline(false)
        await button(opened, 'Back').click()
        await password(opened).fill('not it at all')
        await button(opened, 'Login').click()
        await expectPage(page.getByRole('alert')).toBeVisible()
        await expectWhole()

        await password(opened).fill(ada.password)
        await button(opened, 'Login').click()
        await page.getByLabel('OTP', { exact: true }).fill(anyOtpBut(ada.otp.code()))
        await button(opened, 'Login').click()
        await expectPage(page.getByRole('alert')).toBeVisible()
        await expectWhole()

        await button(opened, 'Recover account').click()
        await expectPage(page.getByRole('heading', { name: 'E-Mail sent' })).toBeVisible()
        await expectWhole()
        expect(opened.complaints).toEqual([])
      })
    }
  }
})
