import { expectPage, openConsole, type TestServer, testServer } from '@pult/testkit'
import { describe, expect, test } from 'vitest'

const phone = { width: 390, height: 844 }

async function openDrawer(server: TestServer) {
  const opened = await openConsole(server, { as: await server.given.person(), viewport: phone })
  const button = opened.page.getByRole('button', { name: 'More' })
  await expectPage(opened.page.getByRole('navigation', { name: 'Main navigation' })).toHaveCount(0)
  await button.click()
  const drawer = opened.page.getByRole('dialog', { name: 'Main navigation' })
  await expectPage(drawer).toBeVisible()
  return { ...opened, button, drawer }
}

describe('the navigation of a narrow screen', async () => {
  const server = await testServer({ withConsole: true })

  test('SHELL-02 SHELL-07 is a drawer that traps the focus; Esc, the scrim and the close button close it and restore the focus; a navigation closes it and moves the focus to the page, and so does a width that fits it', async () => {
    const { page, button, drawer } = await openDrawer(server)
    await expectPage(drawer.getByRole('link', { name: 'Projects' })).toBeVisible()
    for (let step = 0; step < 20; step += 1) {
      await page.keyboard.press('Tab')
      const outside = await page.evaluate(() => {
        const { activeElement } = document
        return activeElement !== document.body && activeElement?.closest('dialog') === null
      })
      expect(outside).toBe(false)
    }

    const ways = [
      () => page.keyboard.press('Escape'),
      () => page.mouse.click(phone.width - 10, phone.height / 2),
      () => drawer.getByRole('button', { name: 'Close navigation' }).click(),
    ]
    for (const close of ways) {
      if ((await drawer.count()) === 0) await button.click()
      await expectPage(drawer).toBeVisible()
      await close()
      await expectPage(drawer).toHaveCount(0)
      await expectPage(button).toBeFocused()
    }

    await button.click()
    await drawer.getByRole('link', { name: 'Contact' }).click()
    await expectPage(drawer).toHaveCount(0)
    await expectPage(page.getByRole('heading', { name: 'Contact', level: 1 })).toBeFocused()
    await button.click()
    await drawer.getByRole('link', { name: 'Contact' }).click()
    await expectPage(drawer).toHaveCount(0)

    await button.click()
    await expectPage(drawer).toBeVisible()
    await page.setViewportSize({ width: 1280, height: 800 })
    await expectPage(drawer).toHaveCount(0)
    await page.getByRole('navigation').getByRole('link', { name: 'Projects' }).click()
    await expectPage(page).toHaveURL('/projects')
  })

  test('SHELL-02 no element is wider than the screen, at 390 and at 320 pixels, for names of any length', async () => {
    const email = `${'a'.repeat(60)}@example.org`
    const ada = await server.given.person({ email })
    await server.given.project(ada, { label: 'Donaudampfschifffahrtsgesellschaft'.repeat(3) })
    const { page } = await openConsole(server, { as: ada, viewport: phone })
    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 700 })
      await expectPage(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
      await expectPage(page.getByRole('button', { name: new RegExp(email) })).toBeInViewport({ ratio: 1 })
      expect((await page.getByRole('banner').boundingBox())?.height).toBeLessThan(60)
    }
  })

  test('the bar of a phone does not cover the bar of a selection', async () => {
    const ada = await server.given.person()
    const { projectId } = await server.given.project(ada, { products: ['edges'] })
    await server.given.edge(projectId, { label: 'Gate' })
    const { page } = await openConsole(server, { as: ada, viewport: phone, path: '/app/edges' })
    await page.getByRole('row', { name: /Gate/ }).getByRole('checkbox').click()
    const selection = page.getByRole('toolbar', { name: '1 selected' })
    // A click fails while something covers the button.
    await selection.getByRole('button', { name: 'Clear selection' }).click()
    await expectPage(selection).toHaveCount(0)
  })
})
