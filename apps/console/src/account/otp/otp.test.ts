import { readFile } from 'node:fs/promises'
import { type OtpEnrolment, otpEndpoints } from '@pult/contract'
import {
  type ConsoleOptions,
  expectPage,
  type GivenPerson,
  type OpenedConsole,
  openConsole,
  testServer,
} from '@pult/testkit'
import { Secret, TOTP } from 'otpauth'
import { describe, expect, test } from 'vitest'
import { qrPathOf } from '#platform/qr/qr-path.ts'

const button = ({ page }: OpenedConsole, name: string) => page.getByRole('button', { name, exact: true })
const code = ({ page }: OpenedConsole) => page.getByLabel('Code', { exact: true })
const shownCodes = ({ page }: OpenedConsole) =>
  page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
const noticeOf = ({ page }: OpenedConsole, title: string) =>
  page.getByRole('region', { name: 'Notifications' }).getByRole('alertdialog').filter({ hasText: title })
const question = ({ page }: OpenedConsole) => page.getByRole('alertdialog', { name: /\?$/ })
const proof = ({ page }: OpenedConsole) => page.getByRole('dialog', { name: 'Please confirm that it is you' })

/** Turning back is no failure. Not a matcher, which would wait until a notice has left. */
async function expectNoNotice({ page }: OpenedConsole) {
  await page.waitForTimeout(1000)
  expect(await page.getByRole('region', { name: 'Notifications' }).count()).toBe(0)
}

/** What an authenticator shows that has the secret of the enrolment. */
const codeOf = ({ otpAuthUrl }: OtpEnrolment) =>
  new TOTP({ secret: Secret.fromBase32(new URL(otpAuthUrl).searchParams.get('secret') ?? '') }).generate()

describe('the two-factor page', async () => {
  const server = await testServer({ withConsole: true })
  const { given, db } = server

  async function openPage(as: GivenPerson, options: ConsoleOptions = {}) {
    const opened = await openConsole(server, { as, path: '/me/otp', ...options })
    // Before the boot is over the page is there, but out of sight: nothing can take the focus.
    const heading = opened.page.getByRole('heading', { level: 1 })
    if (options.path !== null) await expectPage(heading).toBeVisible()
    return opened
  }

  const stateOf = async (person: GivenPerson) => (await person.call(otpEndpoints.read)).body

  /** Presses Enable OTP and answers what the server made. */
  async function begin(opened: OpenedConsole): Promise<OtpEnrolment> {
    const answered = opened.page.waitForResponse(/\/account\/otp\/init$/)
    await button(opened, 'Enable OTP').click()
    const enrolment = (await (await answered).json()) as OtpEnrolment
    for (const value of enrolment.recoveryCodes) server.watchSecret(value)
    await expectPage(code(opened)).toBeVisible()
    return enrolment
  }
  const wrongFor = (right: string) => right.replace(/^./, (digit) => String((Number(digit) + 5) % 10))

  describe('off', () => {
    test('OTP-01 has an Enable OTP button, and says what it is good for', async () => {
      const opened = await openPage(await given.person())
      await expectPage(button(opened, 'Enable OTP')).toBeVisible()
      await expectPage(opened.page.getByText('also asks for a code from an app on your phone')).toBeVisible()
      await expectPage(button(opened, 'Disable two-factor authentication')).toHaveCount(0)
      await expectPage(opened.page).toHaveTitle('Two-factor authentication · Account · Pult')
    })

    test('OTP-01 a state that cannot be loaded says so and can be asked for again', async () => {
      const opened = await openPage(await given.person(), { path: null })
      await opened.page.route(/\/account\/otp$/, (route) =>
        route.fulfill({ status: 403, json: { code: 'FORBIDDEN', message: 'Access denied' } }),
      )
      await opened.page.goto('/me/otp')
      await expectPage(opened.page.getByRole('alert')).toContainText('Access denied')
      await opened.page.unroute(/\/account\/otp$/)
      await button(opened, 'Try again').click()
      await expectPage(button(opened, 'Enable OTP')).toBeVisible()
    })

    test('RULE-15 DEC-07 OTP-02 asks for a recent sign-in, and then goes on', async () => {
      const ada = await given.person()
      const opened = await openPage(ada)
      await expectPage(button(opened, 'Enable OTP')).toBeVisible()
      await ada.forgetSignIn()
      await button(opened, 'Enable OTP').click()
      await expectPage(proof(opened)).toBeVisible()
      await opened.page.keyboard.press('Escape')
      await expectPage(button(opened, 'Enable OTP')).toBeFocused()
      await expectNoNotice(opened)
      await button(opened, 'Enable OTP').click()
      await expectPage(proof(opened)).toBeVisible()
      await opened.page.keyboard.type(ada.password)
      await opened.page.keyboard.press('Enter')
      await expectPage(shownCodes(opened)).toHaveCount(10)
    })
  })

  describe('being set up', () => {
    test('OTP-02 shows the QR code, the secret in groups, and the recovery codes', async () => {
      const opened = await openPage(await given.person())
      const { otpAuthUrl, recoveryCodes } = await begin(opened)
      const qr = opened.page.getByRole('img', { name: 'QR code of the secret' })
      const { d, size } = qrPathOf(otpAuthUrl)
      await expectPage(qr.locator('path')).toHaveAttribute('d', d)
      await expectPage(qr).toHaveAttribute('viewBox', `0 0 ${size} ${size}`)
      const secret = new URL(otpAuthUrl).searchParams.get('secret') ?? ''
      await expectPage(opened.page.locator('code').filter({ hasText: secret.slice(0, 4) })).toHaveText(
        (secret.match(/.{4}/g) ?? []).join(' '),
      )
      await expectPage(shownCodes(opened)).toHaveText(recoveryCodes)
      expect(opened.complaints).toEqual([])
    })

    for (const theme of ['light', 'dark'] as const) {
      test(`OTP-02 the QR code is dark on light, ${theme}`, async () => {
        const opened = await openPage(await given.person(), { theme })
        await begin(opened)
        const qr = opened.page.getByRole('img', { name: 'QR code of the secret' })
        await expectPage(qr.locator('path')).toHaveCSS('fill', 'rgb(0, 0, 0)')
        await expectPage(qr.locator('..')).toHaveCSS('background-color', 'rgb(255, 255, 255)')
      })
    }

    test('OTP-02 on a phone, which cannot scan itself, a link hands the secret to the app', async () => {
      const opened = await openPage(await given.person(), { viewport: { width: 390, height: 844 } })
      const link = opened.page.getByRole('link', { name: 'Open in an authenticator app' })
      const { otpAuthUrl } = await begin(opened)
      await expectPage(link).toHaveCount(0)
      const session = await opened.context.newCDPSession(opened.page)
      await session.send('Emulation.setTouchEmulationEnabled', { enabled: true })
      await expectPage(link).toHaveAttribute('href', otpAuthUrl)
      await opened.expectAccessible()
    })

    test('OTP-01 while its state is on its way, a phone need not be scrolled sideways', async () => {
      const opened = await openPage(await given.person(), {
        path: null,
        viewport: { width: 390, height: 844 },
      })
      await opened.page.route(/\/api\/.*otp/, () => {})
      await opened.page.goto('/me/otp', { waitUntil: 'commit' })
      await expectPage(opened.page.locator('main [aria-busy=true]')).toBeVisible()
      expect(await opened.page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    })

    test('DEC-05 OTP-02 nothing has changed yet, and leaving is harmless', async () => {
      const ada = await given.person()
      const opened = await openPage(ada)
      await begin(opened)
      await expectPage(opened.page.getByText('Nothing has changed yet.')).toBeVisible()
      expect(await stateOf(ada)).toMatchObject({ isEnabled: false, recoveryCodesLeft: 0 })
      await button(opened, 'Cancel').click()
      await expectPage(button(opened, 'Enable OTP')).toBeVisible()
      await expectPage(opened.page.getByRole('region', { name: 'Two-factor authentication' })).toBeFocused()
      await begin(opened)
      await opened.page.reload()
      await expectPage(button(opened, 'Enable OTP')).toBeVisible()
      expect(await stateOf(ada)).toMatchObject({ isEnabled: false })
      expect(await ada.login()).toBeTypeOf('string')
    })

    test('OTP-02 the code field is that of a login, and takes a code as it was copied', async () => {
      const opened = await openPage(await given.person())
      await begin(opened)
      await expectPage(code(opened)).toHaveAttribute('autocomplete', 'one-time-code')
      await expectPage(code(opened)).toHaveAttribute('inputmode', 'numeric')
      await code(opened).focus()
      await opened.page.keyboard.insertText(' 123 456 ')
      await expectPage(code(opened)).toHaveValue('123456')
      await code(opened).fill('12a')
      await button(opened, 'Activate').click()
      await expectPage(code(opened)).toHaveAccessibleDescription('Please enter an OTP')
      await expectPage(code(opened)).toBeFocused()
    })

    test('OTP-04 DEC-05 a code of the new secret turns it on, by the keyboard alone', async () => {
      const ada = await given.person()
      const opened = await openPage(ada)
      await button(opened, 'Enable OTP').focus()
      const answered = opened.page.waitForResponse(/\/account\/otp\/init$/)
      await opened.page.keyboard.press('Enter')
      const enrolment = (await (await answered).json()) as OtpEnrolment
      await expectPage(opened.page.getByRole('region', { name: 'Two-factor authentication' })).toBeFocused()
      for (const name of ['Copy secret', 'Copy', 'Download', 'Print']) {
        await opened.page.keyboard.press('Tab')
        await expectPage(button(opened, name)).toBeFocused()
        await expectNoNotice(opened)
      }
      await opened.page.keyboard.press('Tab')
      const right = codeOf(enrolment)
      await opened.page.keyboard.type(`${right.slice(0, 3)} ${right.slice(3)}`)
      await opened.page.keyboard.press('Enter')
      await expectPage(noticeOf(opened, 'OTP activated')).toBeVisible()
      await expectPage(opened.page.getByText('Two-factor authentication is on')).toBeVisible()
      await expectPage(opened.page.getByText('10 of 10 are left')).toBeVisible()
      await expectPage(opened.page.getByRole('region', { name: 'Two-factor authentication' })).toBeFocused()
      expect(await stateOf(ada)).toMatchObject({ isEnabled: true, recoveryCodesLeft: 10 })
      expect(opened.complaints).toEqual([])
    })

    test('OTP-04 a wrong code is refused at the field, and the right one still works', async () => {
      const ada = await given.person()
      const opened = await openPage(ada)
      const right = codeOf(await begin(opened))
      await code(opened).fill(wrongFor(right))
      await button(opened, 'Activate').click()
      await expectPage(noticeOf(opened, 'OTP activation error')).toContainText('This OTP does not match')
      await expectPage(code(opened)).toHaveAccessibleDescription(/This OTP does not match/)
      await expectPage(code(opened)).toBeFocused()
      expect(await stateOf(ada)).toMatchObject({ isEnabled: false })
      // What is there is selected: the next code replaces it.
      await opened.page.keyboard.type(right)
      await expectPage(code(opened)).not.toHaveAttribute('aria-invalid')
      await opened.page.keyboard.press('Enter')
      await expectPage(noticeOf(opened, 'OTP activated')).toBeVisible()
    })

    test('OTP-04 a set-up that was finished elsewhere says so, and the page shows what is in force', async () => {
      const ada = await given.person()
      const opened = await openPage(ada)
      const right = codeOf(await begin(opened))
      const { body: elsewhere } = await ada.call(otpEndpoints.init)
      expect(await ada.call(otpEndpoints.activate, { body: { otp: codeOf(elsewhere) } })).toSucceed()
      await code(opened).fill(right)
      await button(opened, 'Activate').click()
      await expectPage(noticeOf(opened, 'OTP activation error')).toContainText('Please start over')
      await expectPage(opened.page.getByText('Two-factor authentication is on')).toBeVisible()
    })

    test('DEC-06 the recovery codes can be copied', async () => {
      const opened = await openPage(await given.person())
      const { otpAuthUrl, recoveryCodes } = await begin(opened)
      const clipboard = () => opened.page.evaluate(() => navigator.clipboard.readText())
      await opened.context.grantPermissions(['clipboard-read', 'clipboard-write'])
      await button(opened, 'Copy').click()
      await expectPage(button(opened, 'Copied')).toBeVisible()
      expect(await clipboard()).toBe(recoveryCodes.join('\n'))
      await expectPage(button(opened, 'Copy')).toBeVisible()
      await button(opened, 'Copy secret').click()
      await expectPage(button(opened, 'Copied')).toBeVisible()
      expect(await clipboard()).toBe(new URL(otpAuthUrl).searchParams.get('secret'))
    })

    test('DEC-06 and copied where the browser has no clipboard for pages', async () => {
      const opened = await openPage(await given.person(), { path: null })
      await opened.context.grantPermissions(['clipboard-read', 'clipboard-write'])
      await opened.page.goto('/me/otp')
      const { recoveryCodes } = await begin(opened)
      await opened.page.evaluate(() => {
        Object.assign(window, { clipboardOfTest: navigator.clipboard })
        Object.defineProperty(navigator, 'clipboard', { value: undefined })
      })
      await button(opened, 'Copy').click()
      await expectPage(button(opened, 'Copied')).toBeVisible()
      const copied = await opened.page.evaluate(() =>
        (window as unknown as { clipboardOfTest: Clipboard }).clipboardOfTest.readText(),
      )
      expect(copied).toBe(recoveryCodes.join('\n'))
    })

    test('DEC-06 and says so when the browser refuses', async () => {
      const opened = await openPage(await given.person())
      await begin(opened)
      await opened.page.evaluate(() => {
        navigator.clipboard.writeText = () => Promise.reject(new DOMException('No.', 'NotAllowedError'))
        Object.assign(document, { execCommand: () => false })
      })
      await button(opened, 'Copy').click()
      await expectPage(button(opened, 'Copying failed')).toBeVisible()
    })

    test('DEC-06 the recovery codes can be downloaded as a text that says whose they are', async () => {
      const ada = await given.person()
      const opened = await openPage(ada)
      const { recoveryCodes } = await begin(opened)
      const downloading = opened.page.waitForEvent('download')
      await button(opened, 'Download').click()
      const download = await downloading
      expect(download.suggestedFilename()).toBe('pult-recovery-codes.txt')
      const text = await readFile(await download.path(), 'utf8')
      expect(text.split('\n')).toEqual(expect.arrayContaining([server.url, ada.email, ...recoveryCodes]))
      expect(opened.complaints).toEqual([])
    })

    test('DEC-06 the recovery codes can be printed, and nothing else of the page', async () => {
      const ada = await given.person()
      const opened = await openPage(ada, { theme: 'dark' })
      const { recoveryCodes } = await begin(opened)
      const { page } = opened
      // A headless browser has no dialog to print from; the rest is as on paper.
      await page.evaluate(() => {
        window.print = () => dispatchEvent(new Event('beforeprint'))
      })
      await button(opened, 'Print').click()
      await page.emulateMedia({ media: 'print' })
      const visible = await page.evaluate(() => document.body.innerText.split('\n').filter(Boolean))
      expect(visible).toEqual([
        'Pult recovery codes',
        server.url,
        ada.email,
        ...recoveryCodes,
        expect.stringContaining('Keep this sheet in a safe place'),
      ])
      await expectPage(page.getByText('Pult recovery codes')).toHaveCSS('color', 'rgb(0, 0, 0)')
      await expectPage(page.locator('html')).toHaveCSS('background-color', 'rgb(255, 255, 255)')
      await page.evaluate(() => dispatchEvent(new Event('afterprint')))
      await page.emulateMedia({ media: 'screen' })
      await expectPage(page.getByText('Pult recovery codes')).toHaveCount(0)
      await expectPage(code(opened)).toBeVisible()
    })
  })

  describe('on', () => {
    test('OTP-03 has Regenerate recovery codes and Disable two-factor authentication', async () => {
      const opened = await openPage(await given.person({ otp: true }))
      await expectPage(button(opened, 'Regenerate recovery codes')).toBeVisible()
      await expectPage(button(opened, 'Disable two-factor authentication')).toBeVisible()
      await expectPage(opened.page.getByText(/Since \d\d\.\d\d\.\d{4} - \d\d:\d\d:\d\d/)).toBeVisible()
      await expectPage(button(opened, 'Enable OTP')).toHaveCount(0)
    })

    test.each([
      [4, null],
      [3, 'Only 3 recovery codes are left'],
      [1, 'Only one recovery code is left'],
      [0, 'No recovery codes are left'],
    ])('DEC-06 says that %i recovery codes are left, and warns: %j', async (left, warning) => {
      const ada = await given.person({ otp: true })
      const codes = await db
        .selectFrom('recovery_code')
        .select('id')
        .where('person_id', '=', ada.personId)
        .execute()
      for (const { id } of codes.slice(left)) {
        await db.updateTable('recovery_code').set({ used_at: new Date() }).where('id', '=', id).execute()
      }
      const opened = await openPage(ada)
      await expectPage(opened.page.getByText(`${left} of 10 are left`)).toBeVisible()
      const alert = opened.page.getByRole('alert')
      if (warning === null) await expectPage(alert).toHaveCount(0)
      else await expectPage(alert).toContainText(warning)
    })

    test('OTP-03 DEC-06 regenerating asks first, and shows the new codes', async () => {
      const ada = await given.person({ otp: true })
      const opened = await openPage(ada)
      let calls = 0
      opened.page.on('request', (request) => {
        if (request.url().endsWith('/otp/recovery-codes')) calls += 1
      })
      await button(opened, 'Regenerate recovery codes').click()
      await expectPage(question(opened)).toContainText('Those that you have kept so far end at once')
      await opened.page.keyboard.press('Escape')
      await expectPage(button(opened, 'Regenerate recovery codes')).toBeFocused()
      expect(calls).toBe(0)

      await button(opened, 'Regenerate recovery codes').click()
      const answered = opened.page.waitForResponse(/\/otp\/recovery-codes$/)
      await button(opened, 'Regenerate').click()
      const { recoveryCodes } = (await (await answered).json()) as { recoveryCodes: string[] }
      await expectPage(shownCodes(opened)).toHaveText(recoveryCodes)
      await expectPage(opened.page.getByText('They are shown only now')).toBeVisible()
      await expectPage(opened.page.getByRole('region', { name: 'Two-factor authentication' })).toBeFocused()
      await opened.expectAccessible()
      await button(opened, 'Done').click()
      await expectPage(button(opened, 'Regenerate recovery codes')).toBeVisible()
      await expectPage(shownCodes(opened)).toHaveCount(0)
    })

    test('OTP-03 OTP-04 disabling asks first, and then says OTP removed', async () => {
      const ada = await given.person({ otp: true })
      const opened = await openPage(ada, { reducedMotion: false })
      await button(opened, 'Disable two-factor authentication').click()
      await expectPage(question(opened)).toContainText('your password alone is enough to sign in')
      await button(opened, 'Cancel').click()
      await expectPage(question(opened)).toHaveCount(0)
      expect(await stateOf(ada)).toMatchObject({ isEnabled: true })

      await button(opened, 'Disable two-factor authentication').click()
      await button(opened, 'Disable').click()
      await expectPage(noticeOf(opened, 'OTP removed')).toBeVisible()
      await expectPage(button(opened, 'Enable OTP')).toBeVisible()
      await opened.page.keyboard.press('Tab')
      await expectPage(button(opened, 'Enable OTP')).toBeFocused()
      expect(await stateOf(ada)).toMatchObject({ isEnabled: false })
    })

    test('OTP-04 a disabling that fails says OTP reset error', async () => {
      const ada = await given.person({ otp: true })
      const opened = await openPage(ada)
      await button(opened, 'Disable two-factor authentication').click()
      expect(await ada.call(otpEndpoints.disable)).toSucceed()
      await button(opened, 'Disable').click()
      await expectPage(noticeOf(opened, 'OTP reset error')).toContainText(
        'Two-factor authentication is not enabled',
      )
      await expectPage(button(opened, 'Enable OTP')).toBeVisible()
    })

    test('RULE-15 DEC-07 OTP-03 asks for a recent sign-in, and then goes on', async () => {
      const ada = await given.person({ otp: true })
      const opened = await openPage(ada, { reducedMotion: false })
      await expectPage(button(opened, 'Disable two-factor authentication')).toBeVisible()
      await ada.forgetSignIn()
      for (const [name, confirm] of [
        ['Regenerate recovery codes', 'Regenerate'],
        ['Disable two-factor authentication', 'Disable'],
      ] as const) {
        await button(opened, name).click()
        await button(opened, confirm).click()
        await expectPage(proof(opened)).toBeVisible()
        await opened.page.keyboard.press('Escape')
        await expectPage(proof(opened)).toHaveCount(0)
        await expectPage(button(opened, name)).toBeFocused()
        await expectNoNotice(opened)
      }
      expect(await stateOf(ada)).toMatchObject({ isEnabled: true })

      await button(opened, 'Disable two-factor authentication').click()
      await button(opened, 'Disable').click()
      await proof(opened).getByLabel('Password', { exact: true }).last().fill(ada.password)
      await opened.page.keyboard.press('Enter')
      await expectPage(noticeOf(opened, 'OTP removed')).toBeVisible()
      await expectPage(proof(opened)).toHaveCount(0)
      await opened.page.keyboard.press('Tab')
      await expectPage(button(opened, 'Enable OTP')).toBeFocused()
    })
  })

  for (const theme of ['light', 'dark'] as const) {
    for (const viewport of [
      { width: 1280, height: 800 },
      { width: 390, height: 844 },
    ]) {
      test(`OTP-01 OTP-02 OTP-03 accessible, ${theme}, ${viewport.width} px`, async () => {
        const opened = await openPage(await given.person(), { theme, viewport })
        await expectPage(button(opened, 'Enable OTP')).toBeVisible()
        await opened.expectAccessible()
        await begin(opened)
        await expectPage(opened.page.getByRole('img', { name: 'QR code of the secret' })).toBeVisible()
        await button(opened, 'Activate').click()
        await opened.expectAccessible()
        expect(await opened.page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width)

        const enabled = await openPage(await given.person({ otp: true }), { theme, viewport })
        await expectPage(button(enabled, 'Regenerate recovery codes')).toBeVisible()
        await enabled.expectAccessible()
        expect([...opened.complaints, ...enabled.complaints]).toEqual([])
      }, 60_000)
    }
  }
})
