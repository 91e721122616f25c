import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, onTestFinished } from 'vitest'

/** Printed characters or lines of each part, limited so that several failures stay readable. */
const bounds = { snapshot: 6000, requests: 20, logLines: 15, line: 300 }

const fileNameOf = (title: string) => title.replaceAll(/[^\p{L}\p{N}]+/gu, '-').slice(0, 80)

/** Marks a request for a file of the console. */
const consoleFile = '"route":"/*"'

const picturesFolder = join(import.meta.dirname, '../../../test-results/pages')

/**
 * If the test fails, prints the content of the page, its failed requests and the server's last log lines, and saves a
 * picture of the page in test-results/pages.
 */
export function reportOnFailure(page: Page, logLines: readonly string[]): void {
  // Outside a test there is no end to wait for.
  if (expect.getState().currentTestName === undefined) return
  const failed: string[] = []
  page.on('response', (response) => {
    if (response.status() >= 400)
      failed.push(`${response.status()} ${response.request().method()} ${response.url()}`)
  })
  page.on('requestfailed', (request) =>
    failed.push(`${request.failure()?.errorText} ${request.method()} ${request.url()}`),
  )
  onTestFinished(async ({ task }) => {
    if (task.result?.state !== 'fail') return
    const snapshot = await page
      .locator('body')
      .ariaSnapshot({ timeout: 5000 })
      .catch((error: unknown) => `no snapshot: ${String(error)}`)
    // A test can have several pages and several attempts.
    const picture = join(picturesFolder, `${fileNameOf(task.name)}-${Date.now()}.png`)
    const pictured = await page
      .screenshot({ path: picture, timeout: 5000 })
      .then(() => picture)
      .catch((error: unknown) => `no picture: ${String(error)}`)
    console.error(
      [
        `The page at the end of "${task.name}": ${page.url()}`,
        pictured,
        // Dialogs and notices are at the end.
        snapshot.slice(-bounds.snapshot),
        'Failed requests:',
        ...failed.slice(-bounds.requests),
        'Last lines of the log:',
        ...logLines
          .filter((line) => !line.includes(consoleFile))
          .slice(-bounds.logLines)
          .map((line) => line.trimEnd().slice(0, bounds.line)),
      ].join('\n'),
    )
  })
}
