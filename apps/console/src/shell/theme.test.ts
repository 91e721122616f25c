import { expectPage, openConsole, testServer } from '@pult/testkit'
import { describe, expect, test } from 'vitest'

const light = 'rgb(244, 246, 248)'
const dark = 'rgb(14, 17, 20)'

describe('the appearance', async () => {
  const server = await testServer({ withConsole: true })
  const { given } = server

  test('DEC-35 is light, dark or the system’s, and is stored', async () => {
    const { page } = await openConsole(server, {
      as: await given.person(),
      theme: 'light',
      path: '/settings',
    })
    const html = page.locator('html')
    const choose = (name: string) => page.getByRole('radio', { name }).press('Space')
    await expectPage(html).toHaveCSS('background-color', light)
    await choose('Dark')
    await expectPage(html).toHaveCSS('background-color', dark)
    await page.reload()
    await expectPage(page.getByRole('radio', { name: 'Dark' })).toBeChecked()
    await expectPage(html).toHaveCSS('background-color', dark)
    await choose('System')
    await expectPage(html).toHaveCSS('background-color', light)
    await page.emulateMedia({ colorScheme: 'dark' })
    await expectPage(html).toHaveCSS('background-color', dark)
  })

  test('a button is styled for first-time and returning visitors, regardless of the order in which styles load', async () => {
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
    await page.getByRole('button', { name: 'More' }).click()
    const choice = page.getByRole('group', { name: 'Appearance' })
    await expectPage(choice.getByRole('radio', { name: 'System' })).toBeChecked()
    await choice.getByText('Dark').click()
    await expectPage(page.locator('html')).toHaveCSS('background-color', dark)
    expect(await page.evaluate(() => localStorage.getItem('pult.theme'))).toBe('dark')
  })
})
