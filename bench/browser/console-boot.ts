import type { Browser, BrowserContext, CDPSession } from 'playwright-core'
import { markFrames } from './marks.ts'
import { comeFromElsewhere, slowDown, throttle, untilQuiet, type Visit } from './visit.ts'

export interface Boot {
  /** Milliseconds from the start of the navigation to the first frame that shows the home page. */
  home: number
  /** The same for the tiles of the apps. */
  apps: number
  /** What was not in a cache. */
  requests: number
  /** The files of extensions that the page asked for, from a cache or not. */
  extensionFiles: string[]
}

/** The apps of the project, on the home page. */
export const tiles = 'ul[aria-label="Apps"] a'

export type Storage = Visit['storage']

export const nothingStored: Storage = { cookies: [], origins: [] }

/** A browser that holds nothing but the token of somebody who is signed in. */
export const storageOf = (url: string, token: string): Storage => ({
  cookies: [],
  origins: [{ origin: url, localStorage: [{ name: 'pult.token', value: token }] }],
})

/** Opens the console with an empty cache, and once more with what the first visit has left there. */
export async function bootTwice(
  browser: Browser,
  url: string,
  { storage, isSlowNetwork }: { storage: Storage; isSlowNetwork: boolean },
): Promise<{ cold: Boot; warm: Boot; storage: Storage }> {
  const context = await browser.newContext({ storageState: storage })
  try {
    const cold = await boot(context, url, isSlowNetwork)
    const warm = await boot(context, url, isSlowNetwork)
    return { cold, warm, storage: await context.storageState() }
  } finally {
    await context.close()
  }
}

async function boot(context: BrowserContext, url: string, isSlowNetwork: boolean): Promise<Boot> {
  const page = await context.newPage()
  const cdp = await context.newCDPSession(page)
  const marks = await markFrames(page, cdp, { home: '#content h1', apps: tiles })
  await comeFromElsewhere(page)
  const requests = await countTravelled(cdp)
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await (isSlowNetwork ? throttle(cdp) : slowDown(cdp))
  await page.goto(url, { waitUntil: 'commit' })
  const [home, apps] = [await marks.when('home'), await marks.when('apps')]
  // What comes late would come by then.
  await untilQuiet(page)
  await page.close()
  const extensionFiles = [...new Set(asked)].filter((path) => path.startsWith('/extensions/'))
  return { home, apps, requests: requests(), extensionFiles }
}

async function countTravelled(cdp: CDPSession): Promise<() => number> {
  const cached = new Set<string>()
  const answered = new Set<string>()
  await cdp.send('Network.enable')
  cdp.on('Network.requestServedFromCache', ({ requestId }) => cached.add(requestId))
  cdp.on('Network.responseReceived', ({ requestId, response }) => {
    if (response.url.startsWith('data:')) return
    if (response.fromDiskCache || response.fromServiceWorker) cached.add(requestId)
    answered.add(requestId)
  })
  return () => [...answered].filter((id) => !cached.has(id)).length
}
