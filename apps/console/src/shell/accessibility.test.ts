import { expectPage, type OpenedConsole, openConsole, testServer } from '@pult/testkit'
import { describe, expect, test } from 'vitest'

const phone = { width: 390, height: 844 }
const desktop = { width: 1280, height: 800 }

describe('the frame for everybody', async () => {
  const server = await testServer({ withConsole: true })
  const owner = await server.given.person({ isRoot: true })
  await server.given.project(owner, { label: 'Messe 2026', consoleColor: '#b8500f' })
  const newcomer = await server.given.person()

  const states: Record<string, (opened: OpenedConsole) => Promise<void>> = {
    'home with a project': async () => {},
    'a menu': async ({ page }) => {
      await page.getByRole('button', { name: /^Your account/ }).click()
      await expectPage(page.getByRole('menu')).toBeVisible()
    },
    'the empty app switcher': async ({ page }) => {
      await page.getByRole('button', { name: 'Apps' }).click()
      await expectPage(page.getByRole('menu')).toBeVisible()
    },
    'a page that is not there': async ({ page }) => {
      await page.goto('/nowhere')
      await expectPage(page.getByRole('heading', { level: 1 })).toBeVisible()
    },
    'the imprint': async ({ page }) => {
      await page.goto('/imprint')
      await expectPage(page.getByText('IMPRINT_URL')).toBeVisible()
    },
  }

  for (const theme of ['light', 'dark'] as const) {
    for (const [name, reach] of Object.entries(states)) {
      test(`${name} has no finding of axe and no complaint of the browser, ${theme}`, async () => {
        const opened = await openConsole(server, { as: owner, theme, viewport: desktop })
        await expectPage(opened.page.getByRole('banner')).toBeVisible()
        await reach(opened)
        await opened.expectAccessible()
        expect(opened.complaints).toEqual([])
      })
    }

    test(`home without a project and the drawer of a phone have no finding of axe, ${theme}`, async () => {
      const opened = await openConsole(server, { as: newcomer, theme, viewport: phone })
      await expectPage(opened.page.getByRole('banner')).toBeVisible()
      await opened.expectAccessible()
      await opened.page.getByRole('button', { name: 'Open navigation' }).click()
      await expectPage(opened.page.getByRole('dialog')).toBeVisible()
      await opened.expectAccessible()
      expect(opened.complaints).toEqual([])
    })
  }
})
