import { loginEndpoints, meEndpoints, ownSessionEndpoints } from '@pult/contract'
import { expectPage, openConsole, testServer } from '@pult/testkit'
import { describe, expect, test } from 'vitest'

describe('the sessions page', async () => {
  const server = await testServer({ withConsole: true })
  const { given } = server

  const me = (token: string) => server.call(meEndpoints.read, {}, token)

  test('DEC-08 RULE-35 lists the user’s sessions, this one first, and ends another one', async () => {
    const ada = await given.person()
    const other = await ada.openSession()
    const { page, complaints } = await openConsole(server, { as: ada, path: '/me/sessions' })
    await expectPage(page.getByRole('heading', { level: 1, name: 'Sessions' })).toBeVisible()
    const rows = page.getByRole('listitem').filter({ hasText: 'last seen' })
    await expectPage(rows).toHaveCount(2)
    await expectPage(rows.first()).toContainText('This session')
    await expectPage(rows.first()).toContainText('signed in')
    await expectPage(rows.nth(1).getByRole('button')).toHaveAccessibleName(/^End session: /)

    await rows.nth(1).getByRole('button').click()
    await expectPage(page.getByText('Session ended').first()).toBeVisible()
    await expectPage(rows).toHaveCount(1)
    await expectPage(page.locator('section:focus')).toContainText('This session')
    expect(await me(other)).toFailWith('UNAUTHENTICATED')
    await expectPage(rows.first()).toContainText('This session')
    expect(complaints).toEqual([])
  })

  test('RULE-35 names a device by its browser and system, and ends all other sessions together after a confirmation', async () => {
    const ada = await given.person()
    const others = [await ada.openSession(), await ada.openSession()]
    const headers = {
      'user-agent':
        'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
    }
    const data = { username: ada.email, password: ada.password }
    const login = { body: { type: 'credentials' as const, data }, headers }
    expect(await server.call(loginEndpoints.login, login)).toSucceed()
    // A dialog that closes slowly is still mounted when its button disappears.
    const options = { as: ada, path: '/me/sessions', reducedMotion: false }
    const { page } = await openConsole(server, options)
    await expectPage(page.getByText('Safari on iPhone')).toBeVisible()
    const endOthers = page.getByRole('button', { name: 'End all other sessions' })
    await endOthers.click()
    const dialog = page.getByRole('alertdialog')
    await expectPage(dialog).toContainText('End all other sessions?')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    for (const token of others) expect(await me(token)).toSucceed()
    await expectPage(dialog).toHaveCount(0)

    await endOthers.click()
    await dialog.getByRole('button', { name: 'End all other sessions' }).click()
    await expectPage(page.getByText('All other sessions ended')).toBeVisible()
    for (const token of others) expect(await me(token)).toFailWith('UNAUTHENTICATED')
    await expectPage(endOthers).toHaveCount(0)
    await expectPage(page.locator('section:focus')).toContainText('This session')
  })

  test('RULE-78 shows the account’s events including failures, page by page', async () => {
    const ada = await given.person()
    for (let round = 0; round < 22; round += 1) await ada.login()
    const data = { username: ada.email, password: 'not it at all' }
    await server.call(loginEndpoints.login, { body: { type: 'credentials', data } })

    const { page } = await openConsole(server, { as: ada, path: '/me/sessions' })
    const events = page.getByRole('listitem').filter({ hasText: 'Sign-in with password' })
    await expectPage(events.first()).toContainText('Failed')
    await expectPage(events.nth(1)).not.toContainText('Failed')
    await expectPage(events).toHaveCount(20)
    const time = events.first().locator('time')
    await expectPage(time).toHaveText(/^(?:jetzt|vor )/)
    await expectPage(time).toHaveAttribute('title', /^\d\d\.\d\d\.\d{4} - /)
    await page.getByRole('button', { name: 'Show more' }).click()
    const { body } = await ada.call(ownSessionEndpoints.activity)
    await expectPage(events).toHaveCount(body.total)
    await expectPage(page.getByRole('button', { name: 'Show more' })).toHaveCount(0)
  })

  test('DEC-08 accessible in each theme and width', async () => {
    const ada = await given.person()
    await ada.login()
    const opened = await openConsole(server, { as: ada, path: '/me/sessions' })
    await expectPage(opened.page.getByText('This session')).toBeVisible()
    await expectPage(opened.page.getByText('Sign-in with password').first()).toBeVisible()
    await opened.expectAccessibleInLooks()
    expect(opened.complaints).toEqual([])
  })
})
