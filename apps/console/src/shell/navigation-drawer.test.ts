import { expectPage, openConsole, type TestServer, testServer } from '@pult/testkit'
import { describe, expect, test } from 'vitest'

const phone = { width: 390, height: 844 }

async function openDrawer(server: TestServer) {
  const opened = await openConsole(server, { as: await server.given.person(), viewport: phone })
  const button = opened.page.getByRole('button', { name: 'Open navigation' })
  await expectPage(opened.page.getByRole('navigation')).toHaveCount(0)
  await button.click()
  const drawer = opened.page.getByRole('dialog', { name: 'Main navigation' })
  await expectPage(drawer).toBeVisible()
  return { ...opened, button, drawer }
}

describe('the navigation of a narrow screen', async () => {
  const server = await testServer({ withConsole: true })

  test('SHELL-02 is a drawer that keeps the focus inside', async () => {
    const { page, drawer } = await openDrawer(server)
    await expectPage(drawer.getByRole('link', { name: 'Projects' })).toBeVisible()
    for (let step = 0; step < 20; step += 1) {
      await page.keyboard.press('Tab')
      const outside = await page.evaluate(() => {
        const { activeElement } = document
        return activeElement !== document.body && activeElement?.closest('dialog') === null
      })
      expect(outside).toBe(false)
    }
  })

  test('SHELL-07 Esc, the scrim and the close button close it and give the focus back', async () => {
    const { page, button, drawer } = await openDrawer(server)
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
  })

  test('SHELL-02 going somewhere closes it and moves the focus to the page', async () => {
    const { page, button, drawer } = await openDrawer(server)
    await drawer.getByRole('link', { name: 'Contact' }).click()
    await expectPage(drawer).toHaveCount(0)
    await expectPage(page.getByRole('heading', { name: 'Contact', level: 1 })).toBeFocused()
    await button.click()
    await drawer.getByRole('link', { name: 'Contact' }).click()
    await expectPage(drawer).toHaveCount(0)
  })

  test('SHELL-02 gives way when there is room for the navigation beside the page', async () => {
    const { page, drawer } = await openDrawer(server)
    await page.setViewportSize({ width: 1280, height: 800 })
    await expectPage(drawer).toHaveCount(0)
    await page.getByRole('navigation').getByRole('link', { name: 'Projects' }).click()
    await expectPage(page).toHaveURL('/projects')
  })

  test('SHELL-02 nothing is wider than the screen, at 390 and at 320 pixels, whatever the names', async () => {
    const email = `${'a'.repeat(60)}@example.org`
    const ada = await server.given.person({ email })
    await server.given.project(ada, { label: 'Donaudampfschifffahrtsgesellschaft'.repeat(3) })
    for (const width of [390, 320]) {
      const { page } = await openConsole(server, { as: ada, viewport: { width, height: 700 } })
      await expectPage(page.getByRole('heading', { level: 1 })).toBeVisible()
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
      await expectPage(page.getByRole('button', { name: new RegExp(email) })).toBeInViewport({ ratio: 1 })
      expect((await page.getByRole('banner').boundingBox())?.height).toBeLessThan(60)
    }
  })
})
