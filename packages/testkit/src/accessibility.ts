import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import type axe from 'axe-core'

const axeSource = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

const allTags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Rules whose result depends on the theme. */
export const colorRules = ['color-contrast', 'link-in-text-block']

/** Rules whose result depends on the theme or the width. */
export const variantRules = [...colorRules, 'target-size']

/** Returns violations of all accessibility rules, or of the named ones, in the current state of a page. */
export async function accessibilityFindings(page: Page, rules?: readonly string[]): Promise<string[]> {
  // Loads axe once per document, because evaluating its code takes longer than a check.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeSource)
  const options: axe.RunOptions = {
    runOnly: rules === undefined ? { type: 'tag', values: allTags } : { type: 'rule', values: [...rules] },
    resultTypes: ['violations'],
    preload: false,
  }
  return page.evaluate(async (runOptions) => {
    const { axe: checker } = globalThis as unknown as { axe: typeof axe }
    const { violations } = await checker.run(runOptions)
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
  }, options)
}
