import { settingsEndpoints } from '@pult/contract'
import { expectPage, openConsole, testServer } from '@pult/testkit'
import { describe, expect, test } from 'vitest'

describe('settings', async () => {
  const server = await testServer({ withConsole: true })
  const { given } = server
  const { read } = settingsEndpoints

  test('DEC-35 appearance and density take effect immediately, in another browser and after a reload', async () => {
    const ada = await given.person()
    const here = await openConsole(server, { as: ada, path: '/settings/appearance' })
    const there = await openConsole(server, { as: { token: await ada.openSession() }, path: '/me' })
    const look = ({ page }: typeof here) =>
      page.evaluate(() => {
        const { theme, density } = document.documentElement.dataset
        return { theme, density }
      })
    await here.page.getByRole('radio', { name: 'Dark' }).press('Space')
    await expect.poll(() => look(here)).toMatchObject({ theme: 'dark' })
    await expect.poll(() => look(there)).toMatchObject({ theme: 'dark' })
    await here.page.getByRole('radio', { name: 'Compact' }).press('Space')
    await expect.poll(() => look(there)).toMatchObject({ density: 'compact' })
    expect((await ada.call(read)).body).toMatchObject({ theme: 'dark', density: 'compact' })
    // Applied before the first paint.
    await there.page.reload({ waitUntil: 'commit' })
    await there.page.waitForFunction(() => document.documentElement.dataset['density'] === 'compact')

    // The palette changes the same setting.
    await expectPage(there.page.getByRole('banner')).toBeVisible()
    await there.page.keyboard.press('ControlOrMeta+k')
    await there.page.getByRole('combobox').fill('appearance light')
    await there.page.keyboard.press('Enter')
    await expectPage(here.page.getByRole('radio', { name: 'Light' })).toBeChecked()
    expect([...here.complaints, ...there.complaints]).toEqual([])
  })

  test('DEC-35 of two quick choices the later one stays, even if the first one arrives late', async () => {
    const ada = await given.person()
    const { page } = await openConsole(server, { as: ada, path: '/settings/appearance' })
    const held = Promise.withResolvers<void>()
    const sent: unknown[] = []
    await page.route(/\/api\/me\/settings$/, async (route) => {
      if (route.request().method() !== 'PUT') return route.continue()
      sent.push(route.request().postDataJSON())
      if (sent.length === 1) await held.promise
      await route.continue()
    })
    await page.getByRole('radio', { name: 'Dark' }).press('Space')
    await expect.poll(() => sent).toHaveLength(1)
    await page.getByRole('radio', { name: 'Light' }).press('Space')
    await expectPage(page.locator('html')).toHaveAttribute('data-theme', 'light')
    expect(sent).toEqual([{ theme: 'dark' }])
    held.resolve()
    await expect.poll(async () => (await ada.call(read)).body.theme).toBe('light')
    expect(sent).toEqual([{ theme: 'dark' }, { theme: 'light' }])
  })

  test('DEC-35 a browser keeps its own choice while the account has none', async () => {
    const ada = await given.person()
    const { page } = await openConsole(server, { as: ada, path: null })
    await page.addInitScript(() => localStorage.setItem('pult.theme', 'dark'))
    // The start includes the settings.
    const wasRead = page.waitForResponse(/\/api\/start/)
    await page.goto('/settings')
    await wasRead
    await expectPage(page.getByRole('radio', { name: 'Dark' })).toBeChecked()
    expect((await ada.call(read)).body).toMatchObject({ theme: null, revision: 0 })
  })

  test('DEC-35 the navigation truncates none of its names in any language', async () => {
    const { page } = await openConsole(server, { as: await given.person(), path: '/settings/notifications' })
    for (const language of ['de', 'en', 'de-DE']) {
      await page.evaluate((locale) => localStorage.setItem('pult.locale', locale), language)
      await page.reload()
      await expectPage(page.locator('html')).toHaveAttribute('lang', language)
      await expectPage(page.locator('main nav [aria-current]')).toBeVisible()
      const cut = await page
        .locator('main nav a span')
        .evaluateAll((names) =>
          names.filter((name) => name.scrollWidth > name.clientWidth).map((name) => name.textContent),
        )
      expect(cut, language).toEqual([])
    }
  })

  test('DEC-35 DEC-50 notifications are switched off one by one, and their scope is chosen, by keyboard', async () => {
    const ada = await given.person()
    const { page } = await openConsole(server, { as: ada, path: '/settings/notifications' })
    const created = page.getByRole('checkbox', { name: 'Created' })
    await expectPage(created).toBeChecked()
    // These are the names that the tasks use.
    await expectPage(page.getByRole('checkbox', { name: 'Failed' })).toBeChecked()
    await created.press('Space')
    await expectPage(created).not.toBeChecked()
    await expect
      .poll(async () => (await ada.call(read)).body.notifications)
      .toEqual({ created: false, finished: true, rejected: true, timedOut: true, aborted: true })
    await page.reload()
    await expectPage(created).not.toBeChecked()

    await expectPage(page.getByRole('radio', { name: 'Mine' })).toBeChecked()
    await page.getByRole('radio', { name: 'All' }).press('Space')
    await expect.poll(async () => (await ada.call(read)).body.taskNoticeScope).toBe('all')

    // A change that failed to save is rolled back on screen.
    await page.route(/\/api\/me\/settings$/, (route) =>
      route.request().method() === 'PUT' ? route.abort() : route.continue(),
    )
    const finished = page.getByRole('checkbox', { name: 'Finished' })
    await finished.press('Space')
    await expectPage(page.getByText('Your settings could not be saved')).toBeVisible()
    await expectPage(finished).toBeChecked()
    // Later changes do not wait for it.
    await page.unroute(/\/api\/me\/settings$/)
    await page.getByRole('radio', { name: 'Mine' }).press('Space')
    await expect.poll(async () => (await ada.call(read)).body.taskNoticeScope).toBe('mine')
    expect((await ada.call(read)).body.notifications.finished).toBe(true)
  })

  test('DEC-35 accessible in each theme and width', async () => {
    const ada = await given.person()
    const opened = await openConsole(server, {
      as: ada,
      path: '/settings/appearance',
    })
    await expectPage(opened.page.getByRole('radio', { name: 'Compact' })).toBeVisible()
    await opened.expectAccessibleInLooks()
    await opened.page.goto('/settings/notifications')
    await expectPage(opened.page.getByRole('checkbox').first()).toBeVisible()
    await opened.expectAccessibleInLooks()
    expect(opened.complaints).toEqual([])
  })
})
