import { loginEndpoints, organisationEndpoints, passkeyEndpoints, projectEndpoints } from '@pult/contract'
import { expectPage, type GivenPerson, type OpenedConsole, openConsole, testServer } from '@pult/testkit'
import { describe, expect, test } from 'vitest'

const next = ({ page }: OpenedConsole) => page.getByLabel('New password', { exact: true })
const confirmation = ({ page }: OpenedConsole) => page.getByLabel('Confirm new password', { exact: true })
const save = ({ page }: OpenedConsole) => page.getByRole('button', { name: 'Set new password', exact: true })
const notices = ({ page }: OpenedConsole) => page.getByRole('region', { name: 'Notifications' })
const dialog = ({ page }: OpenedConsole) => page.getByRole('dialog', { name: 'Confirm that it is you' })
const password = (opened: OpenedConsole) => dialog(opened).getByLabel('Password', { exact: true }).last()

describe('a recent sign-in', async () => {
  const server = await testServer({ withConsole: true })
  const { given } = server
  const newPass = 'sieben Störche auf dem Dach'
  server.watchSecret(newPass)

  /** Sets a new password an hour after the sign-in, without the current one. */
  const changeLate = async (opened: OpenedConsole, person: GivenPerson) => {
    await expectPage(next(opened)).toBeVisible()
    await person.forgetSignIn()
    await next(opened).fill(newPass)
    await confirmation(opened).fill(newPass)
    await save(opened).focus()
    await opened.page.keyboard.press('Enter')
    await expectPage(dialog(opened).locator('input:focus')).toBeVisible()
  }
  const openLate = async (person: GivenPerson) => {
    const opened = await openConsole(server, { as: person, path: '/me/password' })
    await changeLate(opened, person)
    return opened
  }
  const isChanged = async ({ email }: GivenPerson) => {
    const { status } = await server.call(loginEndpoints.login, {
      body: { type: 'credentials', data: { username: email, password: newPass } },
    })
    return status === 200
  }

  test('RULE-15 DEC-07 SHELL-07 is requested in place, by the keyboard alone: Esc cancels, a wrong proof shows an error, the correct one continues, and input is preserved', async () => {
    const ada = await given.person()
    const opened = await openLate(ada)
    await expectPage(password(opened)).toBeFocused()
    await expectPage(password(opened)).toHaveAttribute('autocomplete', 'current-password')
    // A person without another method has no choice.
    await expectPage(dialog(opened).getByRole('radio')).toHaveCount(0)
    await expectPage(next(opened)).toHaveValue(newPass)
    expect(await isChanged(ada)).toBe(false)

    await opened.page.keyboard.type('half of')
    await opened.page.keyboard.press('Escape')
    await expectPage(dialog(opened)).toHaveCount(0)
    await expectPage(save(opened)).toBeFocused()
    await expectPage(save(opened)).not.toHaveAttribute('aria-disabled')
    await expectPage(next(opened)).toHaveValue(newPass)
    await expectPage(opened.page.getByText('Password change error')).toHaveCount(0)
    await opened.page.keyboard.press('Enter')
    await expectPage(password(opened)).toHaveValue('')
    await dialog(opened).getByRole('button', { name: 'Cancel' }).click()
    await expectPage(dialog(opened)).toHaveCount(0)
    expect(await isChanged(ada)).toBe(false)

    await save(opened).press('Enter')
    await expectPage(password(opened)).toBeFocused()
    await opened.page.keyboard.press('Enter')
    await expectPage(dialog(opened).getByText('Please enter your password')).toBeVisible()
    await opened.page.keyboard.type('not it at all')
    await opened.page.keyboard.press('Enter')
    await expectPage(dialog(opened).getByRole('alert')).toHaveText('The confirmation failed. Try again')
    await expectPage(password(opened)).toHaveValue('')
    await expectPage(password(opened)).toBeFocused()
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

  test('after too many wrong proofs it shows the waiting time', async () => {
    const opened = await openLate(await given.person())
    const alert = dialog(opened).getByRole('alert')
    for (let tries = 0; tries < 6; tries++) {
      await password(opened).fill('not it at all')
      await password(opened).press('Enter')
      await expectPage(password(opened)).toHaveValue('')
      await expectPage(alert).toBeVisible()
    }
    await expectPage(alert).toContainText(/\. Try again in \d+ seconds$/)
  })

  test('RULE-15 DEC-07 with a second factor on, a one-time password confirms, accessible in each theme and width, and the password is not offered', async () => {
    const ada = await given.person({ otp: true })
    const opened = await openLate(ada)
    await expectPage(dialog(opened).getByRole('radio')).toHaveCount(0)
    await expectPage(dialog(opened).getByLabel('Password', { exact: true })).toHaveCount(0)
    const code = dialog(opened).getByRole('textbox', { name: 'OTP' })
    await expectPage(code).toHaveAttribute('autocomplete', 'one-time-code')
    await opened.expectAccessibleInLooks()
    await expectPage(code).toBeFocused()
    await opened.page.keyboard.type('12345')
    await opened.page.keyboard.press('Enter')
    await expectPage(dialog(opened).getByText('Please enter an OTP')).toBeVisible()
    const shown = ada.otp.code()
    const arabic = shown.replaceAll(/\d/g, (digit) => String.fromCodePoint(0x660 + Number(digit)))
    await code.fill(`${arabic.slice(0, 3)} ${arabic.slice(3)}`)
    await opened.page.keyboard.press('Enter')
    await expectPage(notices(opened).getByText('Password changed', { exact: true })).toBeVisible()
  })

  test('DEC-07 a passkey confirms as well, and a rejection by the browser shows an error', async () => {
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
    await expectPage(dialog(opened).getByRole('alert')).toHaveText('The passkey was not used. Try again')
    expect(await isChanged(ada)).toBe(false)
    await devices.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true })
    await ask.click()
    await expectPage(notices(opened).getByText('Password changed', { exact: true })).toBeVisible()
    expect(await isChanged(ada)).toBe(true)
  })

  test('a session that ends during the question leads to the login, and leaves no request of the page pending', async () => {
    const ada = await given.person()
    const opened = await openLate(ada)
    await opened.page.route(/\/api\/auth\/confirm$/, (route) =>
      route.fulfill({ status: 401, json: { code: 'UNAUTHENTICATED', message: 'Sign in first' } }),
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

  test('RULE-15 DEC-07 deleting an organisation asks in place and then deletes it', async () => {
    const ada = await given.person()
    const { orgId } = await given.organisation(ada)
    const opened = await openConsole(server, { as: ada, path: `/orgs/${orgId}` })
    await expectPage(opened.page.getByRole('button', { name: 'Delete', exact: true })).toBeVisible()
    await ada.forgetSignIn()
    await opened.page.getByRole('button', { name: 'Delete', exact: true }).click()
    await opened.page.getByRole('alertdialog').getByRole('button', { name: 'Delete', exact: true }).click()
    await password(opened).fill(ada.password)
    await password(opened).press('Enter')
    await expectPage(opened.page).toHaveURL('/orgs')
    expect(await ada.call(organisationEndpoints.read, { params: { orgId } })).toFailWith('NOT_FOUND')
  })

  test('RULE-15 DEC-07 an app asks in place and continues with its input; cancelling keeps the input', async () => {
    const ada = await given.person()
    const { projectId } = await given.project(ada, { label: 'Hall 7' })
    const opened = await openConsole(server, { as: ada, path: '/app/project-details/settings' })
    await opened.page.getByRole('button', { name: 'Delete project' }).click()
    const typed = opened.page.getByRole('textbox', { name: /Hall 7/ })
    await typed.fill('Hall 7')
    await ada.forgetSignIn()
    await typed.press('Enter')
    await expectPage(password(opened)).toBeFocused()
    await opened.page.keyboard.press('Escape')
    await expectPage(dialog(opened)).toHaveCount(0)
    await expectPage(typed).toHaveValue('Hall 7')
    await expectPage(opened.page.getByRole('alert')).toHaveCount(0)
    await typed.press('Enter')
    await password(opened).fill(ada.password)
    await password(opened).press('Enter')
    await expectPage(opened.page).toHaveURL('/')
    expect(await ada.call(projectEndpoints.read, { params: { projectId } })).toFailWith('NOT_FOUND')
  })

  test('DEC-07 accessible in each theme and width, and on a phone a sheet at the bottom', async () => {
    const ada = await given.person()
    const opened = await openConsole(server, { as: ada, path: '/me/password' })
    await changeLate(opened, ada)
    await opened.expectAccessibleInLooks()
    await opened.page.keyboard.type('not it at all')
    await opened.page.keyboard.press('Enter')
    await expectPage(dialog(opened).getByRole('alert')).toBeVisible()
    await opened.expectAccessibleInLooks()
    const viewport = { width: 390, height: 844 }
    await opened.page.setViewportSize(viewport)
    const sheet = async () => {
      const { width = 0, y = 0, height = 0 } = (await dialog(opened).boundingBox()) ?? {}
      return { width: Math.round(width), bottom: Math.round(y + height) }
    }
    await expectPage.poll(sheet).toEqual({ width: viewport.width, bottom: viewport.height })
    expect(opened.complaints).toEqual([])
  })
})
