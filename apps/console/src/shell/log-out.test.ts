import { meEndpoints } from '@pult/contract'
import { expectPage, openConsole, testServer } from '@pult/testkit'
import { describe, expect, test } from 'vitest'

describe('logout', async () => {
  const server = await testServer({ withConsole: true })
  const { given } = server

  test('LOGIN-18 DEC-40 ends the session on the server, clears the state and reloads the page', async () => {
    const ada = await given.person()
    const { page } = await openConsole(server, { as: ada })
    await page.getByRole('navigation').getByRole('button', { name: 'Logout' }).waitFor()
    const token = await page.evaluate(() => localStorage.getItem('pult.token'))
    const logout = page.waitForResponse('**/api/auth/logout')
    const reload = page.waitForEvent('load')
    await page.getByRole('navigation').getByRole('button', { name: 'Logout' }).click()
    expect((await logout).status()).toBe(200)
    await reload
    await expectPage(page.getByRole('navigation')).toHaveCount(0)
    await expectPage(page.getByRole('heading', { name: 'Login' })).toBeVisible()
    expect(await page.evaluate(() => localStorage.getItem('pult.token'))).toBeNull()
    expect(await server.call(meEndpoints.read, {}, token ?? '')).toFailWith('UNAUTHENTICATED')
  })

  test('SHELL-03 LOGIN-18 a logout that would lose unsaved input asks first, and is in the user menu as well', async () => {
    const { page } = await openConsole(server, { as: await given.person(), path: '/me/profile' })
    const logout = page.getByRole('navigation').getByRole('button', { name: 'Logout' })
    await page.getByLabel('First name').fill('Unsaved')
    await logout.click()
    const question = page.getByRole('alertdialog', { name: 'Leave without saving?' })
    await question.getByRole('button', { name: 'Stay' }).click()
    await expectPage(page.getByLabel('First name')).toHaveValue('Unsaved')
    await page.getByRole('button', { name: /^Your account/ }).click()
    await page.getByRole('dialog', { name: 'Your account' }).getByRole('button', { name: 'Logout' }).click()
    await question.getByRole('button', { name: 'Leave' }).click()
    await expectPage(page.getByRole('heading', { name: 'Login' })).toBeVisible()
  })

  test('LOGIN-18 without a network it signs out in this browser and reports that the server was not reached', async () => {
    const ada = await given.person()
    const { page, context } = await openConsole(server, { as: ada })
    const logout = page.getByRole('navigation').getByRole('button', { name: 'Logout' })
    await logout.waitFor()
    await context.setOffline(true)
    await logout.click()
    await expectPage(page.getByText(/The server could not be reached/)).toBeVisible()
    await expectPage(page.getByRole('navigation')).toHaveCount(0)
    expect(await page.evaluate(() => localStorage.getItem('pult.token'))).toBeNull()
  })
})
