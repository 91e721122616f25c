import { meEndpoints, passkeyEndpoints } from '@pult/contract'
import { expectPage, type GivenPerson, type OpenedConsole, openConsole, testServer } from '@pult/testkit'
import { describe, expect, test } from 'vitest'

type Cdp = Awaited<ReturnType<OpenedConsole['context']['newCDPSession']>>

const storedToken = ({ page }: OpenedConsole) => page.evaluate(() => localStorage.getItem('pult.token'))
const username = ({ page }: OpenedConsole) => page.getByPlaceholder('Username / E-Mail')
const password = ({ page }: OpenedConsole) => page.getByLabel('Password', { exact: true })
const button = ({ page }: OpenedConsole, name: string) => page.getByRole('button', { name, exact: true })
const alert = ({ page }: OpenedConsole) => page.getByRole('alert')

/** Leaves the open login page, because it also waits for a passkey and must not respond instead. */
const noPage = '/api/build'

/** The user's interaction with the authenticator. */
interface Authenticator {
  /** Whether it approves each request or does not respond. */
  touch: (willTouch: boolean) => Promise<unknown>
  /** Whether user verification succeeds from now on. */
  recognise: (isRecognised: boolean) => Promise<unknown>
}

async function plugIn({ context, page }: OpenedConsole): Promise<Authenticator> {
  const cdp: Cdp = await context.newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    touch: (enabled) => cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled }),
    recognise: (isUserVerified) => cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
  }
}

/** The calls of the passkeys page, made in the page of a signed-in user. */
async function registerPasskey({ page }: OpenedConsole): Promise<void> {
  const { verified } = await page.evaluate(async () => {
    const call = async (path: string, body?: object) => {
      const response = await fetch(`/api/me/account/passkeys/register/${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          authorization: `Bearer ${localStorage.getItem('pult.token')}`,
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
      })
      return (await response.json()) as PublicKeyCredentialCreationOptionsJSON & { verified?: boolean }
    }
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(await call('options'))
    const credential = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential
    return call('result', { result: credential.toJSON(), label: 'Notebook' })
  })
  expect(verified).toBe(true)
}

/** Records the browser's passkey requests, because its own dialog is not part of the page. */
function watchBrowser({ page }: OpenedConsole): Promise<void> {
  return page.evaluate(() => {
    const ask = navigator.credentials.get.bind(navigator.credentials)
    navigator.credentials.get = (options) => {
      Object.assign(globalThis, { askedUntil: options?.signal })
      return ask(options)
    }
  })
}

function isAsked({ page }: OpenedConsole): Promise<boolean> {
  return page.evaluate(() => {
    const signal: unknown = Reflect.get(globalThis, 'askedUntil')
    return signal instanceof AbortSignal && !signal.aborted
  })
}

async function reachMethod(opened: OpenedConsole, name: string) {
  await username(opened).fill(name)
  await button(opened, 'Next').click()
  await expectPage(button(opened, 'Password')).toBeFocused()
}

describe('the login by passkey', async () => {
  const server = await testServer({ withConsole: true })
  const { given } = server

  /** Opens the login of a signed-out user whose authenticator has a passkey and does not respond. */
  async function withPasskey(person: GivenPerson, path = '/imprint') {
    const opened = await openConsole(server, { as: person, path })
    await expectPage(opened.page.getByRole('heading', { name: 'Imprint' })).toBeVisible()
    const authenticator = await plugIn(opened)
    await registerPasskey(opened)
    await authenticator.touch(false)
    await opened.page.evaluate(() => localStorage.clear())
    await opened.page.reload()
    await expectPage(username(opened)).toBeFocused()
    return { opened, authenticator }
  }

  /** Returns the account's address of the open console. */
  async function signedInAs(opened: OpenedConsole): Promise<string> {
    await expectPage(opened.page.getByRole('heading', { name: 'Imprint' })).toBeVisible()
    const { body } = await server.call(meEndpoints.read, {}, (await storedToken(opened)) ?? '')
    return body.email
  }

  describe('by the button', () => {
    test('LOGIN-15 LOGIN-16 API-06 ROUTE-15 DEC-03 RULE-25 options, ceremony and verify lead to the console and the deep link, without an OTP; a failed user verification returns to the choice, and the user can retry', async () => {
      const ada = await given.person({ otp: true })
      const { opened, authenticator } = await withPasskey(ada)
      await reachMethod(opened, ada.email)
      await authenticator.recognise(false)
      await authenticator.touch(true)
      await button(opened, 'Passkey').click()
      await expectPage(alert(opened)).toContainText('No passkey was used')
      await expectPage(button(opened, 'Password')).toBeVisible()
      expect(await storedToken(opened)).toBeNull()
      await authenticator.recognise(true)
      await authenticator.touch(false)

      const options = opened.page.waitForResponse(/\/passkey\/options$/)
      const verify = opened.page.waitForResponse(/\/passkey\/verify$/)
      await authenticator.touch(true)
      await button(opened, 'Password').focus()
      await opened.page.keyboard.press('Tab')
      await expectPage(button(opened, 'Passkey')).toBeFocused()
      await opened.page.keyboard.press('Enter')
      expect((await options).request().postDataJSON()).toEqual({ username: ada.email })
      const started = (await (await options).json()) as { userToken: string }
      const finished = (await verify).request().postDataJSON() as { userToken: string }
      expect(finished.userToken).toBe(started.userToken)
      expect(await signedInAs(opened)).toBe(ada.email)
      expect(opened.complaints).toEqual([])
    })

    test('LOGIN-16 a deleted passkey returns to the choice, and an error is logged', async () => {
      const ada = await given.person()
      const { opened, authenticator } = await withPasskey(ada)
      const logged: string[] = []
      opened.page.on('console', (message) => message.type() === 'error' && logged.push(message.text()))
      const { items } = (await ada.call(passkeyEndpoints.list)).body
      const params = { passkeyId: items[0]?._id ?? '' }
      expect(await ada.call(passkeyEndpoints.remove, { params })).toSucceed()
      await reachMethod(opened, ada.email)
      await authenticator.touch(true)
      await button(opened, 'Passkey').click()
      await expectPage(alert(opened)).toContainText('This passkey was not accepted')
      await expectPage(button(opened, 'Passkey')).toBeFocused()
      await expectPage(button(opened, 'Passkey')).not.toHaveAttribute('aria-disabled')
      expect(logged).toEqual(['The server did not verify the passkey.'])
      expect(await storedToken(opened)).toBeNull()
    })

    test('LOGIN-16 without a connection the choice reports it', async () => {
      const opened = await openConsole(server)
      await reachMethod(opened, 'ada@example.org')
      await opened.page.waitForFunction(() =>
        performance.getEntriesByType('resource').some(({ name }) => /passkey-login/.test(name)),
      )
      await opened.context.setOffline(true)
      await button(opened, 'Passkey').click()
      await expectPage(alert(opened)).toContainText('The server cannot be reached')
      await expectPage(button(opened, 'Passkey')).not.toHaveAttribute('aria-disabled')
    })

    test('the password can be chosen while the browser waits for a passkey, which is then ignored', async () => {
      const ada = await given.person()
      const { opened, authenticator } = await withPasskey(ada)
      await watchBrowser(opened)
      await reachMethod(opened, ada.email)
      await button(opened, 'Passkey').click()
      await expectPage(opened.page.getByRole('status').getByText('prompt in your browser')).toBeVisible()
      await expectPage(button(opened, 'Passkey')).toHaveAttribute('aria-disabled', 'true')
      await expectPage.poll(() => isAsked(opened)).toBe(true)
      await button(opened, 'Password').click()
      await expectPage(password(opened)).toBeFocused()
      expect(await isAsked(opened)).toBe(false)
      await authenticator.touch(true)
      await opened.page.waitForTimeout(300)
      await expectPage(password(opened)).toBeVisible()
      expect(await storedToken(opened)).toBeNull()
    })

    test('a response after Change username does not sign in', async () => {
      const ada = await given.person()
      const { opened, authenticator } = await withPasskey(ada)
      const [reached, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      await opened.page.route(/\/passkey\/verify$/, async (route) => {
        const response = await route.fetch()
        reached.resolve()
        await answered.promise
        await route.fulfill({ response }).catch(() => {})
      })
      await reachMethod(opened, ada.email)
      await authenticator.touch(true)
      await button(opened, 'Passkey').click()
      await reached.promise
      await authenticator.touch(false)
      await button(opened, 'Change username').click()
      answered.resolve()
      await opened.page.waitForTimeout(300)
      await expectPage(username(opened)).toHaveValue(ada.email)
      expect(await storedToken(opened)).toBeNull()
    })

    test.each([
      ['without https', 'isSecureContext', false, 'Passkeys need a secure connection (https)'],
      [
        'in a browser without passkeys',
        'PublicKeyCredential',
        undefined,
        'This browser does not support passkeys',
      ],
    ])('DEC-44 %s the choice gives the reason instead of failing', async (_where, name, value, text) => {
      const opened = await openConsole(server, { path: null })
      await opened.page.addInitScript(
        (property) => {
          if (property.value === undefined) Reflect.deleteProperty(globalThis, property.name)
          else Object.defineProperty(globalThis, property.name, { value: property.value })
        },
        { name, value },
      )
      const calls: string[] = []
      opened.page.on('request', (request) => calls.push(request.url()))
      await opened.page.goto('/')
      await reachMethod(opened, 'ada@example.org')
      await expectPage(button(opened, 'Passkey')).toHaveAccessibleDescription(text)
      await expectPage(button(opened, 'Passkey')).toHaveAttribute('aria-disabled', 'true')
      await expectPage(opened.page.getByText(text)).toBeVisible()
      await opened.expectAccessible()
      await button(opened, 'Passkey').click({ force: true })
      await expectPage(alert(opened)).toHaveCount(0)
      expect(calls.filter((url) => url.includes('/api/'))).toEqual([])
      await button(opened, 'Password').click()
      await expectPage(password(opened)).toBeFocused()
      expect(opened.complaints).toEqual([])
    })
  })

  describe('by the suggestions of the username', () => {
    test('DEC-03 RULE-25 API-06 signs in without typing, and skips the OTP', async () => {
      const ada = await given.person({ otp: true })
      const { opened, authenticator } = await withPasskey(ada)
      await expectPage(username(opened)).toHaveAttribute('autocomplete', 'username webauthn')
      await opened.page.goto(noPage)
      const options = opened.page.waitForRequest(/\/passkey\/options$/)
      await authenticator.touch(true)
      await opened.page.goto('/imprint')
      expect((await options).postDataJSON()).toEqual({})
      expect(await signedInAs(opened)).toBe(ada.email)
      expect(opened.complaints).toEqual([])
    })

    test('LOGIN-16 a deleted passkey is reported, an error is logged, and the password still works', async () => {
      const ada = await given.person()
      const { opened, authenticator } = await withPasskey(ada)
      const logged: string[] = []
      opened.page.on('console', (message) => message.type() === 'error' && logged.push(message.text()))
      const { items } = (await ada.call(passkeyEndpoints.list)).body
      const params = { passkeyId: items[0]?._id ?? '' }
      expect(await ada.call(passkeyEndpoints.remove, { params })).toSucceed()
      await opened.page.goto(noPage)
      const verified = opened.page.waitForResponse(/\/passkey\/verify$/)
      await authenticator.touch(true)
      await opened.page.goto('/imprint')
      await verified
      await authenticator.touch(false)
      await expectPage(alert(opened)).toContainText('This passkey was not accepted')
      expect(logged).toContain('The server did not verify the passkey.')
      await reachMethod(opened, ada.email)
      await button(opened, 'Password').click()
      await password(opened).fill(ada.password)
      await password(opened).press('Enter')
      expect(await signedInAs(opened)).toBe(ada.email)
    })

    test('a response after the username was entered does not sign in', async () => {
      const ada = await given.person()
      const { opened, authenticator } = await withPasskey(ada)
      const [reached, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      await opened.page.route(/\/passkey\/verify$/, async (route) => {
        const response = await route.fetch()
        reached.resolve()
        await answered.promise
        await route.fulfill({ response }).catch(() => {})
      })
      await opened.page.goto(noPage)
      await authenticator.touch(true)
      await opened.page.goto('/')
      await reached.promise
      await authenticator.touch(false)
      await expectPage(opened.page.getByRole('status').getByText('Signing in')).toBeVisible()
      await reachMethod(opened, 'unknown@example.org')
      answered.resolve()
      await opened.page.waitForTimeout(300)
      await expectPage(button(opened, 'Passkey')).toBeVisible()
      expect(await storedToken(opened)).toBeNull()
    })

    test('after a rejection by the server there is no immediate retry and no message', async () => {
      const opened = await openConsole(server, { path: null })
      let requests = 0
      await opened.page.route(/\/passkey\/options$/, async (route) => {
        requests += 1
        await route.fulfill({
          status: 429,
          json: { code: 'TOO_MANY_REQUESTS', message: 'Too many attempts' },
        })
      })
      await opened.page.goto('/')
      await expectPage.poll(() => requests).toBe(1)
      await opened.page.waitForTimeout(1000)
      expect(requests).toBe(1)
      await expectPage(alert(opened)).toHaveCount(0)
    })

    test('the username can be typed before the code of the suggestions has loaded, and without it', async () => {
      const opened = await openConsole(server, { path: null })
      await opened.page.route(/passkey-autofill-.*\.js/, () => {})
      await opened.page.goto('/')
      await expectPage(username(opened)).toBeFocused()
      await reachMethod(opened, 'ada@example.org')
      await button(opened, 'Password').click()
      await expectPage(password(opened)).toBeFocused()
    })

    test('a challenge is renewed before its 5 minutes end while the page is visible, until the step ends', async () => {
      const opened = await openConsole(server, { path: null })
      const { page } = opened
      await page.clock.install()
      let requests = 0
      page.on('request', (request) => {
        if (request.url().endsWith('/passkey/options')) requests += 1
      })
      const show = (state: 'hidden' | 'visible') =>
        page.evaluate((visibility) => {
          Object.defineProperty(document, 'visibilityState', { value: visibility, configurable: true })
          document.dispatchEvent(new Event('visibilitychange'))
        }, state)
      const challenges = () => expectPage.poll(() => requests)
      await page.goto('/')
      await challenges().toBe(1)
      await page.waitForTimeout(300)
      await page.clock.fastForward('03:30')
      await page.waitForTimeout(300)
      expect(requests).toBe(1)
      await page.clock.fastForward('01:00')
      await challenges().toBe(2)

      await page.waitForTimeout(300)
      await show('hidden')
      await page.clock.fastForward('10:00')
      await page.waitForTimeout(300)
      expect(requests).toBe(2)
      await show('visible')
      await challenges().toBe(3)

      await page.waitForTimeout(300)
      await reachMethod(opened, 'ada@example.org')
      await page.clock.fastForward('10:00')
      await page.waitForTimeout(300)
      expect(requests).toBe(3)
    })
  })
})
