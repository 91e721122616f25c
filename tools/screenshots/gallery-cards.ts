import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { createServer } from 'vite'
import { root } from '../steps.ts'

/** Opens the nine states of a card in the gallery. */
export async function withCards(
  browser: Browser,
  port: number,
  keep: (picture: Buffer) => Promise<void>,
): Promise<void> {
  const server = await createServer({
    root: join(root, 'packages/ui/gallery'),
    logLevel: 'warn',
    server: { port, strictPort: true },
  })
  try {
    await server.listen()
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    await page.goto(`http://localhost:${port}/?theme=light`)
    const cards = page.locator('#card-states')
    await cards.getByText('Access denied').waitFor()
    await page.evaluate('document.fonts.ready')
    await page.evaluate('scrollTo(0, 0)')
    const box = await cards.boundingBox()
    if (box === null) throw new Error('The gallery shows no cards')
    const margin = 20
    const clip = {
      x: box.x - margin,
      y: box.y - margin,
      width: box.width + 2 * margin,
      height: box.height + 2 * margin,
    }
    await keep(await page.screenshot({ clip, fullPage: true, animations: 'disabled' }))
  } finally {
    await server.close()
  }
}
