import type { Browser, CDPSession, Page } from 'playwright-core'
import type { ExtendedSide } from '../extended-installation.ts'
import { slowDown } from './visit.ts'

interface TraceEvent {
  name: string
  pid: number
  tid: number
  /** Microseconds. */
  ts: number
  /** Of the clock, and of the thread alone: what other processes take is not the page's. */
  dur?: number
  tdur?: number
}

const moves = 120

/** Opens every app as a window, drags the last one about, and answers what the main thread did in each frame: ms. */
export async function dragAmongWindows(browser: Browser, side: ExtendedSide): Promise<number[]> {
  const context = await browser.newContext({
    storageState: side.storage,
    viewport: { width: 1280, height: 800 },
  })
  try {
    const page = await context.newPage()
    await page.goto(side.url)
    for (const id of side.extensionIds) await openWindow(page, id)
    const last = page.getByRole('dialog', { name: side.extensionIds.at(-1) ?? '', exact: true })
    const box = await last.boundingBox()
    if (box === null) throw new Error('The window is not seen')
    if ((await page.getByRole('dialog').count()) !== side.extensionIds.length)
      throw new Error('Not all windows are open')
    await page.waitForLoadState('networkidle')
    const cdp = await context.newCDPSession(page)
    await slowDown(cdp)

    const from = { x: box.x + 80, y: box.y + 20 }
    await page.mouse.move(from.x, from.y)
    await page.mouse.down()
    await page.mouse.move(from.x + 8, from.y + 8, { steps: 2 })
    await browser.startTracing(page, {
      categories: ['toplevel', 'devtools.timeline', 'disabled-by-default-devtools.timeline'],
    })
    for (let move = 0; move < moves; move += 1) {
      const angle = (move / moves) * 4 * Math.PI
      await dragTo(cdp, { x: from.x + 180 * Math.sin(angle), y: from.y + 120 * Math.cos(angle) })
    }
    const trace = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] }
    await page.mouse.up()
    const moved = await last.boundingBox()
    if (moved?.x === box.x && moved.y === box.y) throw new Error('The window was not dragged')
    return framesOf(trace.traceEvents)
  } finally {
    await context.close()
  }
}

/**
 * The movement alone. With each one Playwright's own mouse runs two scripts in the page, which look for a drag of the
 * browser's and draw a further frame: some 4 ms of the main thread that no person's mouse takes.
 */
async function dragTo(cdp: CDPSession, at: { x: number; y: number }): Promise<void> {
  await cdp.send('Input.dispatchMouseEvent', { type: 'mouseMoved', ...at, button: 'left', buttons: 1 })
}

async function openWindow(page: Page, id: string): Promise<void> {
  // By the keyboard: windows that are open already may lie over the tiles.
  await page.getByRole('button', { name: `Open ${id} in a window`, exact: true }).press('Enter')
  await page.getByRole('dialog', { name: id, exact: true }).getByText('You are working on').waitFor()
}

/** From one frame of the page to the next, how long its main thread was busy. */
function framesOf(events: readonly TraceEvent[]): number[] {
  const starts = events.filter(({ name }) => name === 'FireAnimationFrame')
  const [page] = starts
  if (page === undefined || starts.length < moves / 4)
    throw new Error(`The trace has ${starts.length} frames`)
  const begins = starts
    .filter(({ pid, tid }) => pid === page.pid && tid === page.tid)
    .map(({ ts }) => ts)
    .toSorted((a, b) => a - b)
  const tasks = events.filter(
    ({ name, pid, tid, dur }) =>
      name === 'RunTask' && pid === page.pid && tid === page.tid && dur !== undefined,
  )
  if (tasks.length === 0) throw new Error('The trace has no tasks')
  return begins.slice(0, -1).map((begin, index) => {
    const end = begins[index + 1] ?? begin
    const within = tasks.filter(({ ts, dur = 0 }) => ts + dur > begin && ts + dur <= end)
    return within.reduce((sum, { dur = 0, tdur = dur }) => sum + tdur, 0) / 1000
  })
}
