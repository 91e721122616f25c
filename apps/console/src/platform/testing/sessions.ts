import { sessionEndpoints } from '@pult/contract'
import { expectPage, type GivenPerson, type OpenedConsole, type TestServer } from '@pult/testkit'
import { expect } from 'vitest'

/** Ends the session of a console from outside, like a sign-out in another browser. */
export async function endSessionElsewhere(server: TestServer, { page }: OpenedConsole): Promise<void> {
  const token = await page.evaluate(() => localStorage.getItem('pult.token'))
  expect(await server.call(sessionEndpoints.logout, {}, token ?? '')).toSucceed()
  await expectPage(page.getByText('Your session has ended')).toBeVisible()
}

/** Signs in on the login that a console shows. */
export async function signIn({ page }: OpenedConsole, { email, password }: GivenPerson): Promise<void> {
  await page.getByPlaceholder('Username / E-Mail').fill(email)
  await page.getByRole('button', { name: 'Next', exact: true }).click()
  await page.getByRole('button', { name: 'Password', exact: true }).click()
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
}
