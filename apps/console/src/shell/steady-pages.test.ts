import { organisationEndpoints } from '@pult/contract'
import { openConsole, testServer } from '@pult/testkit'
import { expect, test, vi } from 'vitest'

vi.setConfig({ testTimeout: 60_000 })
const server = await testServer({ withConsole: true })
const { given } = server

test('a page shows controls below a loading part only together with that part', async () => {
  const ada = await given.person()
  const { _id } = (await ada.call(organisationEndpoints.create, { body: { label: 'Nordkai' } })).body
  const { page } = await openConsole(server, { as: ada, path: '/imprint' })
  const main = page.getByRole('main')
  const places = [
    { path: '/me/emails', calls: /\/api\/me\/account\/emails$/, control: main.locator('[name="new-email"]') },
    { path: '/projects/create', calls: /\/api\/products/, control: main.locator('button[type="submit"]') },
    { path: `/orgs/${_id}`, calls: /\/members$/, control: main.locator('[name="invited-email"]') },
  ]
  for (const { path, calls, control } of places) {
    const isLate = Promise.withResolvers<void>()
    await page.route(calls, async (route) => {
      await isLate.promise
      await route.continue()
    })
    await page.goto(path)
    await control.waitFor({ state: 'attached' })
    expect(await control.evaluate(isShownAtFirst), path).toBe(false)
    isLate.resolve()
    await expect.poll(() => control.evaluate(isShown)).toBe(true)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  }
})

/**
 * Returns whether an element is visible before any animation has started, because pages wait for a limited time only.
 */
function isShownAtFirst(element: Element): boolean {
  for (const animation of document.getAnimations()) {
    animation.pause()
    animation.currentTime = 0
  }
  return element.checkVisibility({ opacityProperty: true })
}

const isShown = (element: Element) => element.checkVisibility({ opacityProperty: true })
