import { chromium } from 'playwright-core'
import { chromiumFlags, findBrowser } from '../../tools/browser.ts'
import { dragAmongWindows } from '../browser/drag-window.ts'
import { startWithExtensions } from '../extended-installation.ts'
import type { Row } from '../table.ts'
import type { Workbench } from '../workbench.ts'

const windowCount = 20

/** What dragging a window costs while many are open, each with an app. */
export async function measureWindows(bench: Workbench): Promise<Row[]> {
  const side = await startWithExtensions(bench, windowCount)
  const browser = await chromium.launch({ executablePath: await findBrowser(), args: chromiumFlags })
  try {
    const frames = await dragAmongWindows(browser, side)
    const sorted = frames.toSorted((a, b) => a - b)
    return [
      {
        name: `dragging one of ${windowCount} windows, main thread a frame`,
        unit: 'ms',
        ours: frames,
        bar: { kind: 'at most', value: 8 },
        note: `CPU 4x slower; ${frames.length} frames, p95 ${(sorted[Math.floor(sorted.length * 0.95)] ?? 0).toFixed(2)} ms`,
      },
    ]
  } finally {
    await browser.close()
  }
}
