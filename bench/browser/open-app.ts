import { EventEmitter, once } from 'node:events'
import type { Browser } from 'playwright-core'
import type { Storage } from './console-boot.ts'
import { slowDown } from './visit.ts'

export interface Openings {
  /** Milliseconds from the click on the tile to the first frame with the app's content, its code not there yet. */
  first: number[]
  /** The same when it is. */
  again: number[]
}

/** Opens copies of `hello` from the home page, each twice, with a slow CPU. */
export async function openApps(
  browser: Browser,
  url: string,
  storage: Storage,
  appIds: readonly string[],
): Promise<Openings> {
  const context = await browser.newContext({ storageState: storage })
  try {
    const page = await context.newPage()
    const cdp = await context.newCDPSession(page)
    const events = new EventEmitter()
    await cdp.send('Runtime.enable')
    await cdp.send('Runtime.addBinding', { name: 'benchMark' })
    cdp.on('Runtime.bindingCalled', ({ payload }) => events.emit('opened', Number(payload)))
    await page.addInitScript(watchOpening)
    await slowDown(cdp)
    await page.goto(url)
    const openings: Openings = { first: [], again: [] }
    // The first app brings the modules that all share; it does not count.
    const [, ...counted] = appIds
    for (const appId of appIds) {
      for (const kind of ['first', 'again'] as const) {
        const tile = page.locator(`a[href="/app/${appId}"]`)
        await tile.scrollIntoViewIfNeeded()
        await page.waitForLoadState('networkidle')
        const opened = once(events, 'opened', { signal: AbortSignal.timeout(30_000) })
        await tile.click()
        const [took] = (await opened) as [number]
        if (counted.includes(appId)) openings[kind].push(took)
        await page.goBack()
      }
    }
    return openings
  } finally {
    await context.close()
  }
}

/** Runs in the page: tells how long each click takes to lead to the content of the app. */
function watchOpening(): void {
  const isOpened = () =>
    [...document.querySelectorAll('#content section p')].some(
      (element) => element.textContent.startsWith('You are working on') && element.checkVisibility(),
    )
  addEventListener(
    'click',
    ({ timeStamp }) => {
      const look = () => {
        if (isOpened()) window.benchMark(String(performance.now() - timeStamp))
        else requestAnimationFrame(look)
      }
      requestAnimationFrame(look)
    },
    true,
  )
}
