import { expectPage, openConsole, testServer } from '@pult/testkit'
import { describe, expect, test } from 'vitest'

const light = 'rgb(244, 246, 248)'
const dark = 'rgb(14, 17, 20)'

describe('the appearance', async () => {
  const server = await testServer({ withConsole: true })
  const { given } = server

  test('DEC-35 is light, dark or as the system says, and remembered', async () => {
    const { page } = await openConsole(server, { as: await given.person(), theme: 'light' })
    const html = page.locator('html')
    const choose = async (from: string, to: string) => {
      await page.getByRole('button', { name: `Appearance: ${from}` }).click()
      await page.getByRole('menuitemradio', { name: to }).click()
    }
    await expectPage(html).toHaveCSS('background-color', light)
    await choose('System', 'Dark')
    await expectPage(html).toHaveCSS('background-color', dark)
    await page.reload()
    await expectPage(page.getByRole('button', { name: 'Appearance: Dark' })).toBeVisible()
    await expectPage(html).toHaveCSS('background-color', dark)
    await choose('Dark', 'System')
    await expectPage(html).toHaveCSS('background-color', light)
    await page.emulateMedia({ colorScheme: 'dark' })
    await expectPage(html).toHaveCSS('background-color', dark)
  })

  test('whichever styles arrive first, a button is more than the reset leaves of it: for who signs in and for who comes back', async () => {
    for (const [name, as] of [
      ['Next', undefined],
      ['Save', await given.person()],
    ] as const) {
      const { page } = await openConsole(server, { ...(as && { as }), path: '/me' })
      const button = page.getByRole('main').getByRole('button', { name, exact: true })
      await expectPage(button).toHaveCSS('padding-left', '14px')
      await expectPage(button).not.toHaveCSS('background-color', 'rgba(0, 0, 0, 0)')
    }
  })

  test('DEC-35 is in the drawer of a narrow screen', async () => {
    const { page } = await openConsole(server, {
      as: await given.person(),
      viewport: { width: 390, height: 844 },
    })
    await page.getByRole('button', { name: 'Open navigation' }).click()
    const choice = page.getByRole('group', { name: 'Appearance' })
    await expectPage(choice.getByRole('radio', { name: 'System' })).toBeChecked()
    await choice.getByText('Dark').click()
    await expectPage(page.locator('html')).toHaveCSS('background-color', dark)
    expect(await page.evaluate(() => localStorage.getItem('pult.theme'))).toBe('dark')
  })
})
