import { passkeyEndpoints } from '@pult/contract'
import {
  type ConsoleOptions,
  expectPage,
  type GivenPerson,
  muteEvents,
  type OpenedConsole,
  openConsole,
  testServer,
} from '@pult/testkit'
import { uuidv7 } from 'uuidv7'
import { describe, expect, test } from 'vitest'
import { deviceExample } from './device-example.ts'

const label = ({ page }: OpenedConsole) => page.getByLabel('Device label')
const register = ({ page }: OpenedConsole) => page.getByRole('button', { name: 'Register passkey' })
const table = ({ page }: OpenedConsole) => page.getByRole('table', { name: 'Active devices' })
const rowOf = (opened: OpenedConsole, name: string) =>
  table(opened)
    .getByRole('row')
    .filter({ has: opened.page.getByRole('rowheader', { name, exact: true }) })
const notices = ({ page }: OpenedConsole) => page.getByRole('region', { name: 'Notifications' })
const noticeOf = (opened: OpenedConsole, title: string) =>
  notices(opened).getByRole('alertdialog').filter({ hasText: title })
const question = ({ page }: OpenedConsole) => page.getByRole('alertdialog', { name: 'Really delete?' })
const proof = ({ page }: OpenedConsole) => page.getByRole('dialog', { name: 'Confirm that it is you' })

/** Not a matcher, because a matcher would wait until a notice has disappeared. */
async function expectNotices(opened: OpenedConsole, count: number) {
  expect(await notices(opened).getByRole('alertdialog').count()).toBe(count)
}

/** Adds a virtual platform authenticator that approves each request immediately. */
async function giveAuthenticator(
  { page, context }: OpenedConsole,
  how: { isUserVerified?: boolean; isTouched?: boolean } = {},
) {
  const session = await context.newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: how.isUserVerified ?? true,
      automaticPresenceSimulation: how.isTouched ?? true,
    },
  })
  return {
    recogniseOwner: () => session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true }),
    credentials: async () => (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
  }
}

test.each([
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
    'Chrome on Linux',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0',
    'Edge on Windows',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
    'Safari on iPhone',
  ],
  ['Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0', 'Firefox on Linux'],
  ['', 'My device'],
])('PASSKEY-02 the example label for a device that sends %j is %j', (userAgent, example) => {
  expect(deviceExample(userAgent)).toBe(example)
})

describe('the passkeys', async () => {
  const server = await testServer({ withConsole: true })
  const { given, db } = server

  async function openPage(as: GivenPerson, options: ConsoleOptions = {}) {
    const opened = await openConsole(server, { as, path: '/me/passkey', ...options })
    // Until the boot ends, the page is hidden and cannot take the focus.
    if (options.path !== null) await expectPage(register(opened)).toBeVisible()
    return opened
  }

  /** Adds a passkey that belongs to another device. */
  async function givePasskey(
    person: GivenPerson,
    passkey: { label: string; aaguid?: string; lastUsed?: Date },
  ) {
    await db
      .insertInto('passkey')
      .values({
        id: uuidv7(),
        person_id: person.personId,
        credential_id: uuidv7(),
        public_key: Buffer.from('none'),
        counter: 0,
        transports: [],
        aaguid: passkey.aaguid ?? '00000000-0000-0000-0000-000000000000',
        label: passkey.label,
        created_at: new Date('2026-01-05T08:03:07Z'),
        last_used_at: passkey.lastUsed ?? null,
      })
      .execute()
  }
  const labelsOf = async (person: GivenPerson) => {
    const { body } = await person.call(passkeyEndpoints.list)
    return body.items.map((passkey) => passkey.label)
  }

  describe('the table', () => {
    test('PASSKEY-01 shows label, creation and last use of each device, and its authenticator where known', async () => {
      const ada = await given.person()
      const lastUsed = new Date('2026-02-01T10:00:00Z')
      await givePasskey(ada, { label: 'Laptop', aaguid: 'fbfc3007-154e-4ecc-8c0b-6e020557d7bd', lastUsed })
      await givePasskey(ada, { label: 'Key in the safe' })
      const opened = await openPage(ada)
      await expectPage(table(opened).getByRole('columnheader')).toHaveText([
        'Label',
        'Authenticator',
        'Created at',
        'Last used',
        'Actions',
      ])
      await expectPage(rowOf(opened, 'Laptop').getByRole('cell')).toHaveText([
        'iCloud Keychain',
        '05.01.2026 - 09:03:07',
        '01.02.2026 - 11:00:00',
        /Delete Laptop/,
      ])
      await expectPage(rowOf(opened, 'Key in the safe').getByRole('cell').nth(2)).toHaveText('Never')
      expect((await rowOf(opened, 'Laptop').boundingBox())?.height).toBeCloseTo(38, 0)
      await expectPage(opened.page).toHaveTitle('Passkeys · Account · Pult')
    })

    test('PASSKEY-01 PASSKEY-04 hides the column of authenticators if none is known, shows a card for each device on a phone while screen readers still get a table, and Cancel and Esc keep a passkey', async () => {
      const ada = await given.person()
      await givePasskey(ada, { label: 'Laptop' })
      const opened = await openPage(ada)
      await expectPage(table(opened).getByRole('columnheader')).toHaveText([
        'Label',
        'Created at',
        'Last used',
        'Actions',
      ])
      await opened.page.setViewportSize({ width: 390, height: 844 })
      await opened.page.waitForFunction(() => document.documentElement.scrollWidth === 390)
      await expectPage(rowOf(opened, 'Laptop').getByRole('cell')).toHaveCount(3)
      await expectPage(table(opened).getByRole('columnheader')).toHaveCount(4)
      const [title, created, remove] = [
        await opened.page.getByRole('rowheader', { name: 'Laptop' }).boundingBox(),
        await rowOf(opened, 'Laptop').getByRole('cell').first().boundingBox(),
        await opened.page.getByRole('button', { name: 'Delete Laptop' }).boundingBox(),
      ]
      expect(created?.y).toBeGreaterThanOrEqual((title?.y ?? 0) + (title?.height ?? 0))
      expect(remove?.y).toBeLessThan(created?.y ?? 0)

      for (const keep of [
        () => question(opened).getByRole('button', { name: 'Cancel' }).click(),
        () => opened.page.keyboard.press('Escape'),
      ]) {
        await opened.page.getByRole('button', { name: 'Delete Laptop' }).click()
        await expectPage(question(opened)).toContainText('You can no longer sign in with “Laptop”')
        await expectPage(question(opened).getByRole('button', { name: 'Cancel' })).toBeFocused()
        await keep()
        await expectPage(question(opened)).toHaveCount(0)
        await expectPage(opened.page.getByRole('button', { name: 'Delete Laptop' })).toBeFocused()
      }
      expect(await labelsOf(ada)).toEqual(['Laptop'])
    })

    test('PASSKEY-01 PASSKEY-02 PASSKEY-03 explains passkeys while there are none, enables its button from 3 characters without surrounding spaces, and explains each error of the browser', async () => {
      const opened = await openPage(await given.person())
      await expectPage(opened.page.getByRole('heading', { name: 'No passkeys yet' })).toBeVisible()
      await expectPage(
        opened.page.getByText('Your device or password manager stores a passkey'),
      ).toContainText('Register your first one below')
      await expectPage(table(opened)).toHaveCount(0)
      await opened.expectAccessible()

      await expectPage(register(opened)).toBeDisabled()
      await expectPage(label(opened)).toHaveAttribute('placeholder', 'Chrome on Linux')
      await expectPage(label(opened)).toHaveValue('')
      for (const [typed, isEnabled] of [
        ['ab', false],
        ['  ab  ', false],
        ['👩‍🔬', true],
        ['👍👍', false],
        ['abc', true],
      ] as const) {
        await label(opened).fill(typed)
        await expectPage(register(opened)).toBeEnabled({ enabled: isEnabled })
      }

      await label(opened).fill('Laptop')
      for (const [name, message] of [
        ['ConstraintError', 'This device cannot store a passkey'],
        ['SecurityError', 'The browser does not allow passkeys at the address localhost'],
        ['UnknownError', 'The passkey could not be created'],
      ] as const) {
        await opened.page.evaluate((errorName) => {
          navigator.credentials.create = () => Promise.reject(new DOMException('For programmers.', errorName))
        }, name)
        await register(opened).click()
        await expectPage(noticeOf(opened, 'Passkey error').filter({ hasText: message })).toBeVisible()
      }
      await expectPage(notices(opened)).not.toContainText('For programmers')
    })

    test('PASSKEY-01 a list that fails to load shows an error and a retry', async () => {
      const ada = await given.person()
      await givePasskey(ada, { label: 'Laptop' })
      const opened = await openPage(ada, { path: null })
      await muteEvents(opened.page)
      await opened.page.route(/\/account\/passkeys$/, (route) =>
        route.fulfill({ status: 403, json: { code: 'FORBIDDEN', message: 'Access denied' } }),
      )
      await opened.page.goto('/me/passkey')
      const alert = opened.page.getByRole('alert').filter({ hasText: 'Your passkeys could not be loaded' })
      await expectPage(alert).toContainText('Access denied')
      await opened.page.unroute(/\/account\/passkeys$/)
      await alert.getByRole('button', { name: 'Try again' }).click()
      await expectPage(rowOf(opened, 'Laptop')).toBeVisible()
    })
  })

  describe('the registration', () => {
    test('PASSKEY-03 runs the browser’s ceremony, by the keyboard alone, and reports a device that already has a passkey', async () => {
      const ada = await given.person()
      const opened = await openPage(ada)
      const device = await giveAuthenticator(opened)
      await label(opened).focus()
      await opened.page.keyboard.type(' Chrome on Linux ')
      await opened.page.keyboard.press('Enter')
      await expectPage(noticeOf(opened, 'Passkey added')).toBeVisible()
      await expectPage(rowOf(opened, 'Chrome on Linux')).toContainText('Never')
      await expectPage(label(opened)).toHaveValue('')
      expect(await labelsOf(ada)).toEqual(['Chrome on Linux'])
      expect(await device.credentials()).toMatchObject([{ isResidentCredential: true, rpId: 'localhost' }])

      await label(opened).fill('Laptop again')
      await register(opened).click()
      await expectPage(noticeOf(opened, 'Passkey error')).toContainText(
        'This device already has a passkey for your account',
      )
      await expectPage(label(opened)).toHaveValue('Laptop again')
      expect(await labelsOf(ada)).toEqual(['Chrome on Linux'])
      expect(opened.complaints).toEqual([])
    })

    test('PASSKEY-03 RULE-21 a device that does not verify its user adds nothing', async () => {
      const ada = await given.person()
      const opened = await openPage(ada)
      const device = await giveAuthenticator(opened, { isUserVerified: false })
      await label(opened).fill('Laptop')
      await register(opened).click()
      // The device rejects faster than a person could, so the console offers Continue as for a missing user gesture.
      // On a busy machine the rejection may be slower.
      const [goOn, notice] = [
        opened.page.getByRole('button', { name: 'Continue' }),
        noticeOf(opened, 'Passkey error'),
      ]
      await expectPage(goOn.or(notice).first()).toBeVisible()
      if (await goOn.isVisible()) await goOn.click()
      await expectPage(notice).toContainText('the device did not recognise you')
      expect(await labelsOf(ada)).toEqual([])
      expect(await device.credentials()).toEqual([])
      await device.recogniseOwner()
      await register(opened).click()
      await expectPage(noticeOf(opened, 'Passkey added')).toBeVisible()
    })

    test('PASSKEY-03 a cancelled registration reports that nothing was added and can be repeated', async () => {
      const ada = await given.person()
      const opened = await openPage(ada)
      await giveAuthenticator(opened)
      await opened.page.evaluate(() => {
        const create = navigator.credentials.create.bind(navigator.credentials)
        const cancelled = new Promise((resolve) => Object.assign(globalThis, { cancelPrompt: resolve }))
        navigator.credentials.create = async () => {
          navigator.credentials.create = create
          // No faster than a person, and not before the test has seen the prompt.
          await Promise.all([cancelled, new Promise((resolve) => setTimeout(resolve, 700))])
          throw new DOMException('The operation either timed out or was not allowed.', 'NotAllowedError')
        }
      })
      await label(opened).fill('Laptop')
      await register(opened).click()
      await expectPage(opened.page.getByText('Follow the prompt in your browser').first()).toBeVisible()
      await opened.page.evaluate(() => (globalThis as unknown as { cancelPrompt: () => void }).cancelPrompt())
      const notice = noticeOf(opened, 'Passkey error')
      await expectPage(notice).toContainText('Nothing was added: the request was cancelled')
      await expectPage(notice).not.toContainText('The operation either')
      await register(opened).click()
      await expectPage(noticeOf(opened, 'Passkey added')).toBeVisible()
    })

    test('PASSKEY-03 a rejection by the server is shown with the server’s message', async () => {
      const ada = await given.person()
      for (let count = 0; count < 50; count += 1) await givePasskey(ada, { label: `Key ${count}` })
      const opened = await openPage(ada)
      await giveAuthenticator(opened)
      await label(opened).fill('Laptop')
      await register(opened).click()
      await expectPage(noticeOf(opened, 'Passkey error')).toContainText('You have too many passkeys')
    })

    test('PASSKEY-03 a browser that requires another user gesture gets one, for the same ceremony', async () => {
      const ada = await given.person()
      const opened = await openPage(ada)
      await giveAuthenticator(opened)
      let asked = 0
      await opened.page.route(/\/register\/options$/, (route) => {
        asked += 1
        return route.continue()
      })
      await opened.page.evaluate(() => {
        const create = navigator.credentials.create.bind(navigator.credentials)
        navigator.credentials.create = () => {
          navigator.credentials.create = create
          return Promise.reject(new DOMException('User gesture is not detected.', 'NotAllowedError'))
        }
      })
      await label(opened).fill('Laptop')
      await register(opened).click()
      await expectPage(opened.page.getByText('Press the button again')).toBeVisible()
      await opened.expectAccessible()
      const goOn = opened.page.getByRole('button', { name: 'Continue' })
      await expectPage(goOn).toBeFocused()
      await goOn.press('Enter')
      await expectPage(noticeOf(opened, 'Passkey added')).toBeVisible()
      await expectNotices(opened, 1)
      await expectPage(opened.page.getByText('Press the button again')).toHaveCount(0)
      expect(asked).toBe(1)
      expect(await labelsOf(ada)).toEqual(['Laptop'])
    })

    test('PASSKEY-03 leaving the page cancels the browser’s prompt without a notice', async () => {
      const ada = await given.person()
      const opened = await openPage(ada)
      await giveAuthenticator(opened, { isTouched: false })
      const ceremony = await opened.page.evaluateHandle(() => {
        const create = navigator.credentials.create.bind(navigator.credentials)
        const seen = { asked: 0, error: '' }
        navigator.credentials.create = (options) => {
          seen.asked += 1
          return create(options).catch((error: unknown) => {
            seen.error = error instanceof Error ? error.name : ''
            throw error
          })
        }
        return seen
      })
      await label(opened).fill('Laptop')
      await register(opened).click()
      await expectPage.poll(() => ceremony.jsonValue()).toEqual({ asked: 1, error: '' })
      const navigation = opened.page.getByRole('navigation', { name: 'Account' })
      await navigation.getByRole('link', { name: 'OTP' }).click()
      await expectPage.poll(() => ceremony.jsonValue()).toEqual({ asked: 1, error: 'AbortError' })
      await navigation.getByRole('link', { name: 'Passkeys' }).click()

      // If the server's answer arrives after the user has left the page, the browser does not prompt.
      const answer = Promise.withResolvers<void>()
      await opened.page.route(/\/register\/options$/, async (route) => {
        await answer.promise
        await route.continue()
      })
      const asks = opened.page.waitForRequest(/\/register\/options$/)
      await label(opened).fill('Laptop')
      await register(opened).click()
      await asks
      await navigation.getByRole('link', { name: 'OTP' }).click()
      await expectPage(label(opened)).toHaveCount(0)
      const answered = opened.page.waitForResponse(/\/register\/options$/)
      answer.resolve()
      await answered
      await navigation.getByRole('link', { name: 'Passkeys' }).click()
      await expectPage(label(opened)).toHaveValue('')
      // A prompt that was requested despite the navigation would have been recorded by now.
      await opened.page.waitForTimeout(1000)
      await expectNotices(opened, 0)
      expect(await ceremony.jsonValue()).toMatchObject({ asked: 1 })
      expect(await labelsOf(ada)).toEqual([])
    })

    test('RULE-15 DEC-07 PASSKEY-03 PASSKEY-04 registration and deletion ask for a recent sign-in, then continue', async () => {
      const ada = await given.person()
      const opened = await openPage(ada)
      await giveAuthenticator(opened)
      await label(opened).fill('Laptop')
      await ada.forgetSignIn()
      await register(opened).click()
      await expectPage(proof(opened)).toBeVisible()
      await opened.page.keyboard.press('Escape')
      await expectPage(proof(opened)).toHaveCount(0)
      await expectPage(label(opened)).toHaveValue('Laptop')

      await register(opened).click()
      await expectPage(proof(opened).locator('input:focus')).toBeVisible()
      await opened.page.keyboard.type(ada.password)
      await opened.page.keyboard.press('Enter')
      await expectPage(noticeOf(opened, 'Passkey added')).toBeVisible()
      await expectNotices(opened, 1)
      expect(await labelsOf(ada)).toEqual(['Laptop'])

      await expectPage(rowOf(opened, 'Laptop')).toBeVisible()
      await ada.forgetSignIn()
      await opened.page.getByRole('button', { name: 'Delete Laptop' }).click()
      await question(opened).getByRole('button', { name: 'Delete' }).click()
      await expectPage(proof(opened)).toBeVisible()
      await opened.page.keyboard.press('Escape')
      await expectPage(opened.page.getByRole('button', { name: 'Delete Laptop' })).toBeFocused()
      await expectPage(opened.page.getByRole('alert')).toHaveCount(0)
      expect(await labelsOf(ada)).toEqual(['Laptop'])

      await opened.page.getByRole('button', { name: 'Delete Laptop' }).click()
      await question(opened).getByRole('button', { name: 'Delete' }).click()
      await expectPage(proof(opened).locator('input:focus')).toBeVisible()
      await opened.page.keyboard.type(ada.password)
      await opened.page.keyboard.press('Enter')
      await expectPage(opened.page.getByRole('heading', { name: 'No passkeys yet' })).toBeVisible()
    })

    test('DEC-44 without https a message replaces the form, and existing passkeys can be deleted', async () => {
      const ada = await given.person()
      await givePasskey(ada, { label: 'Laptop' })
      const opened = await openPage(ada, { path: null })
      // The browser treats this page as insecure: its host is not localhost, and it has no https. The test server
      // answers its requests.
      await opened.context.route('http://pult.example/**', async (route) => {
        const { pathname, search } = new URL(route.request().url())
        await route.fulfill({ response: await route.fetch({ url: `${server.url}${pathname}${search}` }) })
      })
      await opened.page.goto('http://pult.example/me/passkey')
      const alert = opened.page.getByRole('alert').filter({ hasText: 'Passkeys need https' })
      // Its boot waits for a socket that never opens.
      await expectPage(alert).toContainText('This page was opened at http://pult.example')
      await expectPage(label(opened)).toHaveCount(0)
      await opened.page.getByRole('button', { name: 'Delete Laptop' }).click()
      await question(opened).getByRole('button', { name: 'Delete' }).click()
      await expectPage(noticeOf(opened, 'Passkey deleted')).toBeVisible()
    }, 40_000)

    test('DEC-44 in a browser without passkeys a message replaces the form', async () => {
      const opened = await openPage(await given.person(), { path: null })
      await opened.context.addInitScript(() => Reflect.deleteProperty(window, 'PublicKeyCredential'))
      await opened.page.goto('/me/passkey')
      await expectPage(
        opened.page.getByRole('alert').filter({ hasText: 'This browser does not support passkeys' }),
      ).toBeVisible()
      await expectPage(
        opened.page.getByText('Your device or password manager stores a passkey'),
      ).not.toContainText('below')
      await expectPage(label(opened)).toHaveCount(0)
    })
  })

  describe('the deletion', () => {
    const ask = ({ page }: OpenedConsole, name: string) =>
      page.getByRole('button', { name: `Delete ${name}` }).click()

    test('PASSKEY-04 deletes the chosen passkey, by the keyboard alone, and keeps the focus at the list', async () => {
      const ada = await given.person()
      for (const name of ['Laptop', 'Phone']) await givePasskey(ada, { label: name })
      const opened = await openPage(ada, { reducedMotion: false })
      await opened.page.getByRole('button', { name: 'Delete Phone' }).focus()
      await opened.page.keyboard.press('Enter')
      await expectPage(question(opened).getByRole('button', { name: 'Cancel' })).toBeFocused()
      await opened.page.keyboard.press('Tab')
      await opened.page.keyboard.press('Enter')
      await expectPage(noticeOf(opened, 'Passkey deleted')).toBeVisible()
      await expectPage(rowOf(opened, 'Phone')).toHaveCount(0)
      await opened.page.keyboard.press('Tab')
      await expectPage(opened.page.getByRole('button', { name: 'Delete Laptop' })).toBeFocused()
      expect(await labelsOf(ada)).toEqual(['Laptop'])
    })

    test('RULE-26 of the last sign-in method is rejected, and the reason stays visible', async () => {
      const ada = await given.person()
      await givePasskey(ada, { label: 'Laptop' })
      await db.updateTable('person').set({ password_hash: null }).where('id', '=', ada.personId).execute()
      const opened = await openPage(ada)
      await ask(opened, 'Laptop')
      await question(opened).getByRole('button', { name: 'Delete' }).click()
      const alert = opened.page.getByRole('alert').filter({ hasText: 'Passkey error' })
      await expectPage(alert).toContainText('This is your only way to sign in')
      await expectPage(rowOf(opened, 'Laptop')).toBeVisible()
      await opened.expectAccessible()
    })
  })

  test('PASSKEY-01 PASSKEY-02 PASSKEY-04 accessible in each theme and width', async () => {
    const ada = await given.person()
    await givePasskey(ada, { label: 'Laptop', aaguid: 'fbfc3007-154e-4ecc-8c0b-6e020557d7bd' })
    const opened = await openPage(ada)
    await expectPage(rowOf(opened, 'Laptop')).toBeVisible()
    await label(opened).fill('Phone')
    await opened.expectAccessibleInLooks()
    await opened.page.getByRole('button', { name: 'Delete Laptop' }).click()
    await expectPage(question(opened)).toBeVisible()
    await opened.expectAccessibleInLooks()
    expect(opened.complaints).toEqual([])
  })
})
