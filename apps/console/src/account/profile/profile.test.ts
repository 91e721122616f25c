import { meEndpoints, sessionEndpoints } from '@pult/contract'
import { expectPage, type GivenPerson, type OpenedConsole, openConsole, testServer } from '@pult/testkit'
import { describe, expect, test } from 'vitest'

const firstname = ({ page }: OpenedConsole) => page.getByLabel('First name')
const lastname = ({ page }: OpenedConsole) => page.getByLabel('Last name')
const save = ({ page }: OpenedConsole) => page.getByRole('button', { name: 'Save', exact: true })
const notices = ({ page }: OpenedConsole) => page.getByRole('region', { name: 'Notifications' })
const question = ({ page }: OpenedConsole) => page.getByRole('alertdialog', { name: 'Leave without saving?' })
const navigation = ({ page }: OpenedConsole) => page.getByRole('navigation', { name: 'Account' })

/** The bodies of the updates that the page sends from now on. */
function updatesOf({ page }: OpenedConsole): unknown[] {
  const updates: unknown[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/api/me/account/profile')) updates.push(request.postDataJSON())
  })
  return updates
}

async function logIn({ page }: OpenedConsole, { email, password }: GivenPerson) {
  await page.getByPlaceholder('Username / E-Mail').fill(email)
  await page.getByRole('button', { name: 'Next', exact: true }).click()
  await page.getByRole('button', { name: 'Password', exact: true }).click()
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
}

/** Whether a text was on screen at any moment from now on, be it for a short one. */
async function watchFor({ page }: OpenedConsole, text: string) {
  await page.evaluate((watched) => {
    const look = () => {
      if (document.body.textContent.includes(watched)) document.documentElement.dataset.told = watched
    }
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true })
  }, text)
  return async () => (await page.evaluate(() => document.documentElement.dataset.told)) === text
}

async function endSessionElsewhere({ page }: OpenedConsole) {
  const token = await page.evaluate(() => localStorage.getItem('pult.token'))
  expect(await server.call(sessionEndpoints.logout, {}, token ?? '')).toSucceed()
  await expectPage(page.getByText('Your session has ended')).toBeVisible()
}

const server = await testServer({ withConsole: true })
const { given } = server

const openProfile = async (person?: GivenPerson) => {
  const as = person ?? (await given.person())
  const opened = await openConsole(server, { as, path: '/me' })
  await expectPage(firstname(opened)).toHaveValue('Ada')
  return opened
}

describe('the profile', () => {
  test('PROFILE-01 has first and last name, and Save without changes is disabled', async () => {
    const opened = await openProfile()
    await expectPage(lastname(opened)).toHaveValue('Lovelace')
    await expectPage(save(opened)).toBeDisabled()
    await firstname(opened).fill('Augusta')
    await expectPage(save(opened)).toBeEnabled()
    await firstname(opened).fill('Ada')
    await expectPage(save(opened)).toBeDisabled()
    await lastname(opened).fill('  Lovelace ')
    await expectPage(save(opened)).toBeDisabled()
  })

  test('PROFILE-02 only what changed is sent; it says "Profile updated", and the header follows', async () => {
    const ada = await given.person()
    const opened = await openProfile(ada)
    const updates = updatesOf(opened)
    const menu = opened.page.getByRole('banner').getByRole('button', { name: /^Your account/ })
    await expectPage(menu).toContainText('AL')
    await lastname(opened).fill(' Byron ')
    await save(opened).click()
    await expectPage(notices(opened).getByText('Profile updated', { exact: true })).toBeVisible()
    expect(updates).toEqual([{ lastname: 'Byron' }])
    await expectPage(menu).toContainText('AB')
    await expectPage(lastname(opened)).toHaveValue('Byron')
    await expectPage(save(opened)).toBeDisabled()
    expect((await ada.call(meEndpoints.read)).body).toMatchObject({ firstname: 'Ada', lastname: 'Byron' })
    await firstname(opened).fill('Augusta')
    await save(opened).click()
    await expectPage(menu).toContainText('AB')
    await expectPage.poll(() => updates).toEqual([{ lastname: 'Byron' }, { firstname: 'Augusta' }])
  })

  test('PROFILE-02 a failure says "Profile update error" with the reason, and keeps what was typed', async () => {
    const opened = await openProfile()
    const hidden = 'Ada\u202eecalevoL'
    await firstname(opened).fill(hidden)
    await save(opened).click()
    await expectPage(notices(opened).getByText('Profile update error', { exact: true })).toBeVisible()
    await expectPage(opened.page.getByText('Must not contain control characters')).toBeVisible()
    await expectPage(firstname(opened)).toBeFocused()
    await expectPage(firstname(opened)).toHaveValue(hidden)
    await expectPage(save(opened)).toBeEnabled()
  })

  test('a name of one character is refused before anything is sent', async () => {
    const opened = await openProfile()
    const updates = updatesOf(opened)
    await lastname(opened).fill('𝓛')
    await save(opened).click()
    await expectPage(opened.page.getByText('Should have at least length of 2')).toBeVisible()
    await expectPage(lastname(opened)).toBeFocused()
    await expectPage(lastname(opened)).toHaveAttribute('aria-invalid', 'true')
    await lastname(opened).press('Backspace')
    await expectPage(lastname(opened)).not.toHaveAttribute('aria-invalid')
    expect(updates).toEqual([])
  })

  test('SHELL-07 Ctrl+S saves, from a field or from anywhere, and once', async () => {
    const opened = await openProfile()
    const updates = updatesOf(opened)
    await expectPage(save(opened)).toHaveAttribute('aria-keyshortcuts', /Control\+S|Meta\+S/)
    await opened.page.keyboard.press('ControlOrMeta+s')
    await firstname(opened).fill('Augusta')
    const answered = Promise.withResolvers<void>()
    await opened.page.route(/\/api\/me\/account\/profile$/, async (route) => {
      await answered.promise
      await route.continue()
    })
    await opened.page.keyboard.press('ControlOrMeta+s')
    await expectPage(save(opened)).toHaveAttribute('aria-disabled', 'true')
    await opened.page.keyboard.press('ControlOrMeta+s')
    answered.resolve()
    await expectPage(notices(opened).getByText('Profile updated', { exact: true })).toBeVisible()
    await expectPage(save(opened)).toBeDisabled()
    await opened.page.keyboard.press('ControlOrMeta+s')
    await opened.page.waitForTimeout(300)
    expect(updates).toEqual([{ firstname: 'Augusta' }])
  })

  test('SHELL-08 a save by shortcut that fails shows the server’s message in a toast', async () => {
    const opened = await openProfile()
    await firstname(opened).fill('Augusta')
    await expectPage(save(opened)).toBeEnabled()
    await opened.page.route(/\/api\/me\/account\/profile$/, (route) =>
      route.fulfill({ status: 503, json: { code: 'BUSY', message: 'The server has other things to do' } }),
    )
    await opened.page.keyboard.press('ControlOrMeta+s')
    await expectPage(notices(opened).getByText('The server has other things to do')).toBeVisible()
  })
})

describe('unsaved input', () => {
  test('asks before a link leads away: Esc and Stay keep it, Leave does not', async () => {
    const opened = await openProfile()
    await firstname(opened).fill('Augusta')
    for (const stay of [
      () => opened.page.keyboard.press('Escape'),
      () => question(opened).getByRole('button', { name: 'Stay' }).click(),
    ]) {
      await navigation(opened).getByRole('link', { name: 'OTP' }).click()
      await expectPage(question(opened)).toBeVisible()
      await expectPage(question(opened).getByRole('button', { name: 'Stay' })).toBeFocused()
      await stay()
      await expectPage(question(opened)).toHaveCount(0)
      await expectPage(opened.page).toHaveURL('/me')
      await expectPage(firstname(opened)).toHaveValue('Augusta')
    }
    await navigation(opened).getByRole('link', { name: 'OTP' }).click()
    await question(opened).getByRole('button', { name: 'Leave' }).click()
    await expectPage(opened.page).toHaveURL('/me/otp')
    await navigation(opened).getByRole('link', { name: 'Profile' }).click()
    await expectPage(firstname(opened)).toHaveValue('Ada')
  })

  test('asks before the browser’s way back, and not once it is saved', async () => {
    const opened = await openProfile()
    await navigation(opened).getByRole('link', { name: 'Profile' }).click()
    await expectPage(opened.page).toHaveURL('/me/profile')
    await firstname(opened).fill('Augusta')
    await opened.page.goBack()
    await expectPage(question(opened)).toBeVisible()
    await question(opened).getByRole('button', { name: 'Stay' }).click()
    await expectPage(opened.page).toHaveURL('/me/profile')
    await save(opened).click()
    await expectPage(notices(opened).getByText('Profile updated', { exact: true })).toBeVisible()
    await opened.page.goBack()
    await expectPage(opened.page).toHaveURL('/me')
    await expectPage(question(opened)).toHaveCount(0)
  })

  test('Ctrl+S does not reach under the question', async () => {
    const opened = await openProfile()
    const updates = updatesOf(opened)
    await firstname(opened).fill('Augusta')
    await navigation(opened).getByRole('link', { name: 'OTP' }).click()
    await expectPage(question(opened)).toBeVisible()
    await opened.page.keyboard.press('ControlOrMeta+s')
    await opened.page.waitForTimeout(300)
    expect(updates).toEqual([])
  })

  test('DEC-30 has the browser ask before another tab’s project switch reloads the page', async () => {
    const ada = await given.person()
    const { projectId } = await given.project(ada)
    const opened = await openProfile(ada)
    const asked: string[] = []
    opened.page.on('dialog', (dialog) => {
      asked.push(dialog.type())
      void dialog.dismiss()
    })
    // Browsers ask for the sake of somebody who has touched the page.
    await firstname(opened).click()
    await firstname(opened).fill('Augusta')
    await expectPage(save(opened)).toBeEnabled()
    const other = await openConsole(server, { path: '/manifest.webmanifest', sameBrowserAs: opened })
    await other.page.evaluate((id) => localStorage.setItem('pult.activeProjectId', id), projectId)
    await expectPage.poll(() => asked).toEqual(['beforeunload'])
    await expectPage(firstname(opened)).toHaveValue('Augusta')
  })

  test('DEC-02 asks nothing when another tab signs in as somebody else: the page starts anew', async () => {
    const opened = await openProfile()
    const asked: string[] = []
    opened.page.on('dialog', (dialog) => {
      asked.push(dialog.type())
      void dialog.dismiss()
    })
    // Browsers ask for the sake of somebody who has touched the page.
    await firstname(opened).click()
    await firstname(opened).fill('Augusta')
    await expectPage(save(opened)).toBeEnabled()
    const grace = await given.person({ firstname: 'Grace' })
    const other = await openConsole(server, { path: '/manifest.webmanifest', sameBrowserAs: opened })
    await other.page.evaluate((token) => localStorage.setItem('pult.token', token), grace.token)
    await expectPage(firstname(opened)).toHaveValue('Grace')
    expect(asked).toEqual([])
  })

  test('comes back when the session ends and the same person signs in again', async () => {
    const ada = await given.person()
    const opened = await openProfile(ada)
    await lastname(opened).fill('Byron')
    await expectPage(save(opened)).toBeEnabled()
    await endSessionElsewhere(opened)
    await logIn(opened, ada)
    await expectPage(lastname(opened)).toHaveValue('Byron')
    await expectPage(firstname(opened)).toHaveValue('Ada')
    await save(opened).click()
    await expectPage(notices(opened).getByText('Profile updated', { exact: true })).toBeVisible()
    await endSessionElsewhere(opened)
    await logIn(opened, ada)
    await expectPage(lastname(opened)).toHaveValue('Byron')
    await expectPage(save(opened)).toBeDisabled()
  })

  test('comes back when it is the save that finds the session ended', async () => {
    const ada = await given.person()
    const opened = await openProfile(ada)
    await lastname(opened).fill('Byron')
    // The page has not heard of the end: its connection is away, as after a sleep.
    await opened.page.route(/\/api\/me\/account\/profile$/, (route) =>
      route.fulfill({ status: 401, json: { code: 'UNAUTHENTICATED', message: 'Please sign in' } }),
    )
    await save(opened).click()
    await expectPage(opened.page.getByText('Your session has ended')).toBeVisible()
    await opened.page.unroute(/\/api\/me\/account\/profile$/)
    const wasTold = await watchFor(opened, 'Profile update error')
    await logIn(opened, ada)
    await expectPage(lastname(opened)).toHaveValue('Byron')
    await expectPage(save(opened)).toBeEnabled()
    // Messages are on screen from the first key on.
    await opened.page.keyboard.press('Shift')
    await opened.page.waitForTimeout(500)
    expect(await wasTold()).toBe(false)
  })

  test('is not shown to somebody else who signs in on the page', async () => {
    const opened = await openProfile()
    await lastname(opened).fill('Byron')
    await expectPage(save(opened)).toBeEnabled()
    await endSessionElsewhere(opened)
    const grace = await given.person({ firstname: 'Grace', lastname: 'Hopper' })
    await logIn(opened, grace)
    await expectPage(firstname(opened)).toHaveValue('Grace')
    await expectPage(lastname(opened)).toHaveValue('Hopper')
    await expectPage(save(opened)).toBeDisabled()
  })
})

for (const theme of ['light', 'dark'] as const) {
  for (const width of [1280, 390]) {
    test(`PROFILE-01 accessible, ${theme}, ${width} px`, async () => {
      const ada = await given.person()
      const viewport = { width, height: 844 }
      const opened = await openConsole(server, { as: ada, path: '/me', theme, viewport })
      await expectPage(save(opened)).toBeDisabled()
      await opened.expectAccessible()
      await firstname(opened).fill('A')
      await save(opened).click()
      await expectPage(opened.page.getByText('Should have at least length of 2')).toBeVisible()
      await opened.expectAccessible()
      await navigation(opened).getByRole('link', { name: 'E-Mails' }).click()
      await expectPage(question(opened)).toBeVisible()
      await opened.expectAccessible()
      expect(await opened.page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
      expect(opened.complaints).toEqual([])
    }, 60_000)
  }
}
