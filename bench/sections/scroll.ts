import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { build, type Rolldown } from 'vite'
import { chromiumFlags, findBrowser } from '../../tools/browser.ts'
import type { BenchOptions } from '../arguments.ts'
import { percentile } from '../measure.ts'
import type { Row } from '../table.ts'
import type { Workbench } from '../workbench.ts'

const origin = 'http://table.example'
const cpuSlowdown = 4
/** Pixels in total and per frame: 2,000 a second at 60 Hz, as with a fast wheel. */
const distance = 20_000
const step = 34
/** Limit in milliseconds: two frames at 60 Hz. */
const longest = 32

/**
 * Measures how long the main thread works for each frame while a table of 5,000 rows scrolls with a four times slower
 * processor. Measures thread time, so that other processes do not count.
 */
export async function* measureScroll(_bench: Workbench, { isQuick }: BenchOptions): AsyncGenerator<Row> {
  const files = await buildPage()
  const browser = await chromium.launch({ executablePath: await findBrowser(), args: chromiumFlags })
  try {
    const page = await openTable(browser, files)
    const runs: number[][] = []
    for (let run = 0; run < (isQuick ? 1 : 5); run += 1) runs.push(await scrollOnce(browser, page))
    const frames = runs.flat()
    const text = (milliseconds: number) => `${milliseconds.toFixed(1)} ms`
    yield* [
      {
        name: 'scroll 5,000 rows, longest frame, CPU/4',
        unit: 'ms',
        ours: runs.map((run) => Math.max(...run)),
        bar: { kind: 'at most', value: longest },
        note: `${frames.filter((frame) => frame > longest).length} of ${frames.length} frames are longer than the limit, median ${text(percentile(frames, 0.5))}, p99 ${text(percentile(frames, 0.99))}`,
      },
    ]
  } finally {
    await browser.close()
  }
}

async function buildPage(): Promise<Map<string, Buffer>> {
  const { output } = (await build({
    root: join(import.meta.dirname, '../browser/table'),
    configFile: false,
    mode: 'production',
    logLevel: 'error',
    build: { write: false, cssTarget: ['chrome123'] },
  })) as Rolldown.RolldownOutput
  return new Map(
    output.map((file) => [`/${file.fileName}`, Buffer.from(file.type === 'chunk' ? file.code : file.source)]),
  )
}

const types: Record<string, string> = {
  js: 'text/javascript',
  css: 'text/css',
  html: 'text/html',
  woff2: 'font/woff2',
}

async function openTable(browser: Browser, files: Map<string, Buffer>): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await page.route(`${origin}/**`, (route) => {
    const { pathname } = new URL(route.request().url())
    const name = pathname === '/' ? '/index.html' : pathname
    const body = files.get(name)
    return body === undefined
      ? route.fulfill({ status: 404 })
      : route.fulfill({
          body,
          contentType: types[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream',
        })
  })
  await page.goto(origin)
  await page.getByRole('row', { name: 'Portalkran 1', exact: true }).waitFor()
  return page
}

/** Returns milliseconds of the main thread for each frame of one scroll down. */
async function scrollOnce(browser: Browser, page: Page): Promise<number[]> {
  await page.evaluate(scrollToTop)
  await page.getByRole('row', { name: 'Portalkran 1', exact: true }).waitFor()
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown })
  await browser.startTracing(page, { categories: ['devtools.timeline', 'toplevel'] })
  await page.evaluate(scrollDown)
  const trace = (await browser.stopTracing()).toString()
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  await cdp.detach()
  return workPerFrame((JSON.parse(trace) as { traceEvents: TraceEvent[] }).traceEvents)
}

/** Reverts the previous run. The jump draws all visible rows and is not part of the scroll. */
const scrollToTop = `document.querySelector('[role=grid]').parentElement.scrollTop = 0`

/** Scrolls the same distance in each frame, independent of its duration. */
const scrollDown = `new Promise((resolve) => {
  const { parentElement } = document.querySelector('[role=grid]')
  const next = () => {
    if (parentElement.scrollTop >= ${distance}) return resolve()
    parentElement.scrollTop += ${step}
    requestAnimationFrame(next)
  }
  requestAnimationFrame(next)
})`

/** An event of Chromium's trace format. Times are in microseconds; `tdur` is thread time. */
interface TraceEvent {
  name: string
  pid: number
  tid: number
  ts: number
  tdur?: number
}

function workPerFrame(events: readonly TraceEvent[]): number[] {
  const frames = events.filter(({ name }) => name === 'FireAnimationFrame').toSorted((a, b) => a.ts - b.ts)
  const [first] = frames
  if (first === undefined) throw new Error('The trace has no frames')
  const tasks = events.filter(
    ({ name, pid, tid }) =>
      name === 'ThreadControllerImpl::RunTask' && pid === first.pid && tid === first.tid,
  )
  const work = frames.map(() => 0)
  for (const { ts, tdur = 0 } of tasks) {
    // The task of a frame begins shortly before its callback, and belongs to the frame in which it ends.
    const index = frames.findIndex((frame) => ts < frame.ts)
    if (index > 0) work[index] = (work[index] ?? 0) + tdur / 1000
  }
  // Work before the first frame has no known frame.
  return work.slice(1)
}
