import type { Page } from 'playwright-core'
import { password, rootEmail } from '../installation.ts'

/** A page with a login, and the steps of signing in. */
export interface Site {
  url: string
  /** Text that identifies the home page. */
  home: string
  /** Fills in all fields; the focus stays in the password field. */
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

/** Milliseconds. Typing a password takes longer than loading the next screen's code. */
const typing = 1000

/** Milliseconds between two frames of the screen. */
const frame = 1000 / 60

/**
 * Presses Enter as a user does: on an idle page, at a random moment between two frames. Playwright's own click waits
 * for two frames, so that every submission would follow a frame and times would fall into frame-sized steps.
 */
export async function submit(page: Page): Promise<void> {
  await page.waitForTimeout(typing + Math.random() * frame)
  await page.keyboard.press('Enter')
}
