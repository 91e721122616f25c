import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { expectPage, type OpenedConsole, openConsole, testServer } from '@pult/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { chromiumFlags, findBrowser } from '../tools/browser.ts'

/* The console for users with different sight, motor abilities or devices, and as an installed app. */

const server = await testServer({ withConsole: true })
const { given } = server
const person = async () => {
  const olga = await given.person({ firstname: 'Olga' })
  await given.project(olga, { label: 'Hall 7', products: ['project', 'media-library', 'edges'] })
  return olga
}
const tile = ({ page }: OpenedConsole, name: string) =>
  page.getByRole('main').getByRole('link', { name: new RegExp(`^${name}`) })

test('in forced colours, borders mark the open tab, the pressed button and the focus', async () => {
  const opened = await openConsole(server, { as: await person(), path: null })
  const { page } = opened
  await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' })
  await page.goto('/app/project-details/overview')
  const tab = (name: string) => page.getByRole('main').getByRole('link', { name, exact: true })
  const lineOf = (name: string) => tab(name).evaluate((one) => getComputedStyle(one).borderBottomColor)
  await expectPage(tab('Overview')).toHaveAttribute('aria-current', 'page')
  const ground = await page.locator('html').evaluate((one) => getComputedStyle(one).backgroundColor)
  expect(await lineOf('Notes')).toBe(ground)
  expect(await lineOf('Overview')).not.toBe(ground)
  await tab('Notes').focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowLeft')
  await expectPage(tab('Notes')).toBeFocused()
  await expectPage(tab('Notes')).toHaveCSS('outline-style', 'solid')
  await expectPage(tab('Overview')).toHaveCSS('outline-style', 'none')
  const place = (name: string) => page.getByRole('navigation').getByRole('link', { name, exact: true })
  await page.goto('/projects')
  await expectPage(place('Projects')).toHaveCSS('outline-style', 'solid')
  await expectPage(place('Organizations')).toHaveCSS('outline-style', 'none')
  await page.goto('/settings/stream-decks')
  const views = page.getByRole('main').locator('button[aria-pressed]')
  await expectPage(views.first()).toBeVisible()
  await expectPage(page.locator('button[aria-pressed=true]').first()).toHaveCSS('outline-style', 'solid')
  await expectPage(page.locator('button[aria-pressed=false]').first()).toHaveCSS('outline-style', 'none')
})

/** Records every element whose position or size is animated. */
const watchMotion = ({ page }: OpenedConsole) =>
  page.addInitScript(() => {
    const moving = /^(translate|rotate|scale|transform|top|left|right|bottom|width|height|inset|margin)/
    const seen: string[] = []
    Object.assign(globalThis, { motion: seen })
    const note = (event: Event) => {
      if (!(event.target instanceof Element)) return
      for (const animation of event.target.getAnimations({ subtree: true })) {
        const effect = animation.effect as KeyframeEffect
        const names = effect.getKeyframes().flatMap((frame) => Object.keys(frame))
        if (names.some((name) => moving.test(name))) seen.push(`${event.type} ${event.target.className}`)
      }
    }
    for (const type of ['transitionrun', 'animationstart']) addEventListener(type, note, true)
  })

test('no element moves with reduced motion, and some elements move without it', async () => {
  const motionOf = async (reducedMotion: boolean) => {
    const opened = await openConsole(server, { as: await person(), path: null, reducedMotion })
    const { page } = opened
    await watchMotion(opened)
    await page.goto('/')
    await expectPage(tile(opened, 'Project Details')).toBeVisible()
    await page.getByRole('button', { name: /^Your account/ }).click()
    await expectPage(page.getByRole('dialog', { name: 'Your account' })).toBeVisible()
    await page.keyboard.press('Escape')
    await page
      .getByRole('banner')
      .getByRole('button', { name: /^Tasks/ })
      .click()
    await expectPage(page.getByRole('dialog', { name: 'Tasks' })).toBeVisible()
    await page.keyboard.press('Escape')
    await page.getByRole('main').getByRole('button', { name: 'Open Edges in a window' }).click()
    await expectPage(page.getByRole('dialog', { name: 'Edges' })).toBeFocused()
    await page.keyboard.press('ControlOrMeta+Alt+ArrowRight')
    await page.keyboard.press('ControlOrMeta+k')
    await expectPage(page.getByRole('combobox')).toBeFocused()
    await page.keyboard.press('Escape')
    return page.evaluate((): string[] => Reflect.get(globalThis, 'motion'))
  }
  expect(await motionOf(true)).toEqual([])
  expect(await motionOf(false)).not.toEqual([])
})

/** Returns the cumulative layout shift since the start of the page (https://web.dev/cls). */
async function shiftOf(page: Page): Promise<number> {
  await page.waitForLoadState('networkidle')
  return page.evaluate(() => Reflect.get(globalThis, 'shift') as number)
}

test('the layout stays stable: login, home and an app’s page shift by less than 0.02', async () => {
  const opened = await openConsole(server, { path: null, reducedMotion: false })
  const { page } = opened
  await page.addInitScript(() => {
    Object.assign(globalThis, { shift: 0 })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        value: number
        hadRecentInput: boolean
      })[]) {
        if (!entry.hadRecentInput)
          Object.assign(globalThis, { shift: Reflect.get(globalThis, 'shift') + entry.value })
      }
    }).observe({ type: 'layout-shift', buffered: true })
    // Home shows its apps after one second without a reply, above the content of the reply. A busy machine needs
    // longer, so the test disables this fallback.
    const patience = new CSSStyleSheet()
    patience.replaceSync('[class*="_late_"] > * { animation-delay: 3600s !important }')
    document.adoptedStyleSheets.push(patience)
  })
  const { token } = await person()
  const shifts: Record<string, number> = {}
  await page.goto('/')
  await expectPage(page.getByPlaceholder('Username / E-Mail')).toBeVisible()
  shifts.login = await shiftOf(page)
  await page.evaluate((value) => localStorage.setItem('pult.token', value), token)
  await page.goto('/')
  await expectPage(tile(opened, 'Project Details')).toBeVisible()
  shifts.home = await shiftOf(page)
  await page.goto('/app/project-details/overview')
  await expectPage(page.getByRole('main').getByText('Hall 7').first()).toBeVisible()
  shifts.app = await shiftOf(page)
  for (const [name, shift] of Object.entries(shifts)) expect(shift, name).toBeLessThan(0.02)
})

test('the browser accepts the console as an installable app with the declared icons', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pult-profile-'))
  // A persistent context, because browsers do not install apps in private windows.
  const context = await chromium.launchPersistentContext(folder, {
    executablePath: await findBrowser(),
    args: chromiumFlags,
    baseURL: server.url,
  })
  onTestFinished(async () => {
    await context.close()
    await rm(folder, { recursive: true, force: true })
  })
  const page = await context.newPage()
  await page.goto('/')
  await expectPage(page.getByPlaceholder('Username / E-Mail')).toBeVisible()
  const browser = await context.newCDPSession(page)
  const { errors, data } = await browser.send('Page.getAppManifest')
  expect(errors).toEqual([])
  const manifest = JSON.parse(data ?? '{}') as { start_url: string; icons: Record<string, string>[] }
  expect(manifest).toMatchObject({ name: 'Pult', start_url: '/', display: 'standalone' })
  expect((await browser.send('Page.getInstallabilityErrors')).installabilityErrors).toEqual([])
  const sizes = await page.evaluate(
    (icons) =>
      Promise.all(
        icons.map(async ({ src = '', sizes: declared, purpose }) => {
          const image = new Image()
          image.src = src
          await image.decode()
          return [purpose ?? 'any', declared, `${image.naturalWidth}x${image.naturalHeight}`]
        }),
      ),
    manifest.icons.filter(({ type }) => type === 'image/png'),
  )
  expect(sizes).toEqual([
    ['any', '192x192', '192x192'],
    ['any', '512x512', '512x512'],
    ['maskable', '512x512', '512x512'],
  ])
})
