import { join } from 'node:path'
import { rootExtensionEndpoints } from '@pult/contract'
import { expectPage, extensionFolder, openConsole, testServer, writeExtension } from '@pult/testkit'
import { describe, expect, test } from 'vitest'

const uuid = '0193a3f0-5a2e-7c41-9d5b-2f1b7a6c0d11'
const app = (id: string, label: string) => ({ id, uuid, label, icon: 'box', productSku: 'root' })

const extensionsFolder = await extensionFolder({
  tools: { manifest: { id: 'tools', apps: [app('tools', 'Tools')] } },
})

const looping = `
  const Page = () => { for (;;); }
  export default { register: ({ registerApp }) => registerApp({
    id: 'loop', loader: async () => ({ default: { routes: [{ name: 'app-loop', path: '*', Component: Page }] } }) }) }`

describe('safe mode', async () => {
  const server = await testServer({ withConsole: true, extensionsFolder })
  const root = await server.given.person({ isRoot: true })
  await writeExtension(join(server.dataFolder, 'extensions/loop'), {
    manifest: { id: 'loop', apps: [app('loop', 'Loop')] },
    files: { 'entry.js': looping },
  })
  const params = { name: 'loop' }

  test('DEC-24 after an app in a restored window has blocked a start, the next start offers safe mode', async () => {
    expect(await root.call(rootExtensionEndpoints.enable, { params, body: {} })).toSucceed()
    const blocked = await openConsole(server, { as: root, path: null })
    const remembered = {
      position: { x: 0, y: 0 },
      size: { width: 400, height: 200 },
      state: 'free',
      isMinimised: false,
      isOpen: true,
      path: '',
      order: 1,
    }
    await blocked.page.addInitScript(
      ([key, window]) =>
        localStorage.setItem('pult.windowConfig', JSON.stringify({ [key]: { loop: window } })),
      [`${root.personId} root`, remembered] as const,
    )
    await blocked.page.goto('/root', { waitUntil: 'commit' })
    const { page } = await openConsole(server, { as: root, sameBrowserAs: blocked, path: '/api/build' })
    const mark = () => page.evaluate(() => localStorage.getItem('pult.unfinishedStart'))
    await expect.poll(mark).not.toBeNull()
    await page.evaluate(() => localStorage.setItem('pult.unfinishedStart', String(Date.now() - 60_000)))

    await page.goto('/root')
    await expectPage(page.getByText('The last start did not finish')).toBeVisible()
    await page.getByRole('button', { name: 'Start in safe mode' }).click()
    await expectPage(page.getByRole('main').getByRole('link', { name: 'Tools' })).toBeVisible()
    await expectPage(page.getByText('Safe mode: only bundled extensions run')).toBeVisible()
    await expectPage(page.getByRole('link', { name: 'Loop' })).toHaveCount(0)
    await expectPage(page.getByRole('dialog')).toHaveCount(0)

    expect(await root.call(rootExtensionEndpoints.disable, { params })).toSucceed()
    await page.getByRole('button', { name: 'Start with all extensions' }).click()
    await expectPage(page.getByRole('navigation')).toBeVisible()
    await expectPage(page.getByText('Safe mode')).toHaveCount(0)
  })

  test('home-assistant/frontend#6266 without input an unfinished start is followed by a normal one, and a second one by safe mode', async () => {
    const opened = await openConsole(server, { as: root, path: '/api/build' })
    const { page } = opened
    await page.clock.install()
    const startAfter = async (mark: (minuteAgo: number) => string) => {
      const minuteAgo = (await page.evaluate(() => Date.now())) - 60_000
      await page.goto('/api/build')
      await page.evaluate((text) => localStorage.setItem('pult.unfinishedStart', text), mark(minuteAgo))
      await page.goto('/root')
    }
    const countdown = page.getByRole('timer')
    const tools = page.getByRole('main').getByRole('link', { name: 'Tools' })

    // A console of the previous release stored the time only.
    await startAfter((minuteAgo) => String(minuteAgo))
    await expectPage(countdown).toHaveText(/^Starts in \d+\Ws without input$/)
    await opened.expectAccessible()
    await page.clock.runFor(31_000)
    await expectPage(tools).toBeVisible()
    await expectPage(page.getByText('Safe mode')).toHaveCount(0)

    await startAfter((minuteAgo) => `${minuteAgo} 2`)
    await expectPage(countdown).toHaveText(/^Starts in safe mode in \d+\Ws without input$/)
    await page.clock.runFor(31_000)
    await expectPage(page.getByText('Safe mode: only bundled extensions run')).toBeVisible()

    await startAfter((minuteAgo) => `${minuteAgo} 2`)
    await expectPage(countdown).toBeVisible()
    await page.keyboard.press('Shift')
    await expectPage(countdown).toHaveCount(0)
    await page.clock.runFor(60_000)
    await page.getByRole('button', { name: 'Retry' }).click()
    await expectPage(tools).toBeVisible()
    await expectPage(page.getByText('Safe mode')).toHaveCount(0)
  })

  test('DEC-24 a page left within seconds counts as started, and the notice of safe mode fits beside the search', async () => {
    const { page } = await openConsole(server, { as: root, path: '/?safe-mode' })
    await expectPage(page.getByText('Safe mode: only bundled extensions run')).toBeVisible()
    for (const width of [1024, 900]) {
      await page.setViewportSize({ width, height: 700 })
      await expectPage.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    }
    await page.goto('/api/build')
    expect(await page.evaluate(() => localStorage.getItem('pult.unfinishedStart'))).toBeNull()
  })
})
