import type { Locator, Page } from 'playwright-core'
import type { DemoName } from '../demo/demo-people.ts'

/** A place in the console, and the steps that lead to its state. */
export interface State {
  name: string
  /** The signed-in user; anonymous if omitted. */
  as?: DemoName
  path: string
  /** The only width at which the state exists. */
  width?: 390
  /** A locator that appears once the page is ready. */
  shown: (page: Page) => Locator
  /** The steps from the page to the state. */
  act?: (page: Page, signIn: SignIn) => Promise<unknown>
}

/** The password of the demo's accounts. */
export interface SignIn {
  password: string
}

/** Opens the page and waits for the end of the boot screen, which is also a page with a heading. */
export async function arrive(page: Page, { path, shown }: State, url = ''): Promise<void> {
  await page.goto(url + path)
  await page.locator('.boot-steps').waitFor({ state: 'detached' })
  await shown(page).waitFor()
}

/** Reverts a state's changes to the network. */
export async function leave(page: Page): Promise<void> {
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.context().setOffline(false)
}

export const heading = (name: string | RegExp) => (page: Page) => page.getByRole('heading', { name }).first()
export const text = (name: string | RegExp) => (page: Page) => page.getByRole('main').getByText(name).first()
export const link = (name: string | RegExp) => (page: Page) => page.getByRole('link', { name }).first()
export const main = (page: Page) => page.getByRole('main').locator(':scope > *').first()

export const click = (role: 'button' | 'link' | 'menuitem', name: string | RegExp) => (page: Page) =>
  page.getByRole(role, { name }).first().click()

export const inOrder =
  (...steps: NonNullable<State['act']>[]): NonNullable<State['act']> =>
  async (page, signIn) => {
    for (const step of steps) await step(page, signIn)
  }

export const press = (key: string) => (page: Page) => page.keyboard.press(key)
export const wait = (locator: (page: Page) => Locator) => (page: Page) => locator(page).waitFor()

/** Answers every call to such an address with the error of an unavailable database. */
export const failing = (address: RegExp) => async (page: Page) =>
  page.route(address, (route) =>
    route.fulfill({
      status: 503,
      json: { code: 'DATABASE_UNAVAILABLE', message: 'The database is not available' },
    }),
  )
