import AxeBuilder from '@axe-core/playwright'
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test'
import { afterAll, expect, onTestFinished } from 'vitest'
import { chromiumFlags, findBrowser } from '../../../tools/browser.ts'
import type { TestServer } from './test-server.ts'

/** The key of the browser's storage that holds the session's token. */
const tokenKey = 'pult.token'

export interface ConsoleOptions {
  /** Opens the console signed in as this person. */
  as?: { token: string }
  /** The address to open; null opens none, for a test that sets more up first. */
  path?: string | null
  theme?: 'light' | 'dark'
  viewport?: { width: number; height: number }
  reducedMotion?: boolean
  /** Another tab of the same browser. */
  sameBrowserAs?: OpenedConsole
}

export interface OpenedConsole {
  page: Page
  context: BrowserContext
  /** What the page complained about: violations of the content security policy, errors nobody caught. */
  complaints: string[]
  /** Fails with the rules that the page's present state breaks. */
  expectAccessible: () => Promise<void>
}

let launched: Promise<Browser> | undefined

function browser(): Promise<Browser> {
  launched ??= findBrowser().then((executablePath) =>
    chromium.launch({ executablePath, args: chromiumFlags }),
  )
  return launched
}

/** Opens the real console of a test server (started `withConsole`) in a real Chromium. */
export async function openConsole(server: TestServer, options: ConsoleOptions = {}): Promise<OpenedConsole> {
  const context =
    options.sameBrowserAs?.context ??
    (await (
      await browser()
    ).newContext({
      baseURL: server.url,
      locale: 'de-DE',
      timezoneId: 'Europe/Berlin',
      colorScheme: options.theme ?? 'light',
      reducedMotion: options.reducedMotion === false ? 'no-preference' : 'reduce',
      viewport: options.viewport ?? { width: 1280, height: 800 },
    }))
  const page = await context.newPage()
  if (options.as !== undefined) {
    // Once and in this tab alone: what the console itself stores later has to stay.
    await page.addInitScript(
      ([key, token]) => {
        if (sessionStorage.getItem('testkit') !== null) return
        sessionStorage.setItem('testkit', 'signed in')
        localStorage.setItem(key, token)
      },
      [tokenKey, options.as.token] as const,
    )
  }
  page.setDefaultTimeout(20_000)
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (/Content Security Policy|Trusted ?Type/i.test(message.text())) complaints.push(message.text())
  })
  closeAfterTest(context)
  if (options.path !== null) await page.goto(options.path ?? '/')

  return {
    page,
    context,
    complaints,
    async expectAccessible() {
      // axe puts its script into the page by evaluation, which the page's policy does not concern.
      const { violations } = await new AxeBuilder({ page })
        .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
        .analyze()
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual(
        [],
      )
    },
  }
}

/** Pages of tests that are over would go on working, and slow down those that follow. */
function closeAfterTest(context: BrowserContext): void {
  if (expect.getState().currentTestName === undefined) return
  onTestFinished(async () => {
    // A context that closes while its pages are loading and intercepted waits for answers that never come.
    await Promise.all(context.pages().map((page) => page.unrouteAll({ behavior: 'ignoreErrors' })))
    await context.close()
  })
}

/** Ends the file's browser; called by the door when the first console is opened. */
afterAll(async () => {
  await (await launched)?.close()
  launched = undefined
})
