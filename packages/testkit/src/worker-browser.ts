import { setTimeout } from 'node:timers/promises'
import { type Browser, chromium } from '@playwright/test'
import { chromiumFlags, findBrowser } from '../../../tools/browser.ts'
import { onFileEnd } from './on-file-end.ts'

let launched: Promise<Browser> | undefined
let isOfFile = false

/**
 * Returns the browser of this worker, which its files share in sequence. Contexts end with the file that opened them.
 * Workers do not share a browser, because a browser has only one clipboard. It finds `*.pult.test` on this machine, for
 * pages without a secure context.
 */
export function workerBrowser(): Promise<Browser> {
  if (!isOfFile) onFileEnd(closeContexts)
  isOfFile = true
  launched ??= launch()
  return launched
}

async function launch(): Promise<Browser> {
  try {
    const args = [...chromiumFlags, '--host-resolver-rules=MAP *.pult.test 127.0.0.1']
    const browser = await chromium.launch({ executablePath: await findBrowser(), args })
    // A browser that has crashed must not fail the remaining files of its worker.
    browser.once('disconnected', () => {
      launched = undefined
    })
    return browser
  } catch (error) {
    launched = undefined
    throw error
  }
}

async function closeContexts(): Promise<void> {
  isOfFile = false
  const browser = await launched
  const closing = (browser?.contexts() ?? []).map((context) => context.close())
  if (!(await endsInTime(Promise.all(closing).then(() => true)))) await browser?.close()
}

/**
 * Returns whether a clean-up succeeds within 15 s. Chromium may never respond while a page is being replaced, and a
 * passed test must not fail because of that.
 */
export const endsInTime = (cleanUp: Promise<boolean>): Promise<boolean> =>
  Promise.race([cleanUp.catch(() => false), setTimeout(15_000, false, { ref: false })])
