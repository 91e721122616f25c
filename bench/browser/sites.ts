import type { Page } from 'playwright-core'
import { password, rootEmail } from '../installation.ts'

/** A page with a login, and how a person gets through it. */
export interface Site {
  url: string
  /** What stands on the page once one has arrived. */
  home: string
  /** Fills everything in; the focus stays in the field of the password. */
  fillIn(page: Page): Promise<void>
}

export const pultSite = (url: string): Site => ({
  url,
  home: '#content h1',
  async fillIn(page) {
    await page.getByPlaceholder('Username / E-Mail').fill(rootEmail)
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByRole('button', { name: 'Password', exact: true }).click()
    await page.locator('input[type=password]').fill(password)
  },
})

export const floorSite = (url: string): Site => ({
  url,
  home: 'main h1',
  async fillIn(page) {
    await page.locator('input[name=username]').fill(rootEmail)
    await page.locator('input[type=password]').fill(password)
  },
})

/** A person takes longer to type a password than the page to fetch what comes next. Milliseconds. */
const typing = 1000

/** Between two frames of the screen. */
const frame = 1000 / 60

/**
 * Presses Enter as a person does: when all is still, and at whatever moment between two frames. Playwright's own click waits
 * for two frames, so that each submit would come right after one, and a time could only be one of a few that are a frame apart.
 */
export async function submit(page: Page): Promise<void> {
  await page.waitForTimeout(typing + Math.random() * frame)
  await page.keyboard.press('Enter')
}
