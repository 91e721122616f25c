import { loginEndpoints, meEndpoints } from '@pult/contract'
import { expectPage, type GivenPerson, type OpenedConsole, openConsole, testServer } from '@pult/testkit'
import { describe, expect, test } from 'vitest'

const current = ({ page }: OpenedConsole) => page.getByLabel('Current password', { exact: true })
const next = ({ page }: OpenedConsole) => page.getByLabel('New password', { exact: true })
const confirmation = ({ page }: OpenedConsole) => page.getByLabel('Confirm new password', { exact: true })
const save = ({ page }: OpenedConsole) => page.getByRole('button', { name: 'Set new password', exact: true })
const notices = ({ page }: OpenedConsole) => page.getByRole('region', { name: 'Notifications' })

/** Records the bodies of later password changes. */
function changesOf({ page }: OpenedConsole): unknown[] {
  const changes: unknown[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/api/me/account/password')) changes.push(request.postDataJSON())
  })
  return changes
}

describe('the password page', async () => {
  const server = await testServer({ withConsole: true })
  const { given } = server

  const openPassword = async (person?: GivenPerson) => {
    const as = person ?? (await given.person())
    const opened = await openConsole(server, { as, path: '/me/password' })
    await expectPage(next(opened)).toBeVisible()
    return opened
  }
  const newPassword = (text: string) => {
    server.watchSecret(text)
    return text
  }
  const canLogIn = async ({ email }: GivenPerson, password: string) => {
    const { status } = await server.call(loginEndpoints.login, {
      body: { type: 'credentials', data: { username: email, password } },
    })
    return status === 200
  }

  test('PASS-01 PASS-04 has the heading "Password / Set new password" and an optional current password, and asks before typed passwords are discarded', async () => {
    const ada = await given.person()
    const opened = await openPassword(ada)
    await expectPage(opened.page.getByRole('heading', { level: 1 })).toHaveText('Password / Set new password')
    await expectPage(current(opened)).not.toHaveAttribute('required')
    const question = opened.page.getByRole('alertdialog', { name: 'Leave without saving?' })
    await next(opened).fill('half of it')
    await opened.page.getByRole('link', { name: 'E-Mails' }).click()
    await expectPage(question).toBeVisible()
    await question.getByRole('button', { name: 'Stay' }).click()
    const password = newPassword('zwölf Fahrräder vor der Mühle')
    await next(opened).fill(password)
    await confirmation(opened).fill(password)
    await save(opened).click()
    await expectPage(notices(opened).getByText('Password changed')).toBeVisible()
    await expectPage(next(opened)).toHaveValue('')
    expect(await canLogIn(ada, password)).toBe(true)
    await opened.page.getByRole('link', { name: 'E-Mails' }).click()
    await expectPage(opened.page).toHaveURL('/me/emails')
  })

  test('PASS-02 PASS-03 PASS-05 PASS-06 RULE-03 reports unusable passwords at their fields, then ends with "Password changed" and empty fields, and keeps the session of this page', async () => {
    const ada = await given.person()
    const opened = await openPassword(ada)
    await expectPage(opened.page.locator('input[autocomplete=username]')).toHaveValue(ada.email)
    await expectPage(current(opened)).toHaveAttribute('autocomplete', 'current-password')
    await expectPage(next(opened)).toHaveAttribute('autocomplete', 'new-password')
    await expectPage(confirmation(opened)).toHaveAttribute('autocomplete', 'new-password')
    const changes = changesOf(opened)
    const message = (text: string) => opened.page.getByText(text, { exact: true })
    await save(opened).click()
    await expectPage(message('Please enter a new password')).toBeVisible()
    await expectPage(message('Please enter your new password again')).toBeVisible()
    await expectPage(next(opened)).toBeFocused()
    await next(opened).fill('𝓼even77')
    await expectPage(message('Should have at least length of 8')).toBeVisible()
    await next(opened).fill('eight888')
    await expectPage(message('Should have at least length of 8')).toHaveCount(0)
    await confirmation(opened).fill('eight889')
    await expectPage(message('Passwords do not match')).toBeVisible()
    await save(opened).click()
    await confirmation(opened).fill('eight888')
    await expectPage(message('Passwords do not match')).toHaveCount(0)
    await next(opened).fill('eight8888')
    await expectPage(message('Passwords do not match')).toBeVisible()
    expect(changes).toEqual([])

    // The server rejects a password that is too easy.
    await next(opened).fill('password1')
    await confirmation(opened).fill('password1')
    await save(opened).click()
    await expectPage(notices(opened).getByText('Password change error', { exact: true })).toBeVisible()
    await expectPage(next(opened)).toHaveAccessibleDescription(/on lists of common passwords/)
    await expectPage(next(opened)).toBeFocused()

    const password = newPassword('neun Möwen über dem Hafen')
    await current(opened).fill(ada.password)
    await next(opened).fill(password)
    await confirmation(opened).fill(password)
    await opened.page.keyboard.press('ControlOrMeta+s')
    await expectPage(notices(opened).getByText('Password changed', { exact: true })).toBeVisible()
    await expectPage(
      notices(opened).getByText('You have successfully set a new password', { exact: true }),
    ).toBeVisible()
    for (const field of [current, next, confirmation]) await expectPage(field(opened)).toHaveValue('')
    await expectPage(opened.page.getByText('Please enter a new password')).toHaveCount(0)
    expect(changes.slice(1)).toEqual([{ oldPass: ada.password, newPass: password }])
    expect([await canLogIn(ada, password), await canLogIn(ada, ada.password)]).toEqual([true, false])
    const token = await opened.page.evaluate(() => localStorage.getItem('pult.token'))
    expect(await server.call(meEndpoints.read, {}, token ?? '')).toSucceed()
    await opened.page.getByRole('link', { name: 'E-Mails' }).click()
    await expectPage(opened.page).toHaveURL('/me/emails')
  })

  test('PASS-06 a failure shows its message for 5 seconds and keeps the typed passwords', async () => {
    const ada = await given.person()
    const opened = await openPassword(ada)
    const password = newPassword('elf Laternen im Schneetreiben')
    await current(opened).fill('not the one')
    await next(opened).fill(password)
    await confirmation(opened).fill(password)
    // The clock is paused, so that only the test advances it.
    await opened.page.clock.install()
    await opened.page.clock.pauseAt(await opened.page.evaluate(() => Date.now() + 10_000))
    await save(opened).click()
    await expectPage(notices(opened).getByText('Password change error', { exact: true })).toBeVisible()
    await expectPage(notices(opened).getByText('The current password is wrong')).toBeVisible()
    await expectPage(current(opened)).toBeFocused()
    await expectPage(current(opened)).toHaveAttribute('aria-invalid', 'true')
    await expectPage(current(opened)).toHaveValue('not the one')
    await expectPage(next(opened)).toHaveValue(password)
    await opened.page.clock.runFor(4000)
    await expectPage(notices(opened).getByText('Password change error', { exact: true })).toBeVisible()
    await opened.page.clock.runFor(2000)
    await expectPage(opened.page.getByText('Password change error', { exact: true })).toHaveCount(0)
    expect(await canLogIn(ada, ada.password)).toBe(true)
  })

  test('typed passwords are discarded when the session ends', async () => {
    const ada = await given.person()
    const opened = await openPassword(ada)
    const password = newPassword('drei Kerzen neben dem Globus')
    await next(opened).fill(password)
    await confirmation(opened).fill(password)
    await opened.page.route(/\/api\/me\/account\/password$/, (route) =>
      route.fulfill({ status: 401, json: { code: 'UNAUTHENTICATED', message: 'Sign in first' } }),
    )
    await save(opened).click()
    await expectPage(opened.page.getByText('Your session has ended')).toBeVisible()
    await opened.page.getByPlaceholder('Username / E-Mail').fill(ada.email)
    await opened.page.keyboard.press('Enter')
    await opened.page.getByRole('button', { name: 'Password', exact: true }).click()
    await opened.page.getByLabel('Password', { exact: true }).fill(ada.password)
    await opened.page.keyboard.press('Enter')
    for (const field of [current, next, confirmation]) await expectPage(field(opened)).toHaveValue('')
  })

  test('PASS-01 PASS-02 accessible in each theme and width', async () => {
    const ada = await given.person()
    const opened = await openConsole(server, { as: ada, path: '/me/password' })
    await expectPage(next(opened)).toBeVisible()
    await opened.expectAccessibleInLooks()
    await save(opened).click()
    await expectPage(opened.page.getByText('Please enter a new password')).toBeVisible()
    await opened.expectAccessibleInLooks()
    expect(opened.complaints).toEqual([])
  })
})
