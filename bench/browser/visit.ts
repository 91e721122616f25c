import type { Browser, BrowserContextOptions, CDPSession, Page } from 'playwright-core'
import { markFrames } from './marks.ts'
import { type Site, submit } from './sites.ts'
import { type Traffic, watchTraffic } from './traffic.ts'

export interface Visit {
  /** Milliseconds from the start of the navigation to the first frame with a usable username field. */
  usable: number
  /** Milliseconds from the submission of the password to the first frame of the home page. */
  submitToHome: number
  /** Traffic of the login page before any input. */
  traffic: Traffic
  /** Content Security Policy violations of the whole visit. */
  violations: string[]
  /** The browser storage after the visit. */
  storage: NonNullable<BrowserContextOptions['storageState']>
}

/** Chromium's presets: "Fast 4G" and a four times slower CPU. */
const fast4G = { latency: 165, downloadThroughput: (9e6 / 8) * 0.9, uploadThroughput: (1.5e6 / 8) * 0.9 }
const cpuSlowdown = 4
/** A separate site. The bench answers its requests. */
const elsewhere = 'http://elsewhere.example/'

/** Opens the page with an empty cache, waits for the form and signs in. */
export async function visit(
  browser: Browser,
  site: Site,
  { throttled }: { throttled: boolean },
): Promise<Visit> {
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    const cdp = await context.newCDPSession(page)
    const marks = await markFrames(page, cdp, { home: site.home })
    await comeFromElsewhere(page)
    const trafficSoFar = await watchTraffic(cdp)
    if (throttled) await throttle(cdp)

    await page.goto(site.url, { waitUntil: 'commit' })
    const usable = await marks.when('usable')
    // Typing takes longer than loading the prefetched code.
    await page.waitForLoadState('networkidle')
    const traffic = trafficSoFar()
    await site.fillIn(page)
    await submit(page)
    const home = await marks.when('home')
    // Leaving the page clears the mark of its start, which would offer safe mode to the next visit.
    await page.goto('about:blank')
    return {
      usable,
      submitToHome: home - marks.lastSubmit(),
      traffic,
      violations: marks.violations,
      storage: await context.storageState(),
    }
  } finally {
    await context.close()
  }
}

/**
 * Starts from another site instead of an empty page, because users follow a link from another site or start from the
 * browser's start page. In both cases the browser uses a new process for the site, regardless of its headers.
 */
async function comeFromElsewhere(page: Page): Promise<void> {
  await page.route(elsewhere, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<p>Elsewhere</p>' }),
  )
  await page.goto(elsewhere)
  await page.unroute(elsewhere)
}

/** Measures the traffic of the home page for a signed-in user with an empty cache. */
export async function visitSignedIn(
  browser: Browser,
  site: Site,
  storageState: Visit['storage'],
): Promise<Traffic> {
  const context = await browser.newContext({ storageState })
  try {
    const page = await context.newPage()
    const cdp = await context.newCDPSession(page)
    const marks = await markFrames(page, cdp, { home: site.home })
    const trafficSoFar = await watchTraffic(cdp)
    await page.goto(site.url, { waitUntil: 'commit' })
    await marks.when('home')
    await untilQuiet(page)
    return trafficSoFar()
  } finally {
    await context.close()
  }
}

/** Measures the time to the home page for a signed-in user with cached files: milliseconds. */
export async function visitAgain(
  browser: Browser,
  site: Site,
  storageState: Visit['storage'],
  times: number,
): Promise<number[]> {
  const context = await browser.newContext({ storageState })
  const waited: number[] = []
  try {
    for (let time = -2; time < times; time += 1) {
      const page = await context.newPage()
      const marks = await markFrames(page, await context.newCDPSession(page), { home: site.home })
      await comeFromElsewhere(page)
      await page.goto(site.url, { waitUntil: 'commit' })
      const home = await marks.when('home')
      await page.waitForLoadState('networkidle')
      // The first visit installs the worker, and the second is the first that it controls.
      await page.evaluate(() => navigator.serviceWorker.ready.then(() => true))
      if (time >= 0) {
        if (!(await page.evaluate(() => navigator.serviceWorker.controller !== null)))
          throw new Error('The page was loaded without its service worker')
        waited.push(home)
      }
      await page.close()
    }
    return waited
  } finally {
    await context.close()
  }
}

async function throttle(cdp: CDPSession): Promise<void> {
  await cdp.send('Network.emulateNetworkConditions', { offline: false, ...fast4G })
  await slowDown(cdp)
}

/** Longer than the wait for an idle page. Milliseconds. */
const quiet = 2000

/** Waits until the page is quiet. Playwright's network idle state may precede the processing of early responses. */
async function untilQuiet(page: Page): Promise<void> {
  while (
    await page.waitForEvent('request', { timeout: quiet }).then(
      () => true,
      () => false,
    )
  );
}

/** Throttles the CPU only. */
async function slowDown(cdp: CDPSession): Promise<void> {
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown })
}
