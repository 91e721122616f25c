import { setTimeout as wait } from 'node:timers/promises'
import type { Browser, BrowserContext, Page, Request } from 'playwright-core'
import type { DemoName } from '../demo/demo-people.ts'
import { arrive, type State } from '../screenshots/state.ts'
import type { Kind } from './differences.ts'
import { inStep } from './pages-in-step.ts'
import { stateHeader } from './recording.ts'

/** The first one has the texts by which the states find their elements. */
export const locales = ['de', 'de-DE'] as const
type Locale = (typeof locales)[number]

export const themes = {
  light: { colorScheme: 'light', forcedColors: 'none' },
  dark: { colorScheme: 'dark', forcedColors: 'none' },
  forced: { colorScheme: 'light', forcedColors: 'active' },
} as const
export type Theme = keyof typeof themes

const heights = { 360: 800, 599: 900, 1200: 900, 1600: 1000, 900: 900, 768: 1024, 600: 900 }
export type Width = keyof typeof heights
export const widths = [360, 599, 600, 768, 900, 1200, 1600] as const satisfies readonly Width[]

/** Phones have a touch screen, the other windows a mouse. A page keeps its kind, so each kind is a visit. */
const isPhone = (width: Width) => width < 600

/** The widths of a visit. The steps of the state run in the first one. */
const widthsOf = (hasTouch: boolean): Width[] => (hasTouch ? [360, 599] : [1200, 1600, 900, 768, 600])

/** Milliseconds until an element counts as missing. */
const timeout = 15_000

/** The longest focus order. */
const mostTabs = 60

export interface Visit {
  state: State
  hasTouch: boolean
  locales: readonly Locale[]
}

/** Visits in one order, with one console. */
export interface Pass {
  browser: Browser
  url: string
  password: string
  tokens: ReadonlyMap<DemoName, string>
  /** The time that the pages of a state show, in milliseconds since 1970. */
  timeOf: (state: string) => number
  widths: readonly Width[]
  themes: readonly Theme[]
}

/** Receives the appearance and the behaviour of pages. Names are the same in every pass. */
export interface Observer {
  picture: (name: string, page: Page) => Promise<void>
  text: (kind: Kind, name: string, read: () => Promise<string>) => Promise<void>
}

export const nameOf = ({ state, hasTouch }: Visit) => `${state.name} ${hasTouch ? 'touch' : 'mouse'}`

/** Returns the visits of a state: with a touch screen and with a mouse, unless it exists only on phones. */
export const visitsOf = (state: State, chosen: readonly Width[]): Visit[] =>
  [true, false]
    .filter((hasTouch) => hasTouch || state.width === undefined)
    .filter((hasTouch) => chosen.some((width) => isPhone(width) === hasTouch))
    .map((hasTouch) => ({ state, hasTouch, locales }))

/** Opens a state in each language and passes its pages to the observer in all widths and themes. */
export async function visitState(pass: Pass, visit: Visit, observer: Observer): Promise<void> {
  const { state, hasTouch } = visit
  const [width = 1200] = widthsOf(hasTouch)
  const contexts = await Promise.all(
    visit.locales.map((locale) => openContext(pass, state, { locale, hasTouch, width })),
  )
  try {
    const pages = await Promise.all(contexts.map((context) => context.newPage()))
    for (const page of pages) await page.clock.setFixedTime(pass.timeOf(state.name))
    const all = inStep(pages)
    await arrive(all, state)
    await Promise.all(pages.map(settle))
    await state.act?.(all, pass)
    await Promise.all(
      pages.map((page, index) =>
        observe(pass, page, `${state.name} ${visit.locales[index]}`, hasTouch, observer),
      ),
    )
  } finally {
    await Promise.all(contexts.map((context) => context.close()))
  }
}

async function observe(
  pass: Pass,
  page: Page,
  name: string,
  hasTouch: boolean,
  observer: Observer,
): Promise<void> {
  await wait(300)
  for (const width of widthsOf(hasTouch).filter((each) => pass.widths.includes(each))) {
    await page.setViewportSize({ width, height: heights[width] })
    for (const theme of pass.themes) {
      await page.emulateMedia({ ...themes[theme], reducedMotion: 'reduce' })
      await settle(page)
      await observer.picture(`${name} ${width} ${theme}`, page)
    }
  }
  const [width = 1200] = widthsOf(hasTouch)
  await page.setViewportSize({ width, height: heights[width] })
  await settle(page)
  await observer.text('tree', `${name} ${width}`, () => page.locator('body').ariaSnapshot())
  // Last, because it moves the focus and opens tooltips.
  await observer.text('focus', `${name} ${width}`, () => focusOrder(page))
}

async function openContext(
  { browser, url, tokens }: Pass,
  { name, as }: State,
  { locale, hasTouch, width }: { locale: Locale; hasTouch: boolean; width: Width },
): Promise<BrowserContext> {
  const token = as === undefined ? undefined : tokens.get(as)
  const stored = {
    'pult.locale': locale,
    'pult.device': 'A'.repeat(43),
    ...(token && { 'pult.token': token }),
  }
  const localStorage = Object.entries(stored).map(([key, value]) => ({ name: key, value }))
  const context = await browser.newContext({
    baseURL: url,
    locale: 'de-DE',
    timezoneId: 'Europe/Berlin',
    hasTouch,
    viewport: { width, height: heights[width] },
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
    extraHTTPHeaders: { [stateHeader]: name },
    storageState: { cookies: [], origins: [{ origin: url, localStorage }] },
  })
  context.setDefaultTimeout(timeout)
  // Pauses before repeated calls are random.
  await context.addInitScript(
    '{ let seed = 1; Math.random = () => (seed = (seed * 16807) % 2147483647) / 2147483647 }',
  )
  return context
}

/** Waits until the page has adapted to its size and its visible pictures have loaded. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(`(async () => {
    await document.fonts.ready
    const frame = () => new Promise((next) => requestAnimationFrame(next))
    await frame()
    await frame()
    const isShown = ({ top, bottom }) => bottom > 0 && top < innerHeight
    const missing = [...document.images].filter((image) => !image.complete && isShown(image.getBoundingClientRect()))
    const late = new Promise((next) => setTimeout(next, 2000))
    await Promise.race([late, Promise.all(missing.map((image) => image.decode().catch(() => {})))])
    await frame()
  })()`)
}

/** Returns role and name of each element that Tab reaches, one a line. */
async function focusOrder(page: Page): Promise<string> {
  const lines: string[] = []
  for (let tabs = 0; tabs < mostTabs; tabs += 1) {
    await page.keyboard.press('Tab')
    // The order has ended when it leaves the page or repeats.
    const isNew = await page.evaluate<boolean>(`(() => {
      const reached = (globalThis.compareReached ??= new Set([document.body]))
      const isNew = !reached.has(document.activeElement)
      reached.add(document.activeElement)
      return isNew
    })()`)
    if (!isNew) break
    const focused = await page.locator(':focus').ariaSnapshot()
    lines.push(focused.split('\n', 1)[0] ?? '')
  }
  return lines.join('\n')
}

/** Simulated milliseconds of the requests, and of a step between two looks at the network. */
const [minute, step] = [60_000, 500]

/** Reads the requests of the first minute after a page has opened. The minute is simulated. */
export async function visitMinute(pass: Pass, state: State, observer: Observer): Promise<void> {
  const context = await openContext(pass, state, { locale: 'de', hasTouch: false, width: 1200 })
  try {
    const page = await context.newPage()
    const requests: string[] = []
    const open = new Set<Request>()
    page.on('request', (request) => {
      open.add(request)
      if (new URL(request.url()).pathname.startsWith('/api/')) requests.push(lineOf(request))
    })
    const end = (request: Request) => void open.delete(request)
    page.on('requestfinished', end)
    page.on('requestfailed', end)
    const time = pass.timeOf(state.name)
    // The clock cannot pause in its past.
    await page.clock.install({ time: time - 1000 })
    await page.clock.pauseAt(time)
    await page.goto(state.path)
    for (let passed = 0; passed < minute; passed += step) {
      await page.clock.runFor(step)
      // At its start the page loads code between the replies, without requests of the API.
      const isStarting = passed < 10 * step
      for (let quiet = 0; quiet < (isStarting ? 10 : 2); quiet = open.size === 0 ? quiet + 1 : 0) {
        await wait(10)
        await page.evaluate('0')
      }
    }
    await observer.text('requests', state.name, async () => countedLines(requests))
  } finally {
    await context.close()
  }
}

function lineOf(request: Request): string {
  const { pathname, searchParams } = new URL(request.url())
  searchParams.sort()
  const headers = request.headers()
  return [
    request.method(),
    searchParams.size > 0 ? `${pathname}?${searchParams.toString()}` : pathname,
    headers['x-pult-background'] === undefined ? '' : '(background)',
    headers['idempotency-key'] === undefined ? '' : '(idempotent)',
  ]
    .filter(Boolean)
    .join(' ')
}

/** The order of concurrent requests varies, so the lines are sorted. */
function countedLines(lines: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const line of lines.toSorted()) counts.set(line, (counts.get(line) ?? 0) + 1)
  return [...counts].map(([line, count]) => `${count} × ${line}`).join('\n')
}
