import { text as textOf } from 'node:stream/consumers'
import { type OtpEnrolment, otpEndpoints } from '@pult/contract'
import {
  type ConsoleOptions,
  expectPage,
  type GivenPerson,
  muteEvents,
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
const proof = ({ page }: OpenedConsole) => page.getByRole('dialog', { name: 'Confirm that it is you' })

/**
 * Cancelling is not reported as a failure. Not a matcher, because a matcher would wait until a notice has disappeared.
 */
async function expectNotices({ page }: OpenedConsole, count: number) {
  const notices = page.getByRole('region', { name: 'Notifications' }).getByRole('alertdialog')
  expect(await notices.count()).toBe(count)
}

/** The code that an authenticator with the enrolment's secret shows. */
const codeOf = ({ otpAuthUrl }: OtpEnrolment) =>
  new TOTP({ secret: Secret.fromBase32(new URL(otpAuthUrl).searchParams.get('secret') ?? '') }).generate()

describe('the two-factor page', async () => {
  const server = await testServer({ withConsole: true })
  const { given, db } = server

  async function openPage(as: GivenPerson, options: ConsoleOptions = {}) {
    const opened = await openConsole(server, { as, path: '/me/otp', ...options })
    // Until the boot ends, the page is hidden and cannot take the focus.
    const heading = opened.page.getByRole('heading', { level: 1 })
    if (options.path !== null) await expectPage(heading).toBeVisible()
    return opened
  }

  const stateOf = async (person: GivenPerson) => (await person.call(otpEndpoints.read)).body

  /** Presses Enable OTP and returns the enrolment from the server's response. */
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
    test('OTP-01 OTP-02 RULE-15 DEC-07 shows an Enable OTP button, explains the benefit, and asks for a recent sign-in', async () => {
      const ada = await given.person()
      const opened = await openPage(ada)
      await expectPage(button(opened, 'Enable OTP')).toBeVisible()
      await expectPage(opened.page.getByText('also requires a code from an app on your phone')).toBeVisible()
      await expectPage(button(opened, 'Disable two-factor authentication')).toHaveCount(0)
      await expectPage(opened.page).toHaveTitle('Two-factor authentication · Account · Pult')
      await ada.forgetSignIn()
      await button(opened, 'Enable OTP').click()
      await expectPage(proof(opened)).toBeVisible()
      await opened.page.keyboard.press('Escape')
      await expectPage(button(opened, 'Enable OTP')).toBeFocused()
      await button(opened, 'Enable OTP').click()
      await expectPage(proof(opened).locator('input:focus')).toBeVisible()
      await opened.page.keyboard.type(ada.password)
      await opened.page.keyboard.press('Enter')
      await expectPage(shownCodes(opened)).toHaveCount(10)
      await expectNotices(opened, 0)
    })

    test('OTP-01 a state that fails to load shows an error and a retry', async () => {
      const opened = await openPage(await given.person(), { path: null })
      await muteEvents(opened.page)
      await opened.page.route(/\/account\/otp$/, (route) =>
        route.fulfill({ status: 403, json: { code: 'FORBIDDEN', message: 'Access denied' } }),
      )
      await opened.page.goto('/me/otp')
      await expectPage(opened.page.getByRole('alert')).toContainText('Access denied')
      await opened.page.unroute(/\/account\/otp$/)
      await button(opened, 'Try again').click()
      await expectPage(button(opened, 'Enable OTP')).toBeVisible()
    })
  })

  describe('being set up', () => {
    test('OTP-02 DEC-05 shows the QR code dark on light in the dark theme, the secret in groups, the recovery codes, and a field that accepts a copied code; leaving changes nothing', async () => {
      const ada = await given.person()
      const opened = await openPage(ada, { theme: 'dark' })
      const { otpAuthUrl, recoveryCodes } = await begin(opened)
      const qr = opened.page.getByRole('img', { name: 'QR code of the secret' })
      const { d, size } = qrPathOf(otpAuthUrl)
      await expectPage(qr.locator('path')).toHaveAttribute('d', d)
      await expectPage(qr).toHaveAttribute('viewBox', `0 0 ${size} ${size}`)
      await expectPage(qr.locator('path')).toHaveCSS('fill', 'rgb(0, 0, 0)')
      await expectPage(qr.locator('..')).toHaveCSS('background-color', 'rgb(255, 255, 255)')
      const secret = new URL(otpAuthUrl).searchParams.get('secret') ?? ''
      await expectPage(opened.page.locator('code').filter({ hasText: secret.slice(0, 4) })).toHaveText(
        (secret.match(/.{4}/g) ?? []).join(' '),
      )
      await expectPage(shownCodes(opened)).toHaveText(recoveryCodes)

      // The same attributes as the login's field.
      await expectPage(code(opened)).toHaveAttribute('autocomplete', 'one-time-code')
      await expectPage(code(opened)).toHaveAttribute('inputmode', 'numeric')
      await code(opened).focus()
      await opened.page.keyboard.insertText(' 123 456 ')
      await expectPage(code(opened)).toHaveValue('123456')
      await code(opened).fill('١٢٣ ٤٥')
      await expectPage(code(opened)).toHaveValue('12345')
      await code(opened).fill('12a')
      await button(opened, 'Activate').click()
      await expectPage(code(opened)).toHaveAccessibleDescription('Please enter an OTP')
      await expectPage(code(opened)).toBeFocused()

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
      expect(opened.complaints).toEqual([])
    })

    test('OTP-01 OTP-02 on a phone, which cannot scan its own screen, a link passes the secret to the app, and the page does not scroll sideways while it loads', async () => {
      const opened = await openPage(await given.person(), { viewport: { width: 390, height: 844 } })
      const link = opened.page.getByRole('link', { name: 'Open in an authenticator app' })
      const { otpAuthUrl } = await begin(opened)
      await expectPage(link).toHaveCount(0)
      const session = await opened.context.newCDPSession(opened.page)
      await session.send('Emulation.setTouchEmulationEnabled', { enabled: true })
      await expectPage(link).toHaveAttribute('href', otpAuthUrl)
      await opened.expectAccessible()
      await opened.page.route(/\/api\/.*otp/, () => {})
      await opened.page.goto('/me/otp', { waitUntil: 'commit' })
      await expectPage(opened.page.locator('main [aria-busy=true]')).toBeVisible()
      expect(await opened.page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    })

    test('DEC-06 the recovery codes can be printed without the rest of the page, downloaded as a text file that names the account, and copied, even without the clipboard API; a rejected copy is reported', async () => {
      const ada = await given.person()
      const opened = await openPage(ada, { theme: 'dark' })
      await opened.context.grantPermissions(['clipboard-read', 'clipboard-write'])
      const { otpAuthUrl, recoveryCodes } = await begin(opened)
      const { page } = opened
      // A headless browser has no print dialog, so the test renders the page with print styles.
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

      const downloading = opened.page.waitForEvent('download')
      await button(opened, 'Download').click()
      const download = await downloading
      expect(download.suggestedFilename()).toBe('pult-recovery-codes.txt')
      const text = await textOf(await download.createReadStream())
      expect(text.split('\n')).toEqual(expect.arrayContaining([server.url, ada.email, ...recoveryCodes]))

      const clipboard = () => opened.page.evaluate(() => navigator.clipboard.readText())
      await button(opened, 'Copy').click()
      await expectPage(button(opened, 'Copied')).toBeVisible()
      expect(await clipboard()).toBe(recoveryCodes.join('\n'))
      await button(opened, 'Copy secret').click()
      await expect.poll(clipboard).toBe(new URL(otpAuthUrl).searchParams.get('secret'))

      // A reload ends the set-up, and the next one has other codes.
      await opened.page.reload()
      const { recoveryCodes: otherCodes } = await begin(opened)
      await opened.page.evaluate(() => {
        Object.assign(window, { clipboardOfTest: navigator.clipboard })
        Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true })
      })
      await button(opened, 'Copy').click()
      await expectPage(button(opened, 'Copied')).toBeVisible()
      const copied = await opened.page.evaluate(() =>
        (window as unknown as { clipboardOfTest: Clipboard }).clipboardOfTest.readText(),
      )
      expect(copied).toBe(otherCodes.join('\n'))
      await expectPage(button(opened, 'Copy')).toBeVisible()
      await opened.page.evaluate(() => {
        const writeText = () => Promise.reject(new DOMException('No.', 'NotAllowedError'))
        Object.defineProperty(navigator, 'clipboard', { value: { writeText }, configurable: true })
        Object.assign(document, { execCommand: () => false })
      })
      await button(opened, 'Copy').click()
      await expectPage(button(opened, 'Copying failed')).toBeVisible()
      expect(opened.complaints).toEqual([])
    })

    test('OTP-04 DEC-05 a wrong code is rejected at the field, and a code of the new secret enables it, by the keyboard alone', async () => {
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
      }
      await opened.page.keyboard.press('Tab')
      const right = codeOf(enrolment)
      await opened.page.keyboard.type(wrongFor(right))
      await opened.page.keyboard.press('Enter')
      await expectPage(noticeOf(opened, 'OTP activation error')).toContainText('This OTP is not correct')
      await expectPage(code(opened)).toHaveAccessibleDescription(/This OTP is not correct/)
      await expectPage(code(opened)).toBeFocused()
      expect(await stateOf(ada)).toMatchObject({ isEnabled: false })
      // The rejected code is selected, so the next code replaces it.
      await opened.page.keyboard.type(`${right.slice(0, 3)} ${right.slice(3)}`)
      await expectPage(code(opened)).not.toHaveAttribute('aria-invalid')
      await opened.page.keyboard.press('Enter')
      await expectPage(noticeOf(opened, 'OTP activated')).toBeVisible()
      await expectPage(opened.page.getByText('Two-factor authentication is on')).toBeVisible()
      await expectPage(opened.page.getByText('10 of 10 are left')).toBeVisible()
      await expectPage(opened.page.getByRole('region', { name: 'Two-factor authentication' })).toBeFocused()
      expect(await stateOf(ada)).toMatchObject({ isEnabled: true, recoveryCodesLeft: 10 })
      expect(opened.complaints).toEqual([])
    })

    test('OTP-04 a set-up finished elsewhere is reported, and the page shows the current state', async () => {
      const ada = await given.person()
      const opened = await openPage(ada)
      const right = codeOf(await begin(opened))
      const { body: elsewhere } = await ada.call(otpEndpoints.init)
      expect(await ada.call(otpEndpoints.activate, { body: { otp: codeOf(elsewhere) } })).toSucceed()
      await code(opened).fill(right)
      await button(opened, 'Activate').click()
      await expectPage(noticeOf(opened, 'OTP activation error')).toContainText(
        'This set-up is no longer valid',
      )
      await expectPage(opened.page.getByText('Two-factor authentication is on')).toBeVisible()
    })
  })

  describe('on', () => {
    test('OTP-03 DEC-06 shows Regenerate recovery codes and Disable two-factor authentication, and warns when few recovery codes are left', async () => {
      const ada = await given.person({ otp: true })
      const opened = await openPage(ada)
      await expectPage(button(opened, 'Regenerate recovery codes')).toBeVisible()
      await expectPage(button(opened, 'Disable two-factor authentication')).toBeVisible()
      await expectPage(opened.page.getByText(/Since \d\d\.\d\d\.\d{4} - \d\d:\d\d:\d\d/)).toBeVisible()
      await expectPage(button(opened, 'Enable OTP')).toHaveCount(0)
      await opened.expectAccessibleInLooks()
      const codes = await db
        .selectFrom('recovery_code')
        .select('id')
        .where('person_id', '=', ada.personId)
        .execute()
      for (const [left, warning] of [
        [4, null],
        [3, 'Only 3 recovery codes are left'],
        [1, 'Only one recovery code is left'],
        [0, 'No recovery codes are left'],
      ] as const) {
        const used = codes.slice(left).map(({ id }) => id)
        await db.updateTable('recovery_code').set({ used_at: new Date() }).where('id', 'in', used).execute()
        await opened.page.reload()
        await expectPage(opened.page.getByText(`${left} of 10 are left`)).toBeVisible()
        const alert = opened.page.getByRole('alert')
        if (warning === null) await expectPage(alert).toHaveCount(0)
        else await expectPage(alert).toContainText(warning)
      }
    })

    test('OTP-04 a failed disabling reports OTP reset error', async () => {
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

    test('OTP-03 OTP-04 DEC-06 RULE-15 DEC-07 regenerating asks first, then shows the new codes; disabling asks first, then reports OTP removed; both ask for a recent sign-in', async () => {
      const ada = await given.person({ otp: true })
      const opened = await openPage(ada, { reducedMotion: false })
      let calls = 0
      opened.page.on('request', (request) => {
        if (request.url().endsWith('/otp/recovery-codes')) calls += 1
      })
      await button(opened, 'Regenerate recovery codes').click()
      await expectPage(question(opened)).toContainText('The previous ones stop working immediately')
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

      await button(opened, 'Disable two-factor authentication').click()
      await expectPage(question(opened)).toContainText('Your password alone will be enough to sign in')
      await button(opened, 'Cancel').click()
      await expectPage(question(opened)).toHaveCount(0)
      expect(await stateOf(ada)).toMatchObject({ isEnabled: true })

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
      }
      expect(await stateOf(ada)).toMatchObject({ isEnabled: true })

      await button(opened, 'Disable two-factor authentication').click()
      await button(opened, 'Disable').click()
      await proof(opened).getByLabel('OTP', { exact: true }).last().fill(ada.otp.code())
      await opened.page.keyboard.press('Enter')
      await expectPage(noticeOf(opened, 'OTP removed')).toBeVisible()
      await expectPage(proof(opened)).toHaveCount(0)
      await opened.page.keyboard.press('Tab')
      await expectPage(button(opened, 'Enable OTP')).toBeFocused()
      expect(await stateOf(ada)).toMatchObject({ isEnabled: false })
    })
  })

  test('OTP-01 OTP-02 accessible in each theme and width', async () => {
    const opened = await openPage(await given.person())
    await expectPage(button(opened, 'Enable OTP')).toBeVisible()
    await opened.expectAccessibleInLooks()
    await begin(opened)
    await expectPage(opened.page.getByRole('img', { name: 'QR code of the secret' })).toBeVisible()
    await button(opened, 'Activate').click()
    await opened.expectAccessibleInLooks()

    expect(opened.complaints).toEqual([])
  })
})
