import type { Browser, BrowserContext, Page } from '@playwright/test'
import { expect, onTestFinished } from 'vitest'
import { accessibilityFindings, colorRules, variantRules } from './accessibility.ts'
import { tellOnFailure } from './tell-on-failure.ts'
import type { TestServer } from './test-server.ts'
import { endsInTime, workerBrowser } from './worker-browser.ts'

/** The key of the session token in local storage. */
const tokenKey = 'pult.token'

export interface ConsoleOptions {
  /** Opens the console signed in as this person. */
  as?: { token: string }
  /** The address to open. Null opens none, so that the test can set up more first. */
  path?: string | null
  theme?: 'light' | 'dark'
  /** The language of the browser. */
  locale?: string
  viewport?: { width: number; height: number }
  reducedMotion?: boolean
  /** Starts with empty caches and registers the service worker, for tests of a first visit. */
  isCold?: boolean
  /** Opens another tab of the same browser. */
  sameBrowserAs?: OpenedConsole
}

export interface OpenedConsole {
  page: Page
  context: BrowserContext
  /** Violations of the content security policy and uncaught errors of the page. */
  complaints: string[]
  /** Fails with the accessibility rules that the page breaks in its current state. */
  expectAccessible: () => Promise<void>
  /**
   * Fails with the rules that the page breaks in its current state, and with those that a theme or a width can break when
   * it turns dark, and then as narrow as a phone, where it may not scroll sideways.
   */
  expectAccessibleInLooks: () => Promise<void>
}

type ContextOptions = NonNullable<Parameters<Browser['newContext']>[0]>

/**
 * Contexts without any data and what makes them fit for a test. They are kept for the next test because their HTTP and
 * code caches are warm.
 */
const idle = new Map<BrowserContext, string>()

/** Opens the real console of a test server (started `withConsole`) in a real Chromium. */
export async function openConsole(server: TestServer, options: ConsoleOptions = {}): Promise<OpenedConsole> {
  const colorScheme = options.theme ?? 'light'
  const viewport = options.viewport ?? { width: 1280, height: 800 }
  const contextOptions: ContextOptions = {
    baseURL: server.url,
    locale: options.locale ?? 'de-DE',
    timezoneId: 'Europe/Berlin',
    colorScheme,
    reducedMotion: options.reducedMotion === false ? 'no-preference' : 'reduce',
    viewport,
    // A request that the page sends while its worker takes over passes the test's routes and reaches the server.
    serviceWorkers: options.isCold === true ? 'allow' : 'block',
  }
  const context =
    options.sameBrowserAs?.context ?? (await acquireContext(contextOptions, options.isCold === true))
  const page = takeBlankPage(context) ?? (await context.newPage())
  watchClock(page, context)
  awaitRoutes(page)
  awaitEffects(page)
  tellOnFailure(page, server.logLines)
  if (options.as !== undefined) {
    // Only once and only in this tab, so that later writes of the console stay.
    await page.addInitScript(
      ([key, token]) => {
        if (sessionStorage.getItem('testkit') !== null) return
        sessionStorage.setItem('testkit', 'signed in')
        localStorage.setItem(key, token)
      },
      [tokenKey, options.as.token] as const,
    )
  }
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (/Content Security Policy|Trusted ?Type/i.test(message.text())) complaints.push(message.text())
  })
  if (options.path !== null) {
    await page.goto(options.path ?? '/')
    await untilStarted(page)
  }

  return {
    page,
    get context() {
      reusable.delete(context)
      return context
    },
    complaints,
    async expectAccessible() {
      expect(await accessibilityFindings(page)).toEqual([])
    },
    async expectAccessibleInLooks() {
      const findings = await accessibilityFindings(page)
      await page.emulateMedia({ colorScheme: 'dark' })
      findings.push(...(await accessibilityFindings(page, colorRules)))
      await resize(page, { width: 390, height: 844 })
      await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(390)
      findings.push(...(await accessibilityFindings(page, variantRules)))
      await page.emulateMedia({ colorScheme })
      await resize(page, viewport)
      expect(findings).toEqual([])
    },
  }
}

async function resize(page: Page, size: { width: number; height: number }): Promise<void> {
  await page.setViewportSize(size)
  // A frame tells the page's scripts of the change.
  await page.evaluate('new Promise(requestAnimationFrame)')
}

/**
 * Waits for the start to end or to fail. An expectation that begins earlier asks again after up to a second, which is
 * longer than most starts.
 */
async function untilStarted(page: Page): Promise<void> {
  // A test may open the console with a start that never ends.
  await page
    .waitForSelector('body:not(:has(.boot-steps)), .boot-step[data-state="failed"]', {
      state: 'attached',
      timeout: 2000,
    })
    .catch(() => {})
}

/**
 * Contexts that only their own pages have changed. A test that accesses its context may add scripts, routes, permissions
 * or a clock, which no reset removes.
 */
const reusable = new Set<BrowserContext>()

/** Marks the context as not reusable when the test accesses its clock, which belongs to the whole context. */
function watchClock(page: Page, context: BrowserContext): void {
  Object.defineProperty(page, 'clock', {
    get() {
      reusable.delete(context)
      return context.clock
    },
  })
}

/**
 * Chromium confirms a new route before the process of the page has applied it, so a key pressed at once could send a
 * request past the route. An evaluation runs in the page after that change.
 */
function awaitRoutes(page: Page): void {
  const addRoute = page.route.bind(page)
  page.route = async (...route) => {
    const added = await addRoute(...route)
    await page.evaluate('0')
    return added
  }
}

/**
 * What has just appeared gets its focus and its key handlers in the effects of its render, which React runs as a later
 * message of the page. A key that is pressed as soon as a test sees it would be lost.
 */
function awaitEffects(page: Page): void {
  const pressKey = page.keyboard.press.bind(page.keyboard)
  const typeText = page.keyboard.type.bind(page.keyboard)
  page.keyboard.press = async (...key) => {
    await untilMessagesArrived(page)
    await pressKey(...key)
  }
  page.keyboard.type = async (...text) => {
    await untilMessagesArrived(page)
    await typeText(...text)
  }
}

const messageArrived = `new Promise((arrived) => {
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = arrived
  port2.postMessage(null)
})`

/** Waits for the messages that the page has sent to itself, and for those that they send in turn. */
async function untilMessagesArrived(page: Page): Promise<void> {
  // A page that loads anew has none.
  await page.evaluate(`${messageArrived}.then(() => ${messageArrived}).then(() => {})`).catch(() => {})
}

/** The pages in which idle contexts deleted their data. A new page would start another process. */
const blankPages = new WeakMap<BrowserContext, Page>()

function takeBlankPage(context: BrowserContext): Page | undefined {
  const page = blankPages.get(context)
  blankPages.delete(context)
  return page
}

async function newContext(contextOptions: ContextOptions): Promise<BrowserContext> {
  const browser = await workerBrowser()
  const context = await browser.newContext(contextOptions)
  // At the end of its file, or when its browser crashes.
  context.once('close', () => idle.delete(context))
  return context
}

function takeIdle(key: string): BrowserContext | undefined {
  for (const [context, itsKey] of idle) {
    if (itsKey !== key) continue
    idle.delete(context)
    return context
  }
  return undefined
}

async function acquireContext(contextOptions: ContextOptions, isCold: boolean): Promise<BrowserContext> {
  const key = JSON.stringify(contextOptions)
  const context = (isCold ? undefined : takeIdle(key)) ?? (await newContext(contextOptions))
  // A context opened outside a test belongs to the file.
  if (expect.getState().currentTestName === undefined) return context
  if (!isCold) reusable.add(context)
  onTestFinished(async () => {
    const isReusable = reusable.delete(context)
    if (await endsInTime(isCleared(context, { isReusable, origin: contextOptions.baseURL ?? '' })))
      idle.set(context, key)
    else await endsInTime(context.close().then(() => true))
  })
  return context
}

/** Closes the pages of a context and deletes everything that they stored. Returns whether it can be used again. */
async function isCleared(
  context: BrowserContext,
  { isReusable, origin }: { isReusable: boolean; origin: string },
): Promise<boolean> {
  // A context that closes while its pages load through a route waits for answers that never come.
  await Promise.all(context.pages().map((page) => page.unrouteAll({ behavior: 'ignoreErrors' })))
  if (!isReusable) return false
  for (const page of context.pages()) await page.close()
  const blank = await context.newPage()
  const devtools = await context.newCDPSession(blank)
  await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
  await context.clearCookies()
  await devtools.detach()
  blankPages.set(context, blank)
  return true
}
