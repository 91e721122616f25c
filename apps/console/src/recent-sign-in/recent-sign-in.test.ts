import { loginEndpoints, passkeyEndpoints } from '@pult/contract'
import { expectPage, type GivenPerson, type OpenedConsole, openConsole, testServer } from '@pult/testkit'
import { describe, expect, test } from 'vitest'

const next = ({ page }: OpenedConsole) => page.getByLabel('New password', { exact: true })
const confirmation = ({ page }: OpenedConsole) => page.getByLabel('Confirm new password', { exact: true })
const save = ({ page }: OpenedConsole) => page.getByRole('button', { name: 'Set new password', exact: true })
const notices = ({ page }: OpenedConsole) => page.getByRole('region', { name: 'Notifications' })
const dialog = ({ page }: OpenedConsole) =>
  page.getByRole('dialog', { name: 'Please confirm that it is you' })
const password = (opened: OpenedConsole) => dialog(opened).getByLabel('Password', { exact: true }).last()

describe('a recent sign-in', async () => {
  const server = await testServer({ withConsole: true })
  const { given } = server
  const wanted = 'sieben Störche auf dem Dach'
  server.watchSecret(wanted)

  /** Sets a new password an hour after the sign-in, without the current one. */
  const changeLate = async (opened: OpenedConsole, person: GivenPerson) => {
    await expectPage(next(opened)).toBeVisible()
    await person.forgetSignIn()
    await next(opened).fill(wanted)
    await confirmation(opened).fill(wanted)
    await save(opened).focus()
    await opened.page.keyboard.press('Enter')
    await expectPage(dialog(opened)).toBeVisible()
  }
  const openLate = async (person: GivenPerson) => {
    const opened = await openConsole(server, { as: person, path: '/me/password' })
    await changeLate(opened, person)
    return opened
  }
  const isChanged = async ({ email }: GivenPerson) => {
    const { status } = await server.call(loginEndpoints.login, {
      body: { type: 'credentials', data: { username: email, password: wanted } },
    })
    return status === 200
  }

  test('RULE-15 DEC-07 is asked for in place, by the keyboard alone, and nothing is typed again', async () => {
    const ada = await given.person()
    const opened = await openLate(ada)
    await expectPage(password(opened)).toBeFocused()
    await expectPage(password(opened)).toHaveAttribute('autocomplete', 'current-password')
    await expectPage(next(opened)).toHaveValue(wanted)
    expect(await isChanged(ada)).toBe(false)
    await opened.page.keyboard.type(ada.password)
    await opened.page.keyboard.press('Enter')
    await expectPage(notices(opened).getByText('Password changed', { exact: true })).toBeVisible()
    await expectPage(dialog(opened)).toHaveCount(0)
    await expectPage(save(opened)).toBeFocused()
    await expectPage(opened.page).toHaveURL('/me/password')
    expect(await isChanged(ada)).toBe(true)
    expect(opened.complaints).toEqual([])
  })

  test('RULE-15 a wrong proof says so and stays; the right one then goes on', async () => {
    const ada = await given.person()
    const opened = await openLate(ada)
    await opened.page.keyboard.press('Enter')
    await expectPage(dialog(opened).getByText('Please enter your password')).toBeVisible()
    await opened.page.keyboard.type('not it at all')
    await opened.page.keyboard.press('Enter')
    await expectPage(dialog(opened).getByRole('alert')).toHaveText('This did not match. Please try again')
    await expectPage(password(opened)).toHaveValue('')
    await expectPage(password(opened)).toBeFocused()
    expect(await isChanged(ada)).toBe(false)
    await opened.page.keyboard.type(ada.password)
    await opened.page.keyboard.press('Enter')
    await expectPage(notices(opened).getByText('Password changed', { exact: true })).toBeVisible()
    expect(await isChanged(ada)).toBe(true)
  })

  test('after too many wrong proofs it says how long to wait', async () => {
    const opened = await openLate(await given.person())
    const alert = dialog(opened).getByRole('alert')
    for (let tries = 0; tries < 6; tries++) {
      await password(opened).fill('not it at all')
      await password(opened).press('Enter')
      await expectPage(password(opened)).toHaveValue('')
      await expectPage(alert).toBeVisible()
    }
    await expectPage(alert).toContainText(/\. Try again in (2\d|30) seconds$/)
  })

  test('SHELL-07 Esc cancels: no notice, what was typed stays, and the next try asks again', async () => {
    const ada = await given.person()
    const opened = await openLate(ada)
    await opened.page.keyboard.type('half of')
    await opened.page.keyboard.press('Escape')
    await expectPage(dialog(opened)).toHaveCount(0)
    await expectPage(save(opened)).toBeFocused()
    await expectPage(save(opened)).not.toHaveAttribute('aria-disabled')
    await expectPage(next(opened)).toHaveValue(wanted)
    await expectPage(opened.page.getByText('Password change error')).toHaveCount(0)
    await opened.page.keyboard.press('Enter')
    await expectPage(password(opened)).toHaveValue('')
    await dialog(opened).getByRole('button', { name: 'Cancel' }).click()
    await expectPage(dialog(opened)).toHaveCount(0)
    expect(await isChanged(ada)).toBe(false)
  })

  test('DEC-07 a one-time password does as well, chosen by the arrow keys', async () => {
    const ada = await given.person({ otp: true })
    const opened = await openLate(ada)
    await opened.page.keyboard.press('Shift+Tab')
    await expectPage(dialog(opened).getByRole('radio', { name: 'Password' })).toBeFocused()
    await opened.page.keyboard.press('ArrowRight')
    await expectPage(dialog(opened).getByRole('radio', { name: 'OTP' })).toBeFocused()
    const code = dialog(opened).getByRole('textbox', { name: 'OTP' })
    await expectPage(code).toHaveAttribute('autocomplete', 'one-time-code')
    await opened.page.keyboard.press('Tab')
    await opened.page.keyboard.type('12345')
    await opened.page.keyboard.press('Enter')
    await expectPage(dialog(opened).getByText('Please enter an OTP')).toBeVisible()
    const shown = ada.otp.code()
    await code.fill(`${shown.slice(0, 3)} ${shown.slice(3)}`)
    await opened.page.keyboard.press('Enter')
    await expectPage(notices(opened).getByText('Password changed', { exact: true })).toBeVisible()
  })

  test('DEC-07 a passkey does as well; a browser’s no says so and stays', async () => {
    const ada = await given.person()
    const opened = await openConsole(server, { as: ada, path: '/me/password' })
    const devices = await opened.context.newCDPSession(opened.page)
    await devices.send('WebAuthn.enable')
    const { authenticatorId } = await devices.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
      },
    })
    const options = await ada.call(passkeyEndpoints.registerOptions)
    const result = await opened.page.evaluate(async (json) => {
      const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(json)
      const credential = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential
      return credential.toJSON()
    }, options.body as PublicKeyCredentialCreationOptionsJSON)
    expect(
      await ada.call(passkeyEndpoints.registerResult, { body: { result: result as never, label: 'Laptop' } }),
    ).toSucceed()

    await changeLate(opened, ada)
    await dialog(opened).getByRole('radio', { name: 'Passkey' }).press('Space')
    const ask = dialog(opened).getByRole('button', { name: 'Use passkey' })
    await devices.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
    await ask.click()
    await expectPage(dialog(opened).getByRole('alert')).toHaveText(
      'The passkey was not used. Please try again',
    )
    expect(await isChanged(ada)).toBe(false)
    await devices.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true })
    await ask.click()
    await expectPage(notices(opened).getByText('Password changed', { exact: true })).toBeVisible()
    expect(await isChanged(ada)).toBe(true)
  })

  test('offers only what the person has', async () => {
    const ada = await given.person()
    const opened = await openLate(ada)
    await expectPage(password(opened)).toBeVisible()
    await expectPage(dialog(opened).getByRole('radio')).toHaveCount(0)
  })

  test('a session that ends meanwhile leads to the login, and the page waits for nothing', async () => {
    const ada = await given.person()
    const opened = await openLate(ada)
    await opened.page.route(/\/api\/auth\/confirm$/, (route) =>
      route.fulfill({ status: 401, json: { code: 'UNAUTHENTICATED', message: 'Please sign in' } }),
    )
    await opened.page.keyboard.type(ada.password)
    await opened.page.keyboard.press('Enter')
    await expectPage(opened.page.getByText('Your session has ended')).toBeVisible()
    await expectPage(dialog(opened)).toHaveCount(0)
    await opened.page.unroute(/\/api\/auth\/confirm$/)
    await opened.page.getByPlaceholder('Username / E-Mail').fill(ada.email)
    await opened.page.keyboard.press('Enter')
    await opened.page.getByRole('button', { name: 'Password', exact: true }).click()
    await opened.page.getByLabel('Password', { exact: true }).fill(ada.password)
    await opened.page.keyboard.press('Enter')
    await expectPage(save(opened)).toBeVisible()
    await expectPage(dialog(opened)).toHaveCount(0)
    await changeLate(opened, ada)
    await opened.page.keyboard.type(ada.password)
    await opened.page.keyboard.press('Enter')
    await expectPage(notices(opened).getByText('Password changed', { exact: true })).toBeVisible()
  })

  test('on a phone the question is a sheet at the bottom', async () => {
    const ada = await given.person()
    const viewport = { width: 390, height: 844 }
    const opened = await openConsole(server, { as: ada, path: '/me/password', viewport })
    await changeLate(opened, ada)
    const sheet = await dialog(opened).boundingBox()
    expect(Math.round(sheet?.width ?? 0)).toBe(viewport.width)
    expect(Math.round((sheet?.y ?? 0) + (sheet?.height ?? 0))).toBe(viewport.height)
  })

  for (const theme of ['light', 'dark'] as const) {
    for (const width of [1280, 390]) {
      test(`DEC-07 accessible, ${theme}, ${width} px`, async () => {
        const ada = await given.person({ otp: true })
        const viewport = { width, height: 844 }
        const opened = await openConsole(server, { as: ada, path: '/me/password', theme, viewport })
        await changeLate(opened, ada)
        await opened.expectAccessible()
        await opened.page.keyboard.type('not it at all')
        await opened.page.keyboard.press('Enter')
        await expectPage(dialog(opened).getByRole('alert')).toBeVisible()
        await opened.expectAccessible()
        await dialog(opened).getByRole('radio', { name: 'OTP' }).press('Space')
        await expectPage(dialog(opened).getByRole('textbox', { name: 'OTP' })).toBeVisible()
        await opened.expectAccessible()
        expect(opened.complaints).toEqual([])
      }, 60_000)
    }
  }
})
