import { AxeBuilder } from '@axe-core/playwright'
import type { Browser } from 'playwright-core'
import type { Site } from './sites.ts'

const themes = ['light', 'dark'] as const
const widths = [390, 1280]

/** Returns the axe findings of the first and last step of the login in both themes, at phone and desktop width. */
export async function accessibilityFindings(browser: Browser, site: Site): Promise<string[]> {
  const findings: string[] = []
  for (const colorScheme of themes) {
    for (const width of widths) {
      const context = await browser.newContext({ colorScheme, viewport: { width, height: 800 } })
      const page = await context.newPage()
      await page.goto(site.url)
      await page.locator('input').first().waitFor()
      for (const step of ['username', 'password']) {
        if (step === 'password') await site.fillIn(page)
        const { violations } = await new AxeBuilder({ page }).analyze()
        findings.push(...violations.map(({ id }) => `${id} (${step}, ${colorScheme}, ${width})`))
      }
      await context.close()
    }
  }
  return findings
}
