import { meEndpoints, projectEndpoints, tokenLinkEndpoints } from '@pult/contract'
import { expectPage, type OpenedConsole, openConsole, testServer } from '@pult/testkit'
import { describe, expect, test } from 'vitest'

const chosenPassword = 'a moth in relay 70'
const fields = {
  Vorname: 'Grace',
  Nachname: 'Hopper',
  Passwort: chosenPassword,
  'Passwort bestätigen': chosenPassword,
}

const field = ({ page }: OpenedConsole, label: string) => page.getByLabel(label, { exact: true })
const submit = ({ page }: OpenedConsole) => page.getByRole('button', { name: 'Account erstellen' })
const heading = ({ page }: OpenedConsole, name: string) => page.getByRole('heading', { level: 1, name })
const storedToken = ({ page }: OpenedConsole) => page.evaluate(() => localStorage.getItem('pult.token'))

async function fill(opened: OpenedConsole, values: Partial<typeof fields> = {}) {
  for (const [label, value] of Object.entries({ ...fields, ...values }))
    await field(opened, label).fill(value)
}

describe('token links', async () => {
  const server = await testServer({ withConsole: true })
  const { given } = server
  let count = 0

  async function invite(email = `guest${++count}@example.org`) {
    const { link } = await server.app.invitations.invite({ email, isRoot: false })
    const path = new URL(link).pathname
    server.watchSecret(path.split('/').at(-1) ?? '')
    return { email, path }
  }

  describe('the page', () => {
    test('ROUTE-13 shows the registration to a signed-in user without the console’s frame', async () => {
      const { path } = await invite()
      const opened = await openConsole(server, { as: await given.person(), path: null })
      const calls: string[] = []
      opened.page.on('request', (request) => calls.push(new URL(request.url()).pathname))
      await opened.page.goto(path)
      await expectPage(heading(opened, 'Registrierung')).toBeVisible()
      await expectPage(opened.page.getByRole('navigation')).toHaveCount(0)
      expect(calls).not.toContain('/api/projects')
    })

    test('LINK-02 shows a spinner for an unknown action', async () => {
      const opened = await openConsole(server, { path: null })
      await opened.page.route(/\/api\/bift\/preflight\//, (route) =>
        route.fulfill({
          headers: { 'x-request-id': '0198f0c0-0000-7000-8000-000000000001' },
          json: { action: 'user:future', data: { email: 'ada@example.org', user: null } },
        }),
      )
      const answered = opened.page.waitForResponse(/\/api\/bift\/preflight\//)
      await opened.page.goto('/bift/any-token')
      await answered
      await expectPage(opened.page.getByRole('status')).toHaveText('Loading')
      await expectPage(opened.page.getByRole('alert')).toHaveCount(0)
    })

    test('LINK-03 DEC-10 an invalid link fills the page: warning, message, next step', async () => {
      const opened = await openConsole(server, { path: '/bift/of-no-link-at-all' })
      const alert = opened.page.getByRole('alert')
      await expectPage(alert.getByRole('heading', { name: 'This link is no longer valid' })).toBeVisible()
      await expectPage(alert.locator('svg.lucide-triangle-alert')).toBeVisible()
      await expectPage(alert).toContainText('Ask the person who invited you')
      await opened.expectAccessibleInLooks()
      await alert.getByRole('link', { name: 'To the login' }).click()
      await expectPage(opened.page.getByRole('heading', { name: 'Login' })).toBeVisible()
    })

    test('LINK-03 a missing response is reported and can be retried', async () => {
      const { path } = await invite()
      const opened = await openConsole(server, { path: null })
      await opened.page.route(/\/api\/bift\/preflight\//, (route) => route.abort())
      await opened.page.goto(path)
      await expectPage(opened.page.getByRole('alert')).toContainText('The server cannot be reached')
      await opened.page.unroute(/\/api\/bift\/preflight\//)
      await opened.page.getByRole('button', { name: 'Try again' }).click()
      await expectPage(heading(opened, 'Registrierung')).toBeVisible()
    })

    test('LINK-03 DEC-48 a link that could not be read opens once the server answers, without a press', async () => {
      const { path } = await invite()
      const { page } = await openConsole(server, { path: null })
      await page.clock.install()
      await page.route(/\/api\/bift\/preflight\//, (route) =>
        route.fulfill({ status: 503, json: { code: 'BUSY', message: 'The server is busy' } }),
      )
      await page.goto(path)
      await expectPage(page.getByRole('alert')).toContainText('The server is busy')
      const isRepeated = page.waitForResponse(/\/api\/bift\/preflight\//)
      await page.clock.fastForward(5000)
      await isRepeated
      await expectPage(page.getByRole('alert')).toContainText('The server is busy')
      await page.unroute(/\/api\/bift\/preflight\//)
      await page.clock.fastForward(5000)
      await expectPage(page.getByRole('heading', { level: 1, name: 'Registrierung' })).toBeVisible()
    })

    test('ROUTE-13 DEC-10 without a token it accepts a pasted link', async () => {
      const { path } = await invite()
      const opened = await openConsole(server, { path: '/bift' })
      const open = opened.page.getByRole('button', { name: 'Open' })
      await open.click()
      await expectPage(opened.page.getByText('Paste the link', { exact: true })).toBeVisible()
      await field(opened, 'Link').fill('https://elsewhere.example.org/bift/0123456789abcdef')
      await open.click()
      await expectPage(opened.page.getByText('This is not a link to this console')).toBeVisible()
      await opened.expectAccessible()
      await field(opened, 'Link').fill(` ${server.url}${path} `)
      await open.click()
      await expectPage(heading(opened, 'Registrierung')).toBeVisible()
    })
  })

  describe('the registration', () => {
    test('a language change keeps the typed names, but no password', async () => {
      const { email, path } = await invite()
      const opened = await openConsole(server, { path })
      await fill(opened)
      await opened.page.getByRole('link', { name: 'Deutsch' }).click()
      await expectPage(opened.page.getByRole('button', { name: 'Konto erstellen' })).toBeVisible()
      await expectPage(field(opened, 'Vorname')).toHaveValue('Grace')
      await expectPage(field(opened, 'Nachname')).toHaveValue('Hopper')
      await expectPage(field(opened, 'Passwort')).toHaveValue('')
      await expectPage(opened.page.getByRole('definition')).toHaveText(email)
      const kept = await opened.page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))
      expect(kept).not.toContain(chosenPassword)
      expect(kept).not.toContain('Hopper')
      expect(opened.complaints).toEqual([])
    })

    test('DEC-28 is in the language of the browser if the installation has chosen another one, and so is the console', async () => {
      const { path } = await invite()
      const opened = await openConsole(server, { path: null })
      await opened.page.route(`**${path}`, async (route) => {
        const response = await route.fetch()
        const body = (await response.text()).replace('<html lang="de"', '<html lang="en"')
        await route.fulfill({ response, body })
      })
      await opened.page.goto(path)
      await expectPage(opened.page.getByRole('button', { name: 'Konto erstellen' })).toBeVisible()
      expect(await opened.page.evaluate(() => localStorage.getItem('pult.locale'))).toBe('de-DE')
    })

    test('ROUTE-13 LINK-01 REG-01 shows the registration to a signed-out visitor, creates the account and signs in to it; the used link leaves neither the address bar nor the history', async () => {
      const { email, path } = await invite()
      const opened = await openConsole(server, { path })
      await expectPage(heading(opened, 'Registrierung')).toBeVisible()
      await expectPage(opened.page.getByRole('definition')).toHaveText(email)
      await expectPage(opened.page).toHaveTitle('Registrierung · Pult')
      await fill(opened, { Vorname: '  Grace ' })
      await field(opened, 'Passwort bestätigen').press('Enter')
      await expectPage(heading(opened, 'Account erstellt')).toBeFocused()
      await expectPage(opened.page).toHaveURL('/')

      const token = await storedToken(opened)
      const { body } = await server.call(meEndpoints.read, {}, token ?? '')
      expect(body).toMatchObject({ email, firstname: 'Grace', lastname: 'Hopper' })
      await opened.page.getByRole('link', { name: 'Weiter zur Konsole' }).click()
      await expectPage(opened.page.getByRole('navigation')).toBeVisible()
      await opened.page.goBack()
      expect(opened.page.url()).not.toContain('/bift/')
      expect(opened.complaints).toEqual([])
    })

    test('REG-01 REG-02 REG-03 each field shows its requirement until it is met, and the first wrong one has the focus', async () => {
      const { email, path } = await invite()
      const opened = await openConsole(server, { path })
      await expectPage(field(opened, 'Vorname')).toBeFocused()
      // Users see the address as text. Password managers find it in a field.
      await expectPage(opened.page.locator('input[autocomplete=username]')).toHaveValue(email)
      await expectPage(opened.page.getByRole('textbox', { name: 'E-Mail' })).toHaveCount(0)
      for (const label of ['Passwort', 'Passwort bestätigen']) {
        await expectPage(field(opened, label)).toHaveAttribute('autocomplete', 'new-password')
        await expectPage(field(opened, label)).toHaveAttribute('type', 'password')
      }

      await submit(opened).click()
      await expectPage(field(opened, 'Vorname')).toBeFocused()
      for (const label of ['Vorname', 'Nachname']) {
        await expectPage(field(opened, label)).toHaveAccessibleDescription('Mindestens 2 Zeichen')
      }
      for (const label of ['Passwort', 'Passwort bestätigen']) {
        await expectPage(field(opened, label)).toHaveAccessibleDescription('Mindestens 8 Zeichen')
        await expectPage(field(opened, label)).toHaveAttribute('aria-invalid', 'true')
      }

      for (const [label, values, message] of [
        ['Vorname', { Vorname: 'G' }, 'Mindestens 2 Zeichen'],
        ['Nachname', { Nachname: ' H  ' }, 'Mindestens 2 Zeichen'],
        ['Passwort', { Passwort: '1234567', 'Passwort bestätigen': '1234567' }, 'Mindestens 8 Zeichen'],
        [
          'Passwort bestätigen',
          { 'Passwort bestätigen': 'another moth' },
          'Passwörter stimmen nicht überein',
        ],
      ] as const) {
        await fill(opened, values)
        await submit(opened).click()
        await expectPage(field(opened, label)).toHaveAccessibleDescription(message)
        await fill(opened)
        await expectPage(field(opened, label)).not.toHaveAttribute('aria-invalid')
      }

      // The strength shows the weakness before the server rejects it: words of the user's name add no strength.
      await field(opened, 'Passwort').fill('gracehopper')
      await expectPage(field(opened, 'Passwort')).toHaveAccessibleDescription(/Schwach$/)
      await field(opened, 'Passwort').fill('eine gute lange Kette')
      await expectPage(field(opened, 'Passwort')).toHaveAccessibleDescription(/Stark$/)

      // Correcting the password clears the error of its confirmation.
      await field(opened, 'Passwort').fill('a moth in relay 71')
      await submit(opened).click()
      await expectPage(opened.page.getByText('Passwörter stimmen nicht überein')).toBeVisible()
      await field(opened, 'Passwort').fill(chosenPassword)
      await expectPage(opened.page.getByText('Passwörter stimmen nicht überein')).toHaveCount(0)
    })

    test('REG-04 RULE-03 an error of the server appears under the form in its language, accessible, and one about a field also at that field until the user types; so does a link that has been used meanwhile', async () => {
      const { path } = await invite()
      const opened = await openConsole(server, { path })
      await expectPage(submit(opened)).toBeVisible()
      await opened.expectAccessibleInLooks()
      await fill(opened, { Passwort: 'password', 'Passwort bestätigen': 'password' })
      await submit(opened).click()
      const password = field(opened, 'Passwort')
      await expectPage(password).toHaveAccessibleDescription(/auf Listen häufiger Passwörter/)
      await expectPage(password).toBeFocused()
      const alert = opened.page.getByRole('alert')
      await expectPage(alert).toHaveText('Nicht gespeichert. Ändern Sie die markierten Felder')
      const [button, message] = [await submit(opened).boundingBox(), await alert.boundingBox()]
      expect(message?.y).toBeGreaterThanOrEqual((button?.y ?? 0) + (button?.height ?? 0))
      await opened.expectAccessibleInLooks()
      expect(await storedToken(opened)).toBeNull()
      await password.fill('passwor')
      await expectPage(alert).toHaveCount(0)
      await expectPage(password).toHaveAccessibleDescription('Mindestens 8 Zeichen')
      await password.fill('a moth in relay')
      await expectPage(password).not.toHaveAttribute('aria-invalid')

      await fill(opened, { Vorname: 'Gr\u202eace' })
      await submit(opened).click()
      await expectPage(field(opened, 'Vorname')).toHaveAttribute('aria-invalid', 'true')
      await expectPage(alert).toHaveText('Nicht gespeichert. Ändern Sie die markierten Felder')

      await fill(opened)
      const token = path.split('/').at(-1) ?? ''
      const body = { firstname: 'Eve', lastname: 'Smith', password: chosenPassword }
      expect(await server.call(tokenLinkEndpoints.redeem, { params: { token }, body })).toSucceed()
      await submit(opened).click()
      await expectPage(alert).toHaveText('Dieser Link gilt nicht mehr')
      await opened.expectAccessibleInLooks()
    })
  })

  describe('DEC-11 an invitation for an address that has an account', () => {
    test('DEC-11 DEC-12 the invited user signs in to the account, then accepts', async () => {
      const ada = await given.person()
      const { path } = await invite(ada.email)
      const opened = await openConsole(server, { path })
      await expectPage(heading(opened, 'Registrierung')).toBeVisible()
      await opened.page.getByRole('button', { name: 'Ich habe schon einen Account' }).click()
      await expectPage(heading(opened, 'Einladung annehmen')).toBeVisible()
      await opened.expectAccessible()
      await opened.page.getByRole('button', { name: 'Anmelden' }).click()
      await expectPage(opened.page.getByPlaceholder('Username / E-Mail')).toHaveValue(ada.email)
      await opened.page.getByRole('button', { name: 'Next' }).click()
      await opened.page.getByRole('button', { name: 'Password' }).click()
      await opened.page.getByLabel('Password', { exact: true }).fill(ada.password)
      await opened.page.keyboard.press('Enter')
      await expectPage(heading(opened, 'Einladung angenommen')).toBeVisible()
      await expectPage(opened.page).toHaveURL('/')
      await opened.page.getByRole('link', { name: 'Weiter zur Konsole' }).click()
      await expectPage(opened.page.getByRole('navigation')).toBeVisible()
    })

    test('DEC-11 an accepted invitation to a project leads into it, although another project is stored', async () => {
      const root = await given.person({ isRoot: true })
      const { projectId } = await given.project(root, { label: 'Hall 7' })
      const inviteToProject = async (email: string) => {
        const body = { email, productRole: 'project/operator' }
        const sent = await root.call(projectEndpoints.invite, { params: { projectId }, body })
        const path = new URL(sent.body.link ?? '').pathname
        server.watchSecret(path.split('/').at(-1) ?? '')
        return path
      }
      const ada = await given.person()
      await given.project(ada, { label: 'Hall 8' })
      const opened = await openConsole(server, { as: ada })
      await expectPage(heading(opened, 'Hall 8')).toBeVisible()
      await opened.page.goto(await inviteToProject(ada.email))
      await opened.page.getByRole('button', { name: 'Einladung annehmen' }).click()
      await opened.page.getByRole('link', { name: 'Weiter zur Konsole' }).click()
      await expectPage(heading(opened, 'Hall 7')).toBeVisible()

      const registering = await openConsole(server, { path: await inviteToProject('grace@example.org') })
      await fill(registering)
      await submit(registering).click()
      await expectPage(registering.page.getByRole('link', { name: 'Weiter zur Konsole' })).toHaveAttribute(
        'href',
        `/?project=${projectId}`,
      )
    })

    test('DEC-11 its signed-in owner accepts with one press', async () => {
      const ada = await given.person()
      const { path } = await invite(ada.email)
      const opened = await openConsole(server, { as: ada, path })
      await opened.page.getByRole('button', { name: 'Einladung annehmen' }).click()
      await expectPage(heading(opened, 'Einladung angenommen')).toBeVisible()
    })

    test('DEC-11 another signed-in account must sign in as the owner', async () => {
      const ada = await given.person()
      const { path } = await invite(ada.email)
      const opened = await openConsole(server, { as: await given.person(), path })
      await opened.page.getByRole('button', { name: 'Ich habe schon einen Account' }).click()
      await opened.page.getByRole('button', { name: 'Einladung annehmen' }).click()
      await expectPage(opened.page.getByRole('alert')).toContainText('This address already has an account')
      await opened.page.getByRole('button', { name: 'Mit einem anderen Account anmelden' }).click()
      await expectPage(opened.page.getByPlaceholder('Username / E-Mail')).toHaveValue(ada.email)
    })

    test('DEC-11 DEC-12 a registration for an address with an account leads to the sign-in', async () => {
      const ada = await given.person()
      const { path } = await invite(ada.email)
      const opened = await openConsole(server, { path })
      await field(opened, 'Vorname').fill('Ada')
      await field(opened, 'Nachname').fill('Lovelace')
      await field(opened, 'Passwort').fill(ada.password)
      await field(opened, 'Passwort bestätigen').fill(ada.password)
      await opened.page.getByRole('button', { name: 'Account erstellen' }).click()
      await expectPage(heading(opened, 'Einladung annehmen')).toBeVisible()
      await expectPage(opened.page.getByRole('button', { name: 'Anmelden' })).toBeVisible()
    })
  })
})
