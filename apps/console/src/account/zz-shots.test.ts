import { expectPage, openConsole, testServer } from '@pult/testkit'
import { test } from 'vitest'

const methods = { password: true, otp: true, passkey: true }

test('shots', async () => {
  const server = await testServer({ withConsole: true })
  const ada = await server.given.person({ firstname: 'Ada', lastname: 'Lovelace' })
  for (const theme of ['light', 'dark'] as const) {
    for (const viewport of [
      { width: 1280, height: 800 },
      { width: 390, height: 844 },
    ]) {
      const shot = async (page: import('@playwright/test').Page, name: string) => {
        await page.screenshot({ path: `/tmp/shots/${name}-${viewport.width}-${theme}.png` })
      }
      const opened = await openConsole(server, { as: ada, path: '/me', theme, viewport })
      const { page } = opened
      await page.route(/\/api\/auth\/confirm\/methods/, (r) => r.fulfill({ json: methods }))
      await page.route(/\/api\/account|\/api\/me\/account\/password/, (r) =>
        r.fulfill({
          status: 403,
          json: { code: 'RECENT_SIGN_IN_NEEDED', message: 'Please confirm that it is you' },
        }),
      )
      await page.route(/\/api\/auth\/confirm$/, (r) =>
        r.fulfill({
          status: 403,
          json: { code: 'NOT_CONFIRMED', message: 'This did not match. Please try again' },
        }),
      )
      await expectPage(page.getByRole('heading', { name: 'Profile' })).toBeVisible()
      await shot(page, 'profile')
      await page.getByLabel('First name').fill('A')
      await page.keyboard.press('Control+s')
      await expectPage(page.getByText('Should have at least')).toBeVisible()
      await shot(page, 'profile-short')
      await page.getByRole('link', { name: 'OTP' }).click()
      await expectPage(page.getByRole('alertdialog')).toBeVisible()
      await shot(page, 'leave')
      await page.getByRole('button', { name: 'Stay' }).click()
      await page.getByLabel('First name').fill('Augusta')
      await shot(page, 'profile-dirty')
      await page.goto('/me/password')
      await expectPage(page.getByRole('heading', { name: 'Password / Set' })).toBeVisible()
      await page.getByRole('button', { name: 'Set new password' }).click()
      await shot(page, 'password-errors')
      await page.getByLabel('New password', { exact: true }).fill('correct horse battery')
      await page.getByLabel('Confirm new password', { exact: true }).fill('correct horse battery')
      await shot(page, 'password')
      await page.getByRole('button', { name: 'Set new password' }).click()
      await expectPage(page.getByRole('dialog')).toBeVisible()
      await shot(page, 'confirm')
      console.log(
        await page
          .getByRole('dialog')
          .evaluate((d) => [
            d.parentElement?.getBoundingClientRect().bottom,
            d.parentElement?.parentElement?.getBoundingClientRect().bottom,
            innerHeight,
            visualViewport?.height,
          ]),
      )
      await page.getByRole('dialog').getByLabel('Password', { exact: true }).last().fill('nope')
      await page.keyboard.press('Enter')
      await expectPage(page.getByText('This did not match')).toBeVisible()
      await shot(page, 'confirm-wrong')
      await page.getByText('Passkey', { exact: true }).last().click()
      await shot(page, 'confirm-passkey')
      await page.getByText('OTP', { exact: true }).last().click()
      await shot(page, 'confirm-otp')
      console.log(theme, viewport.width, opened.complaints)
    }
  }
}, 120_000)
