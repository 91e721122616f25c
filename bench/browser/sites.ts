import type { Page } from 'playwright-core'
import { password, rootEmail } from '../installation.ts'

/** A page with a login, and how a person gets through it. */
export interface Site {
  url: string
  /** What stands on the page once one has arrived. */
  home: string
  /** Fills everything in, up to the step before the last click. */
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

export const submit = (page: Page) => page.getByRole('button', { name: 'Login' }).click()
