import { settingsEndpoints } from '@pult/contract'
import { expectPage, openConsole, testServer } from '@pult/testkit'
import { describe, expect, test } from 'vitest'

describe('settings', async () => {
  const server = await testServer({ withConsole: true })
  const { given } = server
  const { read } = settingsEndpoints

  test('DEC-35 appearance and density count at once, and follow to another browser and after a reload', async () => {
    const ada = await given.person()
    const here = await openConsole(server, { as: ada, path: '/settings/appearance' })
    const there = await openConsole(server, { as: { token: await ada.login() }, path: '/me' })
    const look = ({ page }: typeof here) =>
      page.evaluate(() => {
        const { theme, density } = document.documentElement.dataset
        return { theme, density }
      })
    await here.page.getByRole('radio', { name: 'Dark' }).press('Space')
    await expect.poll(() => look(here)).toMatchObject({ theme: 'dark' })
    await expect.poll(() => look(there), { timeout: 10_000 }).toMatchObject({ theme: 'dark' })
    await here.page.getByRole('radio', { name: 'Compact' }).press('Space')
    await expect.poll(() => look(there), { timeout: 10_000 }).toMatchObject({ density: 'compact' })
    expect((await ada.call(read)).body).toMatchObject({ theme: 'dark', density: 'compact' })
    // Before anything is painted.
    await there.page.reload({ waitUntil: 'commit' })
    await there.page.waitForFunction(() => document.documentElement.dataset['density'] === 'compact')

    // The menu of the header is another way to the same.
    await there.page.getByRole('button', { name: 'Appearance: Dark' }).click()
    await there.page.getByRole('menuitemradio', { name: 'Light' }).click()
    await expectPage(here.page.getByRole('radio', { name: 'Light' })).toBeChecked()
    expect([...here.complaints, ...there.complaints]).toEqual([])
  })

  test('DEC-35 a browser keeps what was chosen in it while the account says nothing', async () => {
    const ada = await given.person()
    const { page } = await openConsole(server, { as: ada, path: null })
    await page.addInitScript(() => localStorage.setItem('pult.theme', 'dark'))
    const wasRead = page.waitForResponse(/\/api\/me\/settings$/)
    await page.goto('/settings')
    await wasRead
    await expectPage(page.getByRole('radio', { name: 'Dark' })).toBeChecked()
    expect((await ada.call(read)).body).toMatchObject({ theme: null, revision: 0 })
  })

  test.each(['de', 'en', 'de-DE'])('DEC-35 the navigation cuts none of its names, %s', async (language) => {
    const { page } = await openConsole(server, { as: await given.person(), path: null })
    await page.addInitScript((spoken) => localStorage.setItem('pult.locale', spoken), language)
    await page.goto('/settings/notifications')
    await expectPage(page.locator('html')).toHaveAttribute('lang', language)
    await expectPage(page.locator('main nav [aria-current]')).toBeVisible()
    const cut = await page
      .locator('main nav a span')
      .evaluateAll((names) =>
        names.filter((name) => name.scrollWidth > name.clientWidth).map((name) => name.textContent),
      )
    expect(cut).toEqual([])
  })

  test('DEC-35 notifications are switched off one by one, by keyboard', async () => {
    const ada = await given.person()
    const { page } = await openConsole(server, { as: ada, path: '/settings/notifications' })
    const created = page.getByRole('checkbox', { name: 'Created' })
    await expectPage(created).toBeChecked()
    // As the tasks call it themselves.
    await expectPage(page.getByRole('checkbox', { name: 'Failed' })).toBeChecked()
    await created.press('Space')
    await expectPage(created).not.toBeChecked()
    await expect
      .poll(async () => (await ada.call(read)).body.notifications)
      .toEqual({ created: false, finished: true, rejected: true, timedOut: true, aborted: true })
    await page.reload()
    await expectPage(created).not.toBeChecked()

    // What could not be kept is not shown as if it were.
    await page.route(/\/api\/me\/settings$/, (route) =>
      route.request().method() === 'PUT' ? route.abort() : route.continue(),
    )
    const finished = page.getByRole('checkbox', { name: 'Finished' })
    await finished.press('Space')
    await expectPage(page.getByText('Your settings could not be saved')).toBeVisible()
    await expectPage(finished).toBeChecked()
  })

  for (const theme of ['light', 'dark'] as const) {
    for (const width of [1280, 390]) {
      test(`DEC-35 accessible, ${theme}, ${width} px`, async () => {
        const ada = await given.person()
        const opened = await openConsole(server, {
          as: ada,
          path: '/settings/appearance',
          theme,
          viewport: { width, height: 800 },
        })
        await expectPage(opened.page.getByRole('radio', { name: 'Compact' })).toBeVisible()
        await opened.expectAccessible()
        await opened.page.goto('/settings/notifications')
        await expectPage(opened.page.getByRole('checkbox').first()).toBeVisible()
        await opened.expectAccessible()
        expect(await opened.page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
        expect(opened.complaints).toEqual([])
      })
    }
  }
})
