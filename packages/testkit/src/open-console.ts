import type { Browser, BrowserContext, Page } from '@playwright/test'
import { expect, onTestFinished } from 'vitest'
import { accessibilityFindings, colorRules, variantRules } from './accessibility.ts'
import { reportOnFailure } from './report-on-failure.ts'
import type { TestServer } from './test-server.ts'
import { endsInTime, workerBrowser } from './worker-browser.ts'

/** Key of the session token in local storage. */
const tokenKey = 'pult.token'

export interface ConsoleOptions {
  /** The signed-in user; anonymous if omitted. */
  as?: { token: string }
  /** Path to open. Null opens no page, so that the test can prepare the page first. */
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
   * Fails with the rules that the page breaks in its current state, in the dark theme and then at the width of a phone,
   * where it must not scroll sideways.
   */
  expectAccessibleInLooks: () => Promise<void>
}

type ContextOptions = NonNullable<Parameters<Browser['newContext']>[0]>

/**
 * Cleared contexts, each with the options with which it was opened. The next test with these options reuses the
 * context, because its HTTP and code caches are warm.
 */
const idle = new Map<BrowserContext, string>()

/** Opens the console of a test server (started `withConsole`) in Chromium. */
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
    // While a service worker takes over, requests of the page bypass the test's routes and reach the server.
    serviceWorkers: options.isCold === true ? 'allow' : 'block',
  }
  const context =
    options.sameBrowserAs?.context ?? (await acquireContext(contextOptions, options.isCold === true))
  const page = takeBlankPage(context) ?? (await context.newPage())
  watchClock(page, context)
  awaitRoutes(page)
  awaitEffects(page)
  reportOnFailure(page, server.logLines)
  if (options.as !== undefined) {
    // Once and only in this tab, so that later writes of the console are preserved.
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
  // The next frame notifies the page's scripts of the change.
  await page.evaluate('new Promise(requestAnimationFrame)')
}

/**
 * Waits until the start has finished or failed. An earlier expectation would retry only after up to a second, which is
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
 * Contexts that tests have not accessed. A test that accesses its context can add scripts, routes, permissions or a
 * clock, which a reset does not remove.
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
 * Awaits an evaluation in the page after each new route. Chromium confirms a route before the page's process has
 * applied it, so an immediate key press could send a request that bypasses the route.
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
 * Awaits pending effects before key presses. React sets the focus and key handlers of a new element in effects, which
 * run as a later message of the page, so an earlier key press would be lost.
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

/** Waits for the messages that the page has sent to itself, and for the messages that those send. */
async function untilMessagesArrived(page: Page): Promise<void> {
  // A reloading page has no messages.
  await page.evaluate(`${messageArrived}.then(() => ${messageArrived}).then(() => {})`).catch(() => {})
}

/** Pages in which idle contexts deleted their data, kept because a new page would start another process. */
const blankPages = new WeakMap<BrowserContext, Page>()

function takeBlankPage(context: BrowserContext): Page | undefined {
  const page = blankPages.get(context)
  blankPages.delete(context)
  return page
}

async function newContext(contextOptions: ContextOptions): Promise<BrowserContext> {
  const browser = await workerBrowser()
  const context = await browser.newContext(contextOptions)
  // A context closes at the end of its file, or when its browser crashes.
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
  // A context that was opened outside a test belongs to the file.
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

/** Closes the pages of a context and deletes their stored data. Returns whether the context can be reused. */
async function isCleared(
  context: BrowserContext,
  { isReusable, origin }: { isReusable: boolean; origin: string },
): Promise<boolean> {
  // A context that closes while pages load through a route would wait for responses that never arrive.
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
