import {
  emailEndpoints,
  limits,
  loginEndpoints,
  recoveryEndpoints,
  sessionEndpoints,
  tokenLinkEndpoints,
} from '@pult/contract'
import {
  expectPage,
  type GivenPerson,
  type OpenedConsole,
  openConsole,
  openMailbox,
  testServer,
} from '@pult/testkit'
import { describe, expect, test } from 'vitest'

const chosenPassword = 'a moth in relay 70'
const field = ({ page }: OpenedConsole, label: string) => page.getByLabel(label, { exact: true })
const button = ({ page }: OpenedConsole, name: string) => page.getByRole('button', { name, exact: true })
const heading = ({ page }: OpenedConsole, name: string) => page.getByRole('heading', { level: 1, name })

describe('the links of an account', async () => {
  const mailbox = await openMailbox()
  const server = await testServer({ withConsole: true, settings: { SMTP_URL: mailbox.url } })
  const { given } = server

  function pathOf(link: string): string {
    server.watchSecret(link.split('/').at(-1) ?? '')
    return new URL(link).pathname
  }

  async function resetLink(person: GivenPerson): Promise<string> {
    const body = { username: person.email }
    expect(await server.call(recoveryEndpoints.resetPassword, { body })).toSucceed()
    return pathOf((await mailbox.take(person.email, /Passwort|password/i)).link)
  }

  const logIn = (username: string, password: string) =>
    server.call(loginEndpoints.login, { body: { type: 'credentials', data: { username, password } } })

  describe('a password reset', () => {
    const submit = (opened: OpenedConsole) => button(opened, 'Passwort speichern')

    async function fill(opened: OpenedConsole, password: string, confirmation = password) {
      await field(opened, 'Neues Passwort').fill(password)
      await field(opened, 'Passwort bestätigen').fill(confirmation)
    }

    test('LINK-01 RESET-01 RESET-02 RULE-03 RULE-43 names the account, marks the password as new, and shows at each field what it requires and an error of the server in its language; saves the password and leads to the login, signed out, accessible', async () => {
      const ada = await given.person()
      const opened = await openConsole(server, { path: await resetLink(ada) })
      await expectPage(opened.page).toHaveTitle('Passwort zurücksetzen · Pult')
      await opened.expectAccessibleInLooks()
      await expectPage(opened.page.getByRole('definition')).toHaveText(ada.email)
      await expectPage(opened.page.locator('input[autocomplete=username]')).toHaveValue(ada.email)
      await expectPage(field(opened, 'Neues Passwort')).toBeFocused()
      for (const label of ['Neues Passwort', 'Passwort bestätigen']) {
        await expectPage(field(opened, label)).toHaveAttribute('autocomplete', 'new-password')
      }
      for (const [password, confirmation, label, message] of [
        ['', '', 'Neues Passwort', 'Mindestens 8 Zeichen'],
        ['1234567', '1234567', 'Neues Passwort', 'Mindestens 8 Zeichen'],
        [chosenPassword, '', 'Passwort bestätigen', 'Mindestens 8 Zeichen'],
        [chosenPassword, 'another moth', 'Passwort bestätigen', 'Passwörter stimmen nicht überein'],
      ] as const) {
        await fill(opened, password, confirmation)
        await submit(opened).click()
        await expectPage(field(opened, label)).toHaveAccessibleDescription(message)
      }

      await fill(opened, 'password')
      await expectPage(field(opened, 'Neues Passwort')).toHaveAccessibleDescription(/Schwach$/)
      await submit(opened).click()
      await expectPage(field(opened, 'Neues Passwort')).toHaveAccessibleDescription(
        /auf Listen häufiger Passwörter/,
      )
      await expectPage(field(opened, 'Neues Passwort')).toBeFocused()
      await expectPage(opened.page.getByRole('alert')).toHaveText(
        'Nicht gespeichert. Ändern Sie die markierten Felder',
      )
      await opened.expectAccessibleInLooks()

      await fill(opened, chosenPassword)
      await field(opened, 'Passwort bestätigen').press('Enter')
      await expectPage(heading(opened, 'Passwort gespeichert')).toBeFocused()
      await expectPage(opened.page).toHaveURL('/')
      await opened.expectAccessibleInLooks()
      expect(await opened.page.evaluate(() => localStorage.getItem('pult.token'))).toBeNull()

      await opened.page.getByRole('link', { name: 'Anmelden' }).click()
      await expectPage(heading(opened, 'Login')).toBeVisible()
      expect(await logIn(ada.email, chosenPassword)).toSucceed()
      expect(await logIn(ada.email, ada.password)).toFailWith('INVALID_CREDENTIALS')
      expect(opened.complaints).toEqual([])
    })

    test('RESET-02 a link that has been used in the meantime shows an error under the form, and input is kept', async () => {
      const path = await resetLink(await given.person())
      const opened = await openConsole(server, { path })
      await fill(opened, chosenPassword)
      const token = path.split('/').at(-1) ?? ''
      const body = { password: 'quite another moth' }
      expect(await server.call(tokenLinkEndpoints.redeem, { params: { token }, body })).toSucceed()
      await submit(opened).click()
      await expectPage(opened.page.getByRole('alert')).toHaveText('Dieser Link gilt nicht mehr')
      await expectPage(field(opened, 'Neues Passwort')).toHaveValue(chosenPassword)
    })
  })

  describe('an e-mail confirmation', () => {
    let count = 0

    async function confirmationLink(person: GivenPerson, email = `second${++count}@example.org`) {
      const answer = await person.call(emailEndpoints.create, { body: { email } })
      expect(answer).toSucceed()
      return { email, path: pathOf((await mailbox.take(email)).link) }
    }

    function redemptionsOf({ page }: OpenedConsole): string[] {
      const sent: string[] = []
      page.on('request', (request) => {
        if (request.url().includes('/api/bift/redeem/')) sent.push(request.method())
      })
      return sent
    }

    test('LINK-01 CONFIRM-01 MAIL-09 RULE-37 DEC-52 in the browser of the requesting account the link confirms the address once, without a click; a second visit shows the same result, and OK leads to the addresses', async () => {
      const ada = await given.person()
      const { email, path } = await confirmationLink(ada)
      const opened = await openConsole(server, { as: ada, path: null })
      const sent = redemptionsOf(opened)
      await opened.page.goto(path)
      await expectPage(heading(opened, 'E-mail verified')).toBeVisible()
      await expectPage(opened.page.getByText(`Thank you for confirming ${email}.`)).toBeVisible()
      await opened.expectAccessibleInLooks()
      const { body } = await ada.call(emailEndpoints.list)
      expect(body.items.find((item) => item.email === email)?.verifiedAt).not.toBeNull()
      expect(sent).toEqual(['POST'])
      await opened.page.reload()
      await expectPage(heading(opened, 'E-mail verified')).toBeVisible()
      await opened.page.getByRole('link', { name: 'OK', exact: true }).click()
      await expectPage(opened.page).toHaveURL('/me/emails')
      await expectPage(opened.page.getByRole('main')).toContainText(email)
      expect(opened.complaints).toEqual([])
    })

    test('DEC-52 CONFIRM-01 elsewhere the page names the address and the account, sends no request until a click, and then confirms, with long names and in an ended session too', async () => {
      const ada = await given.person({
        firstname: 'A'.repeat(limits.nameMax),
        lastname: 'L'.repeat(limits.nameMax),
      })
      const isVerified = async (email: string) => {
        const { body } = await ada.call(emailEndpoints.list)
        return body.items.find((item) => item.email === email)?.verifiedAt != null
      }
      const ended = { token: await ada.openSession() }
      expect(await server.call(sessionEndpoints.logout, {}, ended.token)).toSucceed()
      const long = `${'a'.repeat(60)}@${'b'.repeat(60)}.${'c'.repeat(60)}.example.org`
      for (const [as, address] of [
        [undefined, long],
        [ended, undefined],
        [await given.person({ firstname: 'Grace' }), undefined],
      ] as const) {
        const { email, path } = await confirmationLink(ada, address)
        const opened = await openConsole(server, { ...(as && { as }), path: null })
        const sent = redemptionsOf(opened)
        await opened.page.goto(path)
        await expectPage(heading(opened, 'Confirm this e-mail address?')).toBeVisible()
        const shown = opened.page.getByRole('definition')
        await expectPage(shown).toHaveText([email, /^A+ L+$/, ada.email])
        await expectPage(opened.page.getByText('If you do not know this account')).toBeVisible()
        if (as === undefined) await opened.expectAccessibleInLooks()
        expect(sent).toEqual([])
        expect(await isVerified(email)).toBe(false)

        await button(opened, 'Confirm address').click()
        await expectPage(heading(opened, 'E-mail verified')).toBeFocused()
        await expectPage(opened.page.getByText(`Thank you for confirming ${email}.`)).toBeVisible()
        if (as === undefined) await opened.expectAccessibleInLooks()
        expect(sent).toEqual(['POST'])
        expect(await isVerified(email)).toBe(true)
        await expectPage(opened.page.getByRole('link', { name: 'OK' })).toHaveAttribute('href', '/me/emails')
        expect(opened.complaints).toEqual([])
      }
    })

    test('LINK-03 RULE-44 the link of a removed address shows a warning that fills the page', async () => {
      const ada = await given.person()
      const { email, path } = await confirmationLink(ada)
      const { body } = await ada.call(emailEndpoints.list)
      const emailId = body.items.find((item) => item.email === email)?._id ?? ''
      expect(await ada.call(emailEndpoints.remove, { params: { emailId } })).toSucceed()
      const opened = await openConsole(server, { path })
      await expectPage(opened.page.getByRole('alert')).toContainText('This link is no longer valid')
    })

    test('LINK-03 a confirmation without a response can be retried', async () => {
      const { path } = await confirmationLink(await given.person())
      const opened = await openConsole(server, { path: null })
      const second = Promise.withResolvers<void>()
      let attempts = 0
      await opened.page.route(/\/api\/bift\/redeem\//, async (route) => {
        attempts += 1
        if (attempts === 2) await second.promise
        await route.abort()
      })
      await opened.page.goto(path)
      await button(opened, 'Confirm address').press('Enter')
      await expectPage(opened.page.getByRole('alert')).toContainText('The server cannot be reached')
      await expectPage(opened.page.getByRole('alert').getByRole('heading')).toBeFocused()
      await button(opened, 'Try again').press('Enter')
      await expectPage(button(opened, 'Try again')).toHaveAttribute('aria-disabled', 'true')
      second.resolve()
      await expectPage(button(opened, 'Try again')).not.toHaveAttribute('aria-disabled')
      await expectPage(button(opened, 'Try again')).toBeFocused()
      await opened.page.unroute(/\/api\/bift\/redeem\//)
      await button(opened, 'Try again').press('Enter')
      await expectPage(heading(opened, 'E-mail verified')).toBeFocused()
    })
  })

  describe('a recovery of the second factor', () => {
    const textarea = (opened: OpenedConsole) => field(opened, 'Recovery codes')
    const start = (opened: OpenedConsole) => button(opened, 'Start recovery')

    async function recoveryLink() {
      const grace = await given.person({ firstname: 'Grace', lastname: 'Hopper', otp: true })
      const voucher = (await logIn(grace.email, grace.password)).body.voucher ?? ''
      server.watchSecret(voucher)
      expect(await server.call(recoveryEndpoints.recoverOtp, { body: { voucher } })).toSucceed()
      const path = pathOf((await mailbox.take(grace.email, /Wiederherstell|recover/i)).link)
      return { grace, path, codes: grace.otp?.recoveryCodes ?? [] }
    }

    test('LINK-01 RECOV-01 RECOV-02 RECOV-03 RECOV-04 greets by name, rejects empty input, shows the error and retries with the pasted code, then shows the new secret and codes once and leads to the login, accessible', async () => {
      const { path, codes } = await recoveryLink()
      const opened = await openConsole(server, { path })
      await expectPage(start(opened)).toBeVisible()
      await opened.expectAccessibleInLooks()
      await expectPage(heading(opened, 'Hi Grace Hopper!')).toBeVisible()
      await expectPage(start(opened)).toBeDisabled()
      await textarea(opened).fill('  \n ')
      await expectPage(start(opened)).toBeDisabled()
      await textarea(opened).fill('x')
      await expectPage(start(opened)).toBeEnabled()

      await textarea(opened).fill('AAAA-BBBB-CCCC-DDDD')
      const answered = Promise.withResolvers<void>()
      await opened.page.route(/\/api\/bift\/redeem\//, async (route) => {
        await answered.promise
        await route.continue()
      })
      await start(opened).click()
      await expectPage(start(opened)).toHaveAttribute('aria-disabled', 'true')
      answered.resolve()
      await expectPage(opened.page.getByRole('alert')).toContainText('recovery code')
      await button(opened, 'Try again').click()
      await expectPage(textarea(opened)).toHaveValue('AAAA-BBBB-CCCC-DDDD')
      await textarea(opened).fill(codes.join('; ').toLowerCase())
      await start(opened).click()
      await expectPage(heading(opened, 'Account recovered')).toBeFocused()
      await expectPage(opened.page.getByRole('img', { name: 'QR code of the new secret' })).toBeVisible()
      await expectPage(opened.page.getByText('Keep these recovery codes safe')).toBeVisible()

      const shown = opened.page.getByText(/^[0-9A-Z]{4}(-[0-9A-Z]{4}){3}$/)
      await expectPage(shown).toHaveCount(0)
      await button(opened, 'Show codes').click()
      await expectPage(shown).toHaveCount(10)
      await opened.expectAccessibleInLooks()
      await button(opened, 'Hide codes').click()
      await expectPage(shown).toHaveCount(0)

      await expectPage(opened.page).toHaveURL('/')
      await opened.page.getByRole('link', { name: 'Login' }).click()
      await expectPage(heading(opened, 'Login')).toBeVisible()
      expect(opened.complaints).toEqual([])
    })
  })
})
