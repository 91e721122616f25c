import { loginEndpoints } from '@pult/contract'
import {
  expectPage,
  type GivenOtp,
  type GivenPerson,
  type OpenedConsole,
  openConsole,
  testServer,
} from '@pult/testkit'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'

const storedToken = ({ page }: OpenedConsole) => page.evaluate(() => localStorage.getItem('pult.token'))
const username = ({ page }: OpenedConsole) => page.getByPlaceholder('Username / E-Mail')
const password = ({ page }: OpenedConsole) => page.getByLabel('Password', { exact: true })
const otp = ({ page }: OpenedConsole) => page.getByLabel('OTP', { exact: true })
const button = ({ page }: OpenedConsole, name: string) => page.getByRole('button', { name, exact: true })
const alert = ({ page }: OpenedConsole) => page.getByRole('alert')
const wrongFor = (code: string) => (code === '000000' ? '111111' : '000000')

async function enterPassword(opened: OpenedConsole, person: Pick<GivenPerson, 'email' | 'password'>) {
  await username(opened).fill(person.email)
  await username(opened).press('Enter')
  await button(opened, 'Password').click()
  await password(opened).fill(person.password)
  await password(opened).press('Enter')
}

describe('the login of an account with OTP', async () => {
  const server = await testServer({ withConsole: true })
  const { given, db } = server

  async function reachOtp() {
    const ada = await given.person({ otp: true })
    const opened = await openConsole(server)
    await enterPassword(opened, ada)
    await expectPage(otp(opened)).toBeFocused()
    return { ada, opened }
  }

  /** Enters wrong OTPs from another client until the account has to wait. */
  async function blockOtp({ email, password: right, otp: authenticator }: GivenPerson & { otp: GivenOtp }) {
    const credentials = { type: 'credentials', data: { username: email, password: right } } as const
    const { voucher = '' } = (await server.call(loginEndpoints.login, { body: credentials })).body
    server.watchSecret(voucher)
    for (let tries = 0; tries < 5; tries += 1) {
      const body = { type: 'otp', data: { voucher, otp: wrongFor(authenticator.code()) } } as const
      expect(await server.call(loginEndpoints.login, { body })).toFailWith('INVALID_OTP')
    }
  }

  const endVouchers = (personId: string) =>
    db
      .updateTable('otp_voucher')
      .set({ expires_at: sql<Date>`now() - interval '1 second'` })
      .where('person_id', '=', personId)
      .execute()

  test('LOGIN-06 LOGIN-07 LOGIN-09 API-02 API-03 ROUTE-15 the response otp disables the password and shows the OTP field; the voucher stays in memory, and an OTP with it signs in, by keyboard, to the deep link that was opened', async () => {
    const ada = await given.person({ otp: true })
    const opened = await openConsole(server, { path: '/imprint?from=mail#top' })
    const answered = opened.page.waitForResponse(/\/api\/auth\/login$/)
    await enterPassword(opened, ada)
    const { next, token, voucher } = (await (await answered).json()) as Record<string, string>
    expect({ next, token }).toEqual({ next: 'otp', token: undefined })
    server.watchSecret(voucher ?? '')

    await expectPage(password(opened)).toBeDisabled()
    await expectPage(otp(opened)).toBeFocused()
    await expectPage(otp(opened)).toHaveAttribute('autocomplete', 'one-time-code')
    await expectPage(otp(opened)).toHaveAttribute('inputmode', 'numeric')
    expect(
      await otp(opened).evaluate((field: HTMLInputElement) => field.form?.elements.namedItem('password')),
    ).toBeTruthy()
    const kept = await opened.page.evaluate(() =>
      JSON.stringify([localStorage, sessionStorage, location.href, document.cookie]),
    )
    expect(voucher?.length).toBeGreaterThan(20)
    expect(kept).not.toContain(voucher)
    expect(await storedToken(opened)).toBeNull()

    const request = opened.page.waitForRequest(/\/api\/auth\/login$/)
    const code = ada.otp.code()
    await opened.page.keyboard.type(code)
    await opened.page.keyboard.press('Enter')
    const sent = (await request).postDataJSON() as { type: string; data: Record<string, string> }
    expect([sent.type, Object.keys(sent.data), sent.data.otp]).toEqual(['otp', ['voucher', 'otp'], code])
    await expectPage(opened.page.getByRole('heading', { name: 'Imprint' })).toBeVisible()
    await expectPage(opened.page).toHaveURL('/imprint?from=mail#top')
    expect(opened.complaints).toEqual([])
  })

  test('an OTP is accepted with a space, as authenticators show it, and in the digits of other keyboards', async () => {
    const { ada, opened } = await reachOtp()
    await opened.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const paste = async (text: string) => {
      await otp(opened).fill('')
      await opened.page.evaluate((copied) => navigator.clipboard.writeText(copied), text)
      await otp(opened).press('ControlOrMeta+V')
    }
    await paste('Your code: 12-34 567 ')
    await expectPage(otp(opened)).toHaveValue('123456')
    await paste('１２３ ４５６')
    await expectPage(otp(opened)).toHaveValue('123456')
    const code = ada.otp.code()
    await paste(`${code.slice(0, 3)} ${code.slice(3)}`)
    await button(opened, 'Login').click()
    await expectPage(opened.page.getByRole('navigation')).toBeVisible()
  })

  test('LOGIN-08 LOGIN-11 API-24 an OTP has 6 digits; a wrong one is cleared and reported under the form, the password stays disabled, and without a connection the voucher stays, so the next OTP signs in', async () => {
    const { ada, opened } = await reachOtp()
    const calls: string[] = []
    opened.page.on('request', (request) => calls.push(request.url()))
    for (const tooShort of ['', '12345', '12 345', 'abcdef']) {
      await otp(opened).fill('')
      await otp(opened).pressSequentially(tooShort)
      await button(opened, 'Login').click()
      await expectPage(opened.page.getByText('Please enter an OTP')).toBeVisible()
      await expectPage(otp(opened)).toBeFocused()
      await expectPage(otp(opened)).toHaveAttribute('aria-invalid', 'true')
    }
    expect(calls.filter((url) => url.includes('/api/'))).toEqual([])
    await otp(opened).pressSequentially('1')
    await expectPage(opened.page.getByText('Please enter an OTP')).toHaveCount(0)

    await otp(opened).fill(wrongFor(ada.otp.code()))
    await button(opened, 'Login').click()
    await expectPage(alert(opened)).toHaveText('This OTP is not valid')
    await expectPage(otp(opened)).toHaveValue('')
    await expectPage(otp(opened)).toBeFocused()
    await expectPage(password(opened)).toBeDisabled()
    await expectPage(password(opened)).toHaveValue('')
    const [form, message] = [await button(opened, 'Login').boundingBox(), await alert(opened).boundingBox()]
    expect(message?.y).toBeGreaterThanOrEqual((form?.y ?? 0) + (form?.height ?? 0))

    await opened.context.setOffline(true)
    await otp(opened).fill(ada.otp.code())
    await button(opened, 'Login').click()
    await expectPage(alert(opened)).toContainText('The server cannot be reached')
    await expectPage(otp(opened)).toBeFocused()
    await opened.context.setOffline(false)
    const arabic = ada.otp.code().replaceAll(/\d/g, (digit) => String.fromCodePoint(0x660 + Number(digit)))
    await otp(opened).fill(`${arabic.slice(0, 3)} ${arabic.slice(3)}`)
    await button(opened, 'Login').click()
    await expectPage(opened.page.getByRole('navigation')).toBeVisible()
  })

  test('LOGIN-11 an expired voucher leads back to the password, with the reason', async () => {
    const { ada, opened } = await reachOtp()
    await endVouchers(ada.personId)
    await otp(opened).fill(ada.otp.code())
    await button(opened, 'Login').click()
    await expectPage(alert(opened)).toContainText('Enter your password again')
    await expectPage(otp(opened)).toHaveCount(0)
    await expectPage(button(opened, 'Recover account')).toHaveCount(0)
    await expectPage(password(opened)).toBeFocused()
    await expectPage(password(opened)).toHaveValue('')
    await password(opened).fill(ada.password)
    await button(opened, 'Login').click()
    await otp(opened).fill(ada.otp.code())
    await button(opened, 'Login').click()
    await expectPage(opened.page.getByRole('navigation')).toBeVisible()
  })

  test('RULE-06 after too many OTPs the waiting time is shown, and the next attempt asks for an OTP', async () => {
    const { ada, opened } = await reachOtp()
    await blockOtp(ada)
    await otp(opened).fill(ada.otp.code())
    await button(opened, 'Login').click()
    await expectPage(alert(opened)).toContainText(/Try again in \d+ seconds/)
    await expectPage(otp(opened)).toBeFocused()
    await expectPage(otp(opened)).toHaveValue('')
  })

  describe('Abort', () => {
    test('LOGIN-17 returns to the start and discards voucher, password and username; a late response to an OTP does not sign in', async () => {
      const { ada, opened } = await reachOtp()
      await otp(opened).fill('123')
      await button(opened, 'Abort').click()
      await expectPage(username(opened)).toHaveValue('')
      await expectPage(username(opened)).toBeFocused()
      await username(opened).fill(ada.email)
      await button(opened, 'Next').click()
      await button(opened, 'Password').click()
      await expectPage(password(opened)).toBeEnabled()
      await expectPage(password(opened)).toHaveValue('')
      await expectPage(otp(opened)).toHaveCount(0)
      await expectPage(button(opened, 'Recover account')).toHaveCount(0)

      await password(opened).fill(ada.password)
      await password(opened).press('Enter')
      await expectPage(otp(opened)).toBeFocused()
      const answered = Promise.withResolvers<void>()
      await opened.page.route(/\/api\/auth\/login$/, async (route) => {
        const response = await route.fetch()
        await answered.promise
        await route.fulfill({ response }).catch(() => {})
      })
      await otp(opened).fill(ada.otp.code())
      await button(opened, 'Login').click()
      await expectPage(button(opened, 'Login')).toHaveAttribute('aria-disabled', 'true')
      await button(opened, 'Abort').click()
      answered.resolve()
      await opened.page.waitForTimeout(300)
      await expectPage(username(opened)).toBeVisible()
      expect(await storedToken(opened)).toBeNull()
    })
  })
})
