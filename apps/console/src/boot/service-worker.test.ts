import { expectPage, openConsole, testServer } from '@pult/testkit'
import { describe, expect, test } from 'vitest'

describe('the background worker', async () => {
  const server = await testServer({ withConsole: true })

  async function openWithWorker(theme: 'light' | 'dark' = 'light') {
    const opened = await openConsole(server, { isCold: true, as: await server.given.person(), theme })
    const { page } = opened
    await expectPage(page.getByRole('navigation')).toBeVisible()
    await expectPage
      .poll(() => page.evaluate(() => navigator.serviceWorker.controller?.scriptURL))
      .toBe(`${server.url}/sw.js`)
    return opened
  }

  test('BOOT-08 RULE-74 DEC-46 the worker is registered at load and caches neither documents nor API answers', async () => {
    const opened = await openWithWorker()
    const { page } = opened
    await page.reload()
    await expectPage(page.getByRole('navigation')).toBeVisible()
    expect(await page.evaluate(async () => caches.keys())).toEqual([])
    expect(opened.complaints).toEqual([])
  })

  test.each([
    ['light', null, 'Pult cannot reach its server', true],
    ['dark', 'en', 'Pult cannot reach its server', false],
    ['dark', 'de-DE', 'Pult erreicht seinen Server nicht', false],
  ] as const)(
    'BOOT-08 DEC-48 a reload without a server shows a page that reloads itself: %s, %s, %s, online event: %s',
    async (theme, locale, title, hasOnlineEvent) => {
      const { page, context, expectAccessible } = await openWithWorker(theme)
      await page.evaluate((chosen) => chosen && localStorage.setItem('pult.locale', chosen), locale)
      if (!hasOnlineEvent)
        await page.addInitScript(() =>
          addEventListener('online', (event) => event.stopImmediatePropagation()),
        )
      await context.setOffline(true)
      await page.reload()
      await expectPage(page.getByRole('heading', { name: title })).toBeVisible()
      await expectAccessible()

      await context.setOffline(false)
      await expectPage(page.getByRole('navigation')).toBeVisible()
    },
  )
})
