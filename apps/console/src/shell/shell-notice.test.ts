import type { Page } from '@playwright/test'
import { expectPage, type OpenedConsole, openConsole, testServer } from '@pult/testkit'
import { describe, expect, test } from 'vitest'

/** Disconnects the network and stops the clock, so that the notice in the header stays even on a slow machine. */
async function goOffline({ page, context }: Pick<OpenedConsole, 'page' | 'context'>): Promise<void> {
  let hasFailed = false
  page.on('requestfailed', (request) => {
    if (request.url().endsWith('/api/build')) hasFailed = true
  })
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 10_000))
  await context.setOffline(true)
  // The first call can still succeed. The console makes the next one after 5 s.
  await expectPage
    .poll(async () => {
      if (!hasFailed) await page.clock.runFor(500)
      return hasFailed
    })
    .toBe(true)
}

/** Lets the live connection report a newer build of the server. */
async function reportNewerBuild(page: Page): Promise<void> {
  await page.routeWebSocket('**/api/ws', (socket) => {
    const upstream = socket.connectToServer()
    upstream.onMessage((data) => {
      const message = JSON.parse(String(data))
      if (message.type === 'ready') message.build.timestamp = '2999-01-01T00:00:00.000Z'
      socket.send(JSON.stringify(message))
    })
  })
}

describe('the notice in the header', async () => {
  const server = await testServer({ withConsole: true })
  const { given } = server

  test('DEC-46 offers a reload only when the server runs a newer build', async () => {
    const { page } = await openConsole(server, { as: await given.person(), path: null })
    await page.goto('/')
    await expectPage(page.getByRole('banner')).toBeVisible()
    await expectPage(page.getByRole('button', { name: 'Reload' })).toHaveCount(0)

    await reportNewerBuild(page)
    await page.reload()
    await page.getByRole('banner').waitFor()
    const reload = page.getByRole('status').getByRole('button', { name: 'Reload' })
    await expectPage(reload).toBeVisible()
    const loaded = page.waitForEvent('load')
    await reload.click()
    await loaded
  })

  test('tloncorp/tlon-apps#1001 an outdated page that is not used for 30 minutes reloads, but not while it is used or has unsaved input', async () => {
    const { page } = await openConsole(server, { as: await given.person(), path: null })
    await page.clock.install()
    await reportNewerBuild(page)
    await page.goto('/me/profile')
    await expectPage(page.getByRole('status').getByRole('button', { name: 'Reload' })).toBeVisible()
    let loads = 0
    page.on('load', () => {
      loads += 1
    })
    const firstName = page.getByLabel('First name')
    const name = await firstName.inputValue()
    await firstName.fill('Augusta')
    const asked = page.waitForResponse(/\/api\/health\/live$/)
    await page.clock.fastForward(40 * 60_000)
    await asked
    // A press restarts the time.
    await page.keyboard.press('Shift')
    await firstName.fill(name)
    await page.clock.fastForward(20 * 60_000)
    await expectPage(firstName).toHaveValue(name)
    expect(loads).toBe(0)
    const loaded = page.waitForEvent('load')
    await page.clock.fastForward(12 * 60_000)
    await loaded
  })

  test('tloncorp/tlon-apps#1001 a page that needs code which the server has replaced reloads on the first press', async () => {
    const { page } = await openConsole(server, { as: await given.person(), path: null })
    await page.clock.install()
    await page.goto('/')
    await expectPage(page.getByRole('banner')).toBeVisible()
    const parts = /\/assets\/Parts-[^/]*\.js$/
    await page.route(parts, (route) => route.fulfill({ status: 404 }))
    await page.clock.fastForward(30_000)
    // The same build: the file may come back.
    const asked = page.waitForResponse(/\/api\/build$/)
    await page.keyboard.press('Shift')
    await asked
    const build = await (await page.request.get('/api/build')).json()
    await page.route(/\/api\/build$/, (route) =>
      route.fulfill({ json: { ...build, timestamp: '2999-01-01T00:00:00.000Z' } }),
    )
    const loaded = page.waitForEvent('load')
    await page.clock.fastForward(10_000)
    await loaded
    await page.unroute(parts)
    await expectPage(page.getByRole('banner')).toBeVisible()
    await page.keyboard.press('ControlOrMeta+k')
    await expectPage(page.getByRole('combobox')).toBeFocused()
  })

  test('reports a lost connection, and disappears when it is back', async () => {
    const { page, context } = await openConsole(server, { as: await given.person(), path: null })
    await page.clock.install()
    await page.goto('/')
    await expectPage(page.getByRole('banner')).toBeVisible()
    const notice = page.getByRole('banner').getByRole('status')
    await expectPage(notice).toBeEmpty()
    await goOffline({ page, context })
    expect(await notice.textContent()).toBe('')
    await expectPage
      .poll(async () => {
        await page.clock.runFor(1000)
        return notice.textContent()
      })
      .toBe('You are offline')
    await page.clock.resume()
    await context.setOffline(false)
    await expectPage(notice).toBeEmpty()
  })

  test('DEC-48 the notice appears if the connection breaks after the browser has reported offline', async () => {
    const { page } = await openConsole(server, { as: await given.person() })
    await expectPage(page.getByRole('banner')).toBeVisible()
    const checked = page.waitForResponse(/\/api\/build/)
    await page.evaluate(() => {
      Object.defineProperty(navigator, 'onLine', { value: false })
      dispatchEvent(new Event('offline'))
    })
    await checked
    await page.route(/\/api\/build/, (route) => route.abort())
    await page.routeWebSocket('**/api/ws', (socket) => socket.close({ code: 1011 }))
    await expectPage(page.getByRole('banner').getByRole('status')).not.toBeEmpty()
  })

  test('DEC-48 a page that fails to load shows offline immediately, and loads when the connection is back', async () => {
    const { page, context } = await openConsole(server, { as: await given.person(), path: null })
    await page.clock.install()
    await page.goto('/')
    const link = page.getByRole('navigation').getByRole('link', { name: 'Organizations' })
    await expectPage(link).toBeVisible()
    await goOffline({ page, context })
    await link.click()
    await expectPage(page.getByRole('main')).toContainText(/The page loads when the connection is back/)
    await page.clock.resume()
    await context.setOffline(false)
    await expectPage(page.getByRole('heading', { name: 'Organizations' })).toBeVisible()
    await expectPage(page.getByRole('main')).not.toContainText(/when the connection is back/)
  })

  test('DEC-48 a page whose code failed to load on an open connection reloads once the server responds', async () => {
    const { page } = await openConsole(server, { as: await given.person(), path: null })
    await page.clock.install()
    await page.goto('/')
    const link = page.getByRole('navigation').getByRole('link', { name: 'Organizations' })
    await expectPage(link).toBeVisible()
    const code = /\/assets\/OrganisationsPage[^/]*\.js$/
    const health = /\/api\/health\/live$/
    await page.route(code, (route) => route.abort())
    await page.route(health, (route) => route.fulfill({ status: 502 }))
    await link.click()
    await expectPage(page.getByRole('main').getByRole('alert')).toContainText('This page failed to load')
    const isAsked = page.waitForResponse(health)
    await page.clock.fastForward(30_000)
    await isAsked
    await expectPage(page.getByRole('main').getByRole('alert')).toContainText('This page failed to load')
    await page.unroute(code)
    await page.unroute(health)
    await page.clock.fastForward(5000)
    await expectPage(page.getByRole('heading', { name: 'Organizations' })).toBeVisible()
  })
})
