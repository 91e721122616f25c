import {
  expectPage,
  type GivenPerson,
  type OpenedConsole,
  openConsole,
  openMailbox,
  testServer,
} from '@pult/testkit'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'

const username = ({ page }: OpenedConsole) => page.getByPlaceholder('Username / E-Mail')
const password = ({ page }: OpenedConsole) => page.getByLabel('Password', { exact: true })
const otp = ({ page }: OpenedConsole) => page.getByLabel('OTP', { exact: true })
const button = ({ page }: OpenedConsole, name: string) => page.getByRole('button', { name, exact: true })
const heading = ({ page }: OpenedConsole, name: string) => page.getByRole('heading', { level: 1, name })
const main = ({ page }: OpenedConsole) => page.getByRole('main')

async function reachPassword(opened: OpenedConsole, name: string) {
  await username(opened).fill(name)
  await button(opened, 'Next').click()
  await button(opened, 'Password').click()
}

describe('requesting a mail instead of signing in', async () => {
  const mailbox = await openMailbox()
  const server = await testServer({ withConsole: true, settings: { SMTP_URL: mailbox.url } })
  const { given, db } = server

  const takeLink = async ({ email }: GivenPerson, subject: RegExp) => {
    const { link } = await mailbox.take(email, subject)
    server.watchSecret(link.split('/').at(-1) ?? '')
    return link
  }

  describe('Forgot password', () => {
    test('LOGIN-13 API-05 requests a reset mail and confirms it, with its validity and a way back, without revealing whether the account exists', async () => {
      const ada = await given.person()
      const opened = await openConsole(server)
      await reachPassword(opened, ada.email)
      const request = opened.page.waitForRequest(/\/api\/auth\/password-reset$/)
      await button(opened, 'Forgot password').click()
      expect((await request).postDataJSON()).toEqual({ username: ada.email })
      await expectPage(heading(opened, 'E-Mail sent')).toBeFocused()
      await expectPage(heading(opened, 'E-Mail sent')).toHaveAccessibleDescription(
        /link to reset the password.*30 minutes/,
      )
      await expectPage(opened.page).toHaveTitle('E-Mail sent · Login · Pult')
      const known = await main(opened).innerText()
      expect(known).toContain(`If an account exists for ${ada.email}`)
      expect(await takeLink(ada, /New password/)).toContain('/bift/')

      await button(opened, 'Back to the login').click()
      await expectPage(username(opened)).toHaveValue(ada.email)
      await expectPage(username(opened)).toBeFocused()

      // The view of an address without an account is the same.
      await reachPassword(opened, 'unknown@example.org')
      await button(opened, 'Forgot password').click()
      await expectPage(heading(opened, 'E-Mail sent')).toBeFocused()
      const unknown = await main(opened).innerText()
      expect(unknown.replaceAll('unknown@example.org', ada.email)).toBe(known)
      expect(opened.complaints).toEqual([])
    })

    test('LOGIN-13 a failure is an error view with the message, and a way back', async () => {
      const ada = await given.person()
      const opened = await openConsole(server)
      await reachPassword(opened, ada.email)
      await opened.page.route(/\/api\/auth\/password-reset$/, (route) =>
        route.fulfill({
          status: 429,
          headers: { 'retry-after': '90' },
          json: { code: 'TOO_MANY_REQUESTS', message: 'Too many attempts. Try again later' },
        }),
      )
      await button(opened, 'Forgot password').press('Enter')
      await expectPage(heading(opened, 'An error occurred')).toBeFocused()
      await expectPage(heading(opened, 'An error occurred')).toHaveAccessibleDescription(/Too many attempts/)
      await expectPage(main(opened)).toContainText(/Try again in \d+ seconds/)
      await opened.page.unroute(/\/api\/auth\/password-reset$/)
      await button(opened, 'Back').press('Enter')
      await expectPage(password(opened)).toBeFocused()
      await password(opened).fill(ada.password)
      await password(opened).press('Enter')
      await expectPage(opened.page.getByRole('navigation')).toBeVisible()
    })

    test('LOGIN-17 a response after Abort is ignored, and a slow response does not block the form', async () => {
      const opened = await openConsole(server)
      const answered = Promise.withResolvers<void>()
      await opened.page.route(/\/api\/auth\/password-reset$/, async (route) => {
        await answered.promise
        await route.fulfill({ json: true }).catch(() => {})
      })
      await reachPassword(opened, 'ada@example.org')
      await button(opened, 'Forgot password').click()
      await expectPage(button(opened, 'Forgot password')).toHaveAttribute('aria-disabled', 'true')
      await expectPage(opened.page.getByText('Requesting an e-mail')).toBeAttached()
      await button(opened, 'Abort').click()
      await expectPage(username(opened)).toBeFocused()
      answered.resolve()
      await opened.page.waitForTimeout(300)
      await expectPage(heading(opened, 'Login')).toBeVisible()
      await expectPage(username(opened)).toHaveValue('')
    })

    test('a login started while a mail is requested replaces the request', async () => {
      const ada = await given.person()
      const opened = await openConsole(server)
      const [mailAnswered, loginAnswered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      await opened.page.route(/\/api\/auth\/password-reset$/, async (route) => {
        await mailAnswered.promise
        await route.fulfill({ json: true }).catch(() => {})
      })
      await opened.page.route(/\/api\/auth\/login$/, async (route) => {
        await loginAnswered.promise
        await route.continue()
      })
      await reachPassword(opened, ada.email)
      await button(opened, 'Forgot password').click()
      await password(opened).fill(ada.password)
      await button(opened, 'Login').click()
      await expectPage(button(opened, 'Forgot password')).not.toHaveAttribute('aria-disabled')
      mailAnswered.resolve()
      await opened.page.waitForTimeout(300)
      await expectPage(button(opened, 'Login')).toHaveAttribute('aria-disabled', 'true')
      loginAnswered.resolve()
      await expectPage(opened.page.getByRole('navigation')).toBeVisible()
    })
  })

  describe('Recover account', () => {
    async function reachOtp() {
      const ada = await given.person({ otp: true })
      const opened = await openConsole(server)
      await reachPassword(opened, ada.email)
      await expectPage(button(opened, 'Recover account')).toHaveCount(0)
      await password(opened).fill(ada.password)
      await password(opened).press('Enter')
      await expectPage(otp(opened)).toBeFocused()
      return { ada, opened }
    }

    test('LOGIN-10 LOGIN-14 API-04 appears with the voucher; a failure is the error view, and Back keeps the voucher; requests a recovery mail with it, and confirms it', async () => {
      const { ada, opened } = await reachOtp()
      await opened.context.setOffline(true)
      await button(opened, 'Recover account').click()
      await expectPage(heading(opened, 'An error occurred')).toBeFocused()
      await expectPage(main(opened)).toContainText('The server cannot be reached')
      await opened.context.setOffline(false)
      await button(opened, 'Back').click()
      await expectPage(otp(opened)).toBeFocused()
      const request = opened.page.waitForRequest(/\/api\/auth\/otp\/recovery$/)
      await button(opened, 'Recover account').click()
      expect(Object.keys((await request).postDataJSON() as object)).toEqual(['voucher'])
      await expectPage(heading(opened, 'E-Mail sent')).toBeFocused()
      await expectPage(main(opened)).toContainText('30 minutes')
      expect(await takeLink(ada, /two-factor/)).toContain('/bift/')
      await button(opened, 'Back to the login').click()
      await expectPage(username(opened)).toHaveValue(ada.email)
    })

    test('LOGIN-14 with an expired voucher, Back leads to the password', async () => {
      const { ada, opened } = await reachOtp()
      await db
        .updateTable('otp_voucher')
        .set({ expires_at: sql<Date>`now() - interval '1 second'` })
        .where('person_id', '=', ada.personId)
        .execute()
      await button(opened, 'Recover account').click()
      await expectPage(heading(opened, 'An error occurred')).toBeFocused()
      await expectPage(main(opened)).toContainText('Enter your password again')
      await button(opened, 'Back').click()
      await expectPage(password(opened)).toBeFocused()
      await expectPage(otp(opened)).toHaveCount(0)
    })
  })
})
