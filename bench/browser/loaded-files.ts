import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import type { Storage } from './console-boot.ts'
import { untilQuiet } from './visit.ts'

/** Bytes of what a console loads, compressed by brotli. */
export interface LoadedFiles {
  scriptAndStyleBytes: number
  documentBytes: number
  /** What the browser keeps of the visitor afterwards: each start of a console gets a new token. */
  storage: Storage
}

/** A build of the console, and what should be seen of it. */
interface LoadedPage {
  url: string
  folder: string
  /** The server has another build; this one's files come from its folder, and all else from the server. */
  isElsewhere: boolean
  storage: Storage
  shown: string
}

/** What a browser loads of a build of the console until the network is quiet. */
export async function loadedFiles(
  browser: Browser,
  { url, folder, isElsewhere, storage, shown }: LoadedPage,
): Promise<LoadedFiles> {
  const html = await documentOf(folder)
  const context = await browser.newContext({ serviceWorkers: 'block', storageState: storage })
  try {
    const page = await context.newPage()
    const loaded = new Set<string>()
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (isOwnFile(pathname) && /\.(?:js|css)$/.test(pathname)) loaded.add(pathname)
    })
    if (isElsewhere) await serveFrom(page, folder, html)
    await page.goto(url)
    await page.locator(shown).first().waitFor()
    await untilQuiet(page)
    const sizes = await Promise.all([...loaded].map((path) => stat(join(folder, `${path}.br`))))
    return {
      scriptAndStyleBytes: sizes.reduce((sum, { size }) => sum + size, 0),
      documentBytes: brotliCompressSync(html, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }).length,
      storage: await context.storageState(),
    }
  } finally {
    await context.close()
  }
}

const isOwnFile = (pathname: string) => pathname.startsWith('/assets/') || pathname === '/first.js'

async function serveFrom(page: Page, folder: string, html: string): Promise<void> {
  // A document that comes from no address is not trusted with a socket to this machine.
  await page.context().grantPermissions(['local-network-access'])
  await page.route(/^/, async (route, request) => {
    const { pathname } = new URL(request.url())
    if (request.isNavigationRequest()) return route.fulfill({ contentType: 'text/html', body: html })
    return isOwnFile(pathname) ? route.fulfill({ path: join(folder, pathname) }) : route.continue()
  })
}

/** With its import map, where the build has made one. */
async function documentOf(folder: string): Promise<string> {
  const html = await readFile(join(folder, 'index.html'), 'utf8')
  const map = await readFile(join(folder, 'import-map.json'), 'utf8').catch(() => undefined)
  return map === undefined
    ? html
    : html.replace('<!-- import map -->', `<script type="importmap">${map}</script>`)
}
