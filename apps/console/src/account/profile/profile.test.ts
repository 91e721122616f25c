import { limits, meEndpoints } from '@pult/contract'
import { expectPage, type GivenPerson, type OpenedConsole, openConsole, testServer } from '@pult/testkit'
import { describe, expect, test } from 'vitest'
import { endSessionElsewhere, signIn } from '#platform/testing/sessions.ts'
import { stayWhenAsked } from '#platform/testing/stay-when-asked.ts'

const firstname = ({ page }: OpenedConsole) => page.getByLabel('First name')
const lastname = ({ page }: OpenedConsole) => page.getByLabel('Last name')
const save = ({ page }: OpenedConsole) => page.getByRole('button', { name: 'Save', exact: true })
const notices = ({ page }: OpenedConsole) => page.getByRole('region', { name: 'Notifications' })
const question = ({ page }: OpenedConsole) => page.getByRole('alertdialog', { name: 'Leave without saving?' })
const navigation = ({ page }: OpenedConsole) => page.getByRole('navigation', { name: 'Account' })

/** Records the bodies of later updates. */
function updatesOf({ page }: OpenedConsole): unknown[] {
  const updates: unknown[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/api/me/account/profile')) updates.push(request.postDataJSON())
  })
  return updates
}

/** Returns a function that reports whether a text has appeared on the page since, even briefly. */
async function watchFor({ page }: OpenedConsole, text: string) {
  await page.evaluate((watched) => {
    const look = () => {
      if (document.body.textContent.includes(watched)) document.documentElement.dataset.seen = watched
    }
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true })
  }, text)
  return async () => (await page.evaluate(() => document.documentElement.dataset.seen)) === text
}

const server = await testServer({ withConsole: true })
const { given } = server

const openProfile = async (person?: GivenPerson) => {
  const as = person ?? (await given.person())
  const opened = await openConsole(server, { as, path: '/me' })
  await expectPage(firstname(opened)).toHaveValue('Ada')
  return opened
}

test('text of an input method is cut at the limit of its field when its composition ends', async () => {
  const opened = await openProfile()
  const keyboard = await opened.page.context().newCDPSession(opened.page)
  const text = 'に'.repeat(limits.nameMax)
  await firstname(opened).fill('')
  await firstname(opened).focus()
  const ends = { selectionStart: text.length + 2, selectionEnd: text.length + 2 }
  await keyboard.send('Input.imeSetComposition', { text: `${text}ほん`, ...ends })
  await expectPage(firstname(opened)).toHaveValue(`${text}ほん`)
  await keyboard.send('Input.insertText', { text: `${text}日本` })
  await expectPage(firstname(opened)).toHaveValue(text)
  const updates = updatesOf(opened)
  await save(opened).click()
  await expect.poll(() => updates).toMatchObject([{ firstname: text }])
})

describe('the profile', () => {
  test('PROFILE-01 PROFILE-02 SHELL-08 has first and last name, explains a failure and keeps the input, sends only changed fields, reports "Profile updated" and updates the header', async () => {
    const ada = await given.person()
    const opened = await openProfile(ada)
    const updates = updatesOf(opened)
    const menu = opened.page.getByRole('banner').getByRole('button', { name: /^Your account/ })
    await expectPage(menu).toContainText('AL')
    await expectPage(lastname(opened)).toHaveValue('Lovelace')
    await expectPage(save(opened)).toBeDisabled()
    await firstname(opened).fill('Augusta')
    await expectPage(save(opened)).toBeEnabled()
    await firstname(opened).fill('Ada')
    await expectPage(save(opened)).toBeDisabled()
    await lastname(opened).fill('  Lovelace ')
    await expectPage(save(opened)).toBeDisabled()

    await lastname(opened).fill('𝓛')
    await save(opened).click()
    await expectPage(opened.page.getByText('Should have at least length of 2')).toBeVisible()
    await expectPage(lastname(opened)).toBeFocused()
    await expectPage(lastname(opened)).toHaveAttribute('aria-invalid', 'true')
    await lastname(opened).fill('𝓛o')
    await expectPage(lastname(opened)).not.toHaveAttribute('aria-invalid')
    expect(updates).toEqual([])
    await lastname(opened).fill('Lovelace')

    const hidden = 'Ada\u202eecalevoL'
    await firstname(opened).fill(hidden)
    await save(opened).click()
    await expectPage(notices(opened).getByText('Profile update error', { exact: true })).toBeVisible()
    await expectPage(firstname(opened)).toHaveAccessibleDescription(/^Must not contain control characters/)
    await expectPage(firstname(opened)).toBeFocused()
    await expectPage(firstname(opened)).toHaveValue(hidden)
    await expectPage(save(opened)).toBeEnabled()
    await firstname(opened).fill('Ada')
    expect(updates.splice(0)).toHaveLength(1)

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

    await firstname(opened).fill('Ada Maria')
    await expectPage(save(opened)).toBeEnabled()
    await opened.page.route(/\/api\/me\/account\/profile$/, (route) =>
      route.fulfill({ status: 503, json: { code: 'BUSY', message: 'The server has other things to do' } }),
    )
    await opened.page.keyboard.press('ControlOrMeta+s')
    await expectPage(notices(opened).getByText('The server has other things to do')).toBeVisible()
  })

  test('SHELL-07 Ctrl+S saves once, from a field or from anywhere', async () => {
    const opened = await openProfile()
    const updates = updatesOf(opened)
    // Routed before the first request, because a request that overtakes a new route would not be recorded.
    const answered = Promise.withResolvers<void>()
    await opened.page.route(/\/api\/me\/account\/profile$/, async (route) => {
      await answered.promise
      await route.continue()
    })
    await expectPage(save(opened)).toHaveAttribute('aria-keyshortcuts', /Control\+S|Meta\+S/)
    await opened.page.keyboard.press('ControlOrMeta+s')
    await firstname(opened).fill('Augusta')
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
})

describe('unsaved input', () => {
  test('asks before a link or the browser’s Back button discards it, but not after it is saved: Esc and Stay keep it, Ctrl+S below the question does not save it, Leave discards it', async () => {
    const opened = await openProfile()
    const updates = updatesOf(opened)
    await firstname(opened).fill('Augusta')
    for (const stay of [
      () => opened.page.keyboard.press('Escape'),
      () => question(opened).getByRole('button', { name: 'Stay' }).click(),
    ]) {
      await navigation(opened).getByRole('link', { name: 'OTP' }).click()
      await expectPage(question(opened)).toBeVisible()
      await expectPage(question(opened).getByRole('button', { name: 'Stay' })).toBeFocused()
      await opened.page.keyboard.press('ControlOrMeta+s')
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
    expect(updates).toEqual([])

    await firstname(opened).fill('Augusta')
    await opened.page.goBack()
    await expectPage(question(opened)).toBeVisible()
    await question(opened).getByRole('button', { name: 'Stay' }).click()
    await expectPage(opened.page).toHaveURL('/me/profile')
    await save(opened).click()
    await expectPage(notices(opened).getByText('Profile updated', { exact: true })).toBeVisible()
    await expectPage(save(opened)).toBeDisabled()
    await opened.page.goBack()
    await expectPage(opened.page).toHaveURL('/me/otp')
    await expectPage(question(opened)).toHaveCount(0)
  })

  test('DEC-30 DEC-02 lets the browser ask before another tab’s project switch reloads the page, but not when another user signs in there', async () => {
    const ada = await given.person()
    const { projectId } = await given.project(ada)
    const opened = await openProfile(ada)
    const questions = stayWhenAsked(opened)
    await firstname(opened).click()
    await firstname(opened).fill('Augusta')
    await expectPage(save(opened)).toBeEnabled()
    const other = await openConsole(server, { path: '/manifest.webmanifest', sameBrowserAs: opened })
    await other.page.evaluate((id) => localStorage.setItem('pult.activeProjectId', id), projectId)
    await expectPage.poll(() => questions).toEqual(['beforeunload'])
    await expectPage(firstname(opened)).toHaveValue('Augusta')
    const grace = await given.person({ firstname: 'Grace' })
    await other.page.evaluate((token) => localStorage.setItem('pult.token', token), grace.token)
    await expectPage(firstname(opened)).toHaveValue('Grace')
    expect(questions).toEqual(['beforeunload'])
  })

  test('DEC-30 the browser still asks after another tab has reissued the token and this tab could not read its user', async () => {
    const opened = await openProfile()
    const questions = stayWhenAsked(opened)
    await firstname(opened).click()
    await firstname(opened).fill('Augusta')
    await expectPage(save(opened)).toBeEnabled()
    await opened.page.route(/\/api\/me$/, (route) => route.abort())
    const failed = opened.page.waitForEvent('requestfailed', (request) => request.url().endsWith('/api/me'))
    await openConsole(server, { path: '/me', sameBrowserAs: opened })
    await failed
    await opened.page.evaluate(() => void setTimeout(() => location.reload()))
    await expectPage.poll(() => questions).toEqual(['beforeunload'])
    await expectPage(firstname(opened)).toHaveValue('Augusta')
  })

  test('is restored when the session ends and the same user signs in again, and is not shown to another user', async () => {
    const ada = await given.person()
    const opened = await openProfile(ada)
    await lastname(opened).fill('Byron')
    await expectPage(save(opened)).toBeEnabled()
    await endSessionElsewhere(server, opened)
    await signIn(opened, ada)
    await expectPage(lastname(opened)).toHaveValue('Byron')
    await expectPage(firstname(opened)).toHaveValue('Ada')
    await save(opened).click()
    await expectPage(notices(opened).getByText('Profile updated', { exact: true })).toBeVisible()
    await endSessionElsewhere(server, opened)
    await signIn(opened, ada)
    await expectPage(lastname(opened)).toHaveValue('Byron')
    await expectPage(save(opened)).toBeDisabled()

    await lastname(opened).fill('King')
    await expectPage(save(opened)).toBeEnabled()
    await endSessionElsewhere(server, opened)
    const grace = await given.person({ firstname: 'Grace', lastname: 'Hopper' })
    await signIn(opened, grace)
    await expectPage(firstname(opened)).toHaveValue('Grace')
    await expectPage(lastname(opened)).toHaveValue('Hopper')
    await expectPage(save(opened)).toBeDisabled()
  })

  test('DEC-02 survives the end of the session with two open tabs, in both of them', async () => {
    const ada = await given.person()
    const here = await openProfile(ada)
    const there = await openConsole(server, { sameBrowserAs: here, path: '/me' })
    await expectPage(lastname(there)).toHaveValue('Lovelace')
    await lastname(here).fill('Byron')
    await lastname(there).fill('King')
    await expectPage(save(there)).toBeEnabled()
    await endSessionElsewhere(server, here)
    await expectPage(there.page.getByText('Your session has ended')).toBeVisible()
    await signIn(here, ada)
    await expectPage(lastname(here)).toHaveValue('Byron')
    await expectPage(lastname(there)).toHaveValue('King')
    await expectPage(save(there)).toBeEnabled()
  })

  test('is restored after a save reveals that the session has ended', async () => {
    const ada = await given.person()
    const opened = await openProfile(ada)
    await lastname(opened).fill('Byron')
    // The page does not know that the session has ended: its connection is lost, as after the computer slept.
    await opened.page.route(/\/api\/me\/account\/profile$/, (route) =>
      route.fulfill({ status: 401, json: { code: 'UNAUTHENTICATED', message: 'Sign in first' } }),
    )
    await save(opened).click()
    await expectPage(opened.page.getByText('Your session has ended')).toBeVisible()
    await opened.page.unroute(/\/api\/me\/account\/profile$/)
    const wasShown = await watchFor(opened, 'Profile update error')
    await signIn(opened, ada)
    await expectPage(lastname(opened)).toHaveValue('Byron')
    await expectPage(save(opened)).toBeEnabled()
    // Notifications load with the first key press.
    await opened.page.keyboard.press('Shift')
    await opened.page.waitForTimeout(500)
    expect(await wasShown()).toBe(false)
  })
})

test('PROFILE-01 accessible in each theme and width', async () => {
  const ada = await given.person()
  const opened = await openConsole(server, { as: ada, path: '/me' })
  await expectPage(save(opened)).toBeDisabled()
  await opened.expectAccessibleInLooks()
  await firstname(opened).fill('A')
  await save(opened).click()
  await expectPage(opened.page.getByText('Should have at least length of 2')).toBeVisible()
  await opened.expectAccessibleInLooks()
  await navigation(opened).getByRole('link', { name: 'E-Mails' }).click()
  await expectPage(question(opened)).toBeVisible()
  await opened.expectAccessibleInLooks()
  expect(opened.complaints).toEqual([])
})
