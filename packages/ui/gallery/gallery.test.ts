import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { AxeBuilder } from '@axe-core/playwright'
import { type Browser, chromium, type Locator, type Page } from '@playwright/test'
import sharp from 'sharp'
import { build, type Rolldown } from 'vite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumFlags, findBrowser } from '../../../tools/browser.ts'

const origin = 'http://gallery.test'
const widths = [1440, 390]
/** The gallery shows many pages on one, so landmarks and headings repeat. */
const ignoredRules = ['region', 'landmark-unique', 'heading-order', 'page-has-heading-one']

let browser: Browser
let files: Map<string, Buffer>

beforeAll(async () => {
  const root = fileURLToPath(new URL('.', import.meta.url))
  const output = (await build({
    root,
    mode: 'production',
    logLevel: 'warn',
    build: { write: false },
  })) as Rolldown.RolldownOutput
  files = new Map(
    output.output.map((file) => [
      `/${file.fileName}`,
      Buffer.from(file.type === 'chunk' ? file.code : file.source),
    ]),
  )
  browser = await chromium.launch({ executablePath: await findBrowser(), args: chromiumFlags })
})

afterAll(() => browser.close())

async function openGallery(
  theme: string,
  width: number,
  prepare?: () => void,
): Promise<{ page: Page; complaints: string[] }> {
  const context = await browser.newContext({ viewport: { width, height: 900 }, reducedMotion: 'reduce' })
  const page = await context.newPage()
  if (prepare !== undefined) await page.addInitScript(prepare)
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  await page.route(`${origin}/**`, (route) => {
    const { pathname } = new URL(route.request().url())
    const body = files.get(pathname === '/' ? '/index.html' : pathname)
    const contentType = typeOf(pathname)
    return body === undefined ? route.fulfill({ status: 404 }) : route.fulfill({ body, contentType })
  })
  await page.goto(`${origin}/?theme=${theme}`)
  await page.getByRole('grid', { name: 'Edges' }).waitFor()
  await page.getByRole('group', { name: 'Period' }).waitFor()
  return { page, complaints }
}

function typeOf(pathname: string): string {
  if (pathname.endsWith('.js')) return 'text/javascript'
  if (pathname.endsWith('.css')) return 'text/css'
  if (pathname.endsWith('.svg')) return 'image/svg+xml'
  return pathname.endsWith('.woff2') ? 'font/woff2' : 'text/html'
}

describe.each(['light', 'dark'])('the gallery, %s', (theme) => {
  test('every component renders in every state without axe findings, errors or horizontal overflow', async () => {
    const { page, complaints } = await openGallery(theme, widths[0] ?? 0)
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 })
      const { violations } = await new AxeBuilder({ page })
        .setLegacyMode(true)
        .disableRules(ignoredRules)
        .analyze()
      const findings = violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html }) => `${id} ${html.slice(0, 160)}`),
      )
      expect(findings, `${width} px`).toEqual([])
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect(overflow, `${width} px`).toBeLessThanOrEqual(0)
    }
    expect(complaints).toEqual([])
    await page.context().close()
  })
})

/** Minimum difference of a colour channel (0 to 255) that counts as painted. The faintest one, of a skeleton, is 9. */
const leastDifference = 6

test.each(['light', 'dark'])(
  'every specimen paints something other than its background, %s',
  async (theme) => {
    const { page } = await openGallery(theme, 1440)
    const boxes = await page.evaluate(() =>
      [...document.querySelectorAll('[data-specimen]')].flatMap((specimen) =>
        [...specimen.children].flatMap((part, index) => {
          const { x, y, width: wide, height } = part.getBoundingClientRect()
          const name = `${specimen.getAttribute('data-specimen') ?? ''} ${index + 1}`
          // Hidden inputs measure at most one pixel.
          return wide > 1 && height > 1 ? { name, x: x + scrollX, y: y + scrollY, wide, height } : []
        }),
      ),
    )
    expect(boxes.length).toBeGreaterThan(100)
    const picture = sharp(await page.screenshot({ fullPage: true, animations: 'disabled' }))
    const { data, info } = await picture.removeAlpha().raw().toBuffer({ resolveWithObject: true })
    const isBlank = ({ x, y, wide, height }: Omit<(typeof boxes)[number], 'name'>) => {
      // The margin is needed because a specimen of one colour differs only from the page around it.
      const [left, top] = [Math.max(0, Math.floor(x) - 2), Math.max(0, Math.floor(y) - 2)]
      const right = Math.min(info.width, Math.ceil(x + wide) + 2)
      const bottom = Math.min(info.height, Math.ceil(y + height) + 2)
      const first = (top * info.width + left) * 3
      for (let row = top; row < bottom; row += 1) {
        for (let at = (row * info.width + left) * 3; at < (row * info.width + right) * 3; at += 1) {
          const background = data[first + (at % 3)] ?? 0
          if (Math.abs((data[at] ?? 0) - background) >= leastDifference) return false
        }
      }
      return true
    }
    expect(boxes.filter(isBlank).map(({ name }) => name)).toEqual([])
    // The page's margin is blank, so this proves that isBlank detects blank areas.
    expect(isBlank({ x: 4, y: 4, wide: 40, height: 40 })).toBe(true)
    await page.context().close()
  },
)

test('every visible component of the package is in the gallery', () => {
  const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')
  const names = [...read('../src/index.ts').matchAll(/export \{([^}]*)\}/g)]
    .flatMap(([, list = '']) => list.split(','))
    .map((name) => name.trim())
    .filter((name) => /^[A-Z]\w+$/.test(name))
  const sections = readdirSync(new URL('sections', import.meta.url)).map((name) => read(`sections/${name}`))
  const gallery = [read('Gallery.tsx'), ...sections].join()
  const missing = names.filter((name) => !new RegExp(`<${name}\\b`).test(gallery))
  // Both components are invisible.
  expect(missing).toEqual(['KnownUsername', 'VisuallyHidden'])
})

test('the keyboard sorts, selects and resizes a table of 5,000 rows, and hides a column', async () => {
  const { page, complaints } = await openGallery('light', 1440)
  const grid = page.getByRole('grid', { name: 'Edges' })
  const first = () => grid.getByRole('rowheader').first().textContent()
  expect(await grid.getAttribute('aria-rowcount')).toBe('5001')
  expect(await grid.getByRole('row').count()).toBeLessThan(60)
  expect(await first()).toBe('Portalkran 1')

  const name = grid.getByRole('columnheader', { name: 'Edge', exact: true })
  await name.getByRole('button').press('Enter')
  await expect.poll(first).toBe('Portalkran 5000')
  expect(await name.getAttribute('aria-sort')).toBe('descending')

  await name.getByRole('separator').press('ArrowRight')
  await expect.poll(() => name.getByRole('separator').getAttribute('aria-valuenow')).not.toBe('80')

  await grid.getByRole('row', { name: 'Portalkran 5000' }).focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('Shift+ArrowDown')
  await page.getByText('3 selected').waitFor()
  await page.keyboard.press('End')
  const last = grid.getByRole('row', { name: 'Portalkran 1', exact: true })
  await expect.poll(() => last.evaluate((row) => row === document.activeElement)).toBe(true)
  await page.keyboard.press('Control+a')
  await page.getByText('5000 selected').waitFor()

  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Agent' }).click()
  await page.keyboard.press('Escape')
  await expect.poll(() => grid.getByRole('columnheader', { name: 'Agent' }).count()).toBe(0)
  expect(complaints).toEqual([])
  await page.context().close()
})

test('the arrow keys show the values of a chart, and no value in its gap', async () => {
  const { page } = await openGallery('dark', 1440)
  const chart = page.getByRole('slider', { name: 'Load of Portalkran 4, 24 h' })
  await chart.focus()
  await page.keyboard.press('End')
  expect(await chart.getAttribute('aria-valuetext')).toMatch(/^\d\d:\d\d: Load \d+\u202F%$/)
  await page.keyboard.press('Home')
  await page.evaluate((steps) => {
    const press = () =>
      document.activeElement?.dispatchEvent(
        new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true, cancelable: true }),
      )
    return Array.from({ length: steps }).reduce<Promise<unknown>>(
      (before) => before.then(press).then(() => new Promise(requestAnimationFrame)),
      Promise.resolve(),
    )
  }, 125)
  expect(await chart.getAttribute('aria-valuetext')).toMatch(/: Load –$/)
  await page.context().close()
})

test('DEC-31 Esc asks before it discards the input of a dialog, and staying returns to the field', async () => {
  const { page, complaints } = await openGallery('light', 1440)
  const dialog = page.getByRole('dialog', { name: 'Rename' })
  const question = page.getByRole('alertdialog', { name: 'Leave without saving?' })
  const label = dialog.getByLabel('Label')
  const isHeld = page.locator('html[data-unsaved]')
  const expectLabelFocused = () =>
    expect.poll(() => label.evaluate((field) => field === document.activeElement)).toBe(true)
  const stay = question.getByRole('button', { name: 'Stay' })
  const expectStayFocused = () =>
    expect.poll(() => stay.evaluate((button) => button === document.activeElement)).toBe(true)
  const open = () => page.getByRole('button', { name: 'Rename' }).click()
  await open()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  expect(await question.count()).toBe(0)

  await open()
  await label.fill('Foyer Süd')
  await isHeld.waitFor()
  await page.keyboard.press('Escape')
  await question.waitFor()
  await expectStayFocused()
  // Only the question closes.
  await page.keyboard.press('Escape')
  await expectLabelFocused()
  await page.keyboard.press('Escape')
  await stay.click()
  await expectLabelFocused()
  expect(await label.inputValue()).toBe('Foyer Süd')

  // The focus is on the dialog itself.
  await dialog.getByRole('heading').click()
  const isDialogFocused = () => dialog.evaluate((element) => element === document.activeElement)
  await expect.poll(isDialogFocused).toBe(true)
  await page.keyboard.press('Escape')
  await expectStayFocused()
  await page.keyboard.press('Enter')
  await question.waitFor({ state: 'detached' })
  await expect.poll(isDialogFocused).toBe(true)

  await page.keyboard.press('Escape')
  await question.getByRole('button', { name: 'Leave' }).click()
  await dialog.waitFor({ state: 'detached' })
  await isHeld.waitFor({ state: 'detached' })
  await open()
  expect(await label.inputValue()).toBe('Foyer Nord')
  expect(await question.count()).toBe(0)
  expect(complaints).toEqual([])
  await page.context().close()
})

test('DEC-31 Cancel discards the input of a dialog without a question', async () => {
  const { page } = await openGallery('light', 1440)
  const dialog = page.getByRole('dialog', { name: 'Rename' })
  await page.getByRole('button', { name: 'Rename' }).click()
  await dialog.getByLabel('Label').fill('Foyer Süd')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.locator('html[data-unsaved]').waitFor({ state: 'detached' })
  expect(await page.getByRole('alertdialog').count()).toBe(0)
  await page.context().close()
})

/** Replaces the browser's watchers of close requests by ones that receive those of a test. */
function catchCloseRequests() {
  const watchers: EventTarget[] = []
  Object.assign(globalThis, {
    CloseWatcher: class extends EventTarget {
      constructor() {
        super()
        watchers.push(this)
      }
      destroy() {
        if (watchers.includes(this)) watchers.splice(watchers.indexOf(this), 1)
      }
    },
    goBack: () => watchers.pop()?.dispatchEvent(new Event('close')),
  })
}

test('mozilla-mobile/fenix#25006 Back closes a menu, a popover and a calendar, and a dialog after a question about its input', async () => {
  const { page, complaints } = await openGallery('light', 1440, catchCloseRequests)
  const goBack = () => page.evaluate('goBack()')
  const expectClosed = async (button: Locator, layer: Locator) => {
    await button.click()
    await layer.waitFor()
    await goBack()
    await layer.waitFor({ state: 'detached' })
  }
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const dialog = page.getByRole('dialog')
  await expectClosed(button('Actions'), page.getByRole('menu'))
  await expectClosed(button('Explain'), dialog)
  for (const name of ['Day', 'Period'])
    await expectClosed(page.getByRole('group', { name, exact: true }).getByRole('button'), dialog)
  await expectClosed(button('Rename'), dialog)

  await button('Rename').click()
  await dialog.getByLabel('Label').fill('Foyer Süd')
  await page.locator('html[data-unsaved]').waitFor()
  const question = page.getByRole('alertdialog', { name: 'Leave without saving?' })
  await goBack()
  await question.waitFor()
  await goBack()
  await question.waitFor({ state: 'detached' })
  expect(await dialog.getByLabel('Label').inputValue()).toBe('Foyer Süd')
  await goBack()
  await question.getByRole('button', { name: 'Leave' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(complaints).toEqual([])
  await page.context().close()
})

test('benweet/stackedit#1536 paper is light, does not scroll and has no controls, and an open dialog is printed alone', async () => {
  const { page } = await openGallery('dark', 1440)
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const span = page.getByRole('group', { name: 'Span', exact: true })
  const state = page.getByRole('group', { name: 'State', exact: true })
  const controls = () =>
    Promise.all(
      [
        button('Rename'),
        button('Actions'),
        page.getByRole('searchbox', { name: 'Search edges' }),
        page.getByRole('toolbar'),
        state.locator('[aria-pressed=false]'),
        span.getByText('1 h'),
      ].map((control) => control.first().isVisible()),
    )
  const scrolls = (part: Locator) =>
    part.evaluate(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight)
  const log = page.getByRole('log', { name: 'Log' })
  const rows = page.getByRole('grid', { name: 'Edges' }).locator('..')
  expect(await controls()).not.toContain(false)
  expect([await scrolls(log), await scrolls(rows)]).toEqual([true, true])

  await page.emulateMedia({ media: 'print' })
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe('light')
  expect(await controls()).not.toContain(true)
  expect([await scrolls(log), await scrolls(rows)]).toEqual([false, false])
  // A4 in portrait, for mdn/fred#1186: all columns are on the sheet.
  await page.setViewportSize({ width: 669, height: 900 })
  const heads = page.getByRole('grid', { name: 'Edges' }).getByRole('columnheader')
  const ends = await heads.evaluateAll((all) => all.map((head) => head.getBoundingClientRect().right))
  expect(ends.length).toBeGreaterThan(3)
  expect(Math.max(...ends)).toBeLessThanOrEqual(669)
  await page.setViewportSize({ width: 1280, height: 720 })
  expect(await state.locator('[aria-pressed=true]').isVisible()).toBe(true)
  expect(await span.getByText('24 h').isVisible()).toBe(true)

  await page.emulateMedia({ media: 'screen' })
  await button('Rename').click()
  await page.getByRole('dialog', { name: 'Rename' }).waitFor()
  await page.emulateMedia({ media: 'print' })
  expect(await page.getByRole('heading', { name: 'Rename' }).isVisible()).toBe(true)
  expect(await page.locator('main').isVisible()).toBe(false)
  await page.context().close()
})
