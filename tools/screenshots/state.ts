import type { Locator, Page } from 'playwright-core'
import type { DemoName } from '../demo/demo-people.ts'

/** A place of the console, and what is done there before one looks at it. */
export interface State {
  name: string
  /** Who is signed in; nobody when it is left out. */
  as?: DemoName
  path: string
  /** The one width at which there is such a thing. */
  width?: 390
  /** Is there once the place is. */
  shown: (page: Page) => Locator
  /** What leads on from there. */
  act?: (page: Page, signIn: SignIn) => Promise<unknown>
}

/** What the people of the demo sign in with. */
export interface SignIn {
  password: string
}

/** Goes there, and waits until the start is over: its screen is a page with a heading as well. */
export async function arrive(page: Page, { path, shown }: State, url = ''): Promise<void> {
  await page.goto(url + path)
  await page.locator('.boot-steps').waitFor({ state: 'detached' })
  await shown(page).waitFor()
}

/** Takes back what a state did to the network. */
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

/** Every call to such an address is answered that the database is away. */
export const failing = (address: RegExp) => async (page: Page) =>
  page.route(address, (route) =>
    route.fulfill({
      status: 503,
      json: { code: 'DATABASE_UNAVAILABLE', message: 'The database is not available' },
    }),
  )
