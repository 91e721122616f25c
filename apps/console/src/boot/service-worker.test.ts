import { expectPage, openConsole, testServer } from '@pult/testkit'
import { describe, expect, test } from 'vitest'

describe('the background worker', async () => {
  const server = await testServer({ withConsole: true })

  test('BOOT-08 RULE-74 is registered after the load, keeps hashed files and nothing else', async () => {
    const opened = await openConsole(server, { as: await server.given.person() })
    const { page } = opened
    await expectPage(page.getByRole('navigation')).toBeVisible()
    await expectPage
      .poll(() => page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.active?.state))
      .toBe('activated')

    await page.reload()
    await expectPage(page.getByRole('navigation')).toBeVisible()
    expect(await page.evaluate(() => navigator.serviceWorker.controller?.scriptURL)).toBe(
      `${server.url}/sw.js`,
    )
    const keptPaths = () =>
      page.evaluate(async () => {
        const names = await caches.keys()
        const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
        return requests.flat().map(({ url }) => new URL(url).pathname)
      })
    const loadedPaths = () =>
      page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname))
    await page.waitForLoadState('networkidle')
    await expectPage
      .poll(async () => {
        const kept = new Set(await keptPaths())
        return (await loadedPaths()).filter((path) => path.startsWith('/assets/') && !kept.has(path))
      })
      .toEqual([])
    expect((await keptPaths()).length).toBeGreaterThan(0)
    expect((await keptPaths()).filter((path) => !path.startsWith('/assets/'))).toEqual([])

    // Nothing waits for the worker to start: the browser itself finds the files where it keeps them.
    await page.reload()
    await expectPage(page.getByRole('navigation')).toBeVisible()
    const sources = await page.evaluate(() => {
      const entries = ['navigation', 'resource'].flatMap((type) => performance.getEntriesByType(type))
      return entries.map((entry) => [
        new URL(entry.name).pathname,
        String(Reflect.get(entry, 'workerFinalSourceType')),
      ])
    })
    const isAsset = ([path = '']: string[]) => path.startsWith('/assets/')
    expect(sources.filter(isAsset).length).toBeGreaterThan(0)
    expect(sources.filter((each) => isAsset(each) && each[1] !== 'cache')).toEqual([])
    expect(sources.filter((each) => !isAsset(each) && each[1] !== 'network')).toEqual([])
    expect(opened.complaints).toEqual([])
  })

  test('BOOT-08 the worker waits while somebody signs in', async () => {
    const { page } = await openConsole(server, { path: '/' })
    const isRegistered = () =>
      page.evaluate(async () => (await navigator.serviceWorker.getRegistration()) !== undefined)
    const name = page.getByPlaceholder('Username / E-Mail')
    for (const letter of 'ada@ex') {
      await name.press(letter)
      await page.waitForTimeout(600)
    }
    expect(await isRegistered()).toBe(false)
    await expectPage.poll(isRegistered).toBe(true)
  })
})
