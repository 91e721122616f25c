import type { Browser, BrowserContextOptions, CDPSession, Page } from 'playwright-core'
import { markFrames } from './marks.ts'
import { type Site, submit } from './sites.ts'
import { type Traffic, watchTraffic } from './traffic.ts'

export interface Visit {
  /** Milliseconds from the start of the navigation to the first frame in which the username can be typed. */
  usable: number
  /** Milliseconds from the submit of the password to the first frame that shows the home page. */
  submitToHome: number
  /** Of the login page, before anything is typed. */
  traffic: Traffic
  /** Violations of the content security policy on the whole way. */
  violations: string[]
  /** What the browser keeps of the visitor afterwards. */
  storage: NonNullable<BrowserContextOptions['storageState']>
}

/** Chromium's own presets: "Fast 4G" and a CPU that is four times slower. */
const fast4G = { latency: 165, downloadThroughput: (9e6 / 8) * 0.9, uploadThroughput: (1.5e6 / 8) * 0.9 }
const cpuSlowdown = 4
/** A site of its own, which no request ever reaches. */
const elsewhere = 'http://elsewhere.example/'

/** Opens the page with nothing in the browser's cache, waits for the form, and signs in with it. */
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
    // A person takes longer to type than the page to fetch what it wants to have ready.
    await page.waitForLoadState('networkidle')
    const traffic = trafficSoFar()
    await site.fillIn(page)
    await submit(page)
    const home = await marks.when('home')
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
 * Nobody's way begins on an empty page: people follow a link from another site, or type an address into the browser's
 * own start page. From both every site gets a process of its own, whatever its headers say.
 */
export async function comeFromElsewhere(page: Page): Promise<void> {
  await page.route(elsewhere, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<p>Elsewhere</p>' }),
  )
  await page.goto(elsewhere)
  await page.unroute(elsewhere)
}

/** What a signed-in visitor's browser loads to show the home page, with nothing in its cache. */
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

/** How long somebody who is signed in waits for the home page whose files the service worker keeps: milliseconds. */
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
      // The first visit fills the worker's cache, the second one is the first that it answers.
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

export async function throttle(cdp: CDPSession): Promise<void> {
  await cdp.send('Network.emulateNetworkConditions', { offline: false, ...fast4G })
  await slowDown(cdp)
}

/** Longer than anything that waits for a page to be idle. Milliseconds. */
const quiet = 2000

/** Playwright's own idle network may be over before a page that asks early has worked through what it was answered. */
export async function untilQuiet(page: Page): Promise<void> {
  while (
    await page.waitForEvent('request', { timeout: quiet }).then(
      () => true,
      () => false,
    )
  );
}

/** The CPU alone. */
export async function slowDown(cdp: CDPSession): Promise<void> {
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown })
}
