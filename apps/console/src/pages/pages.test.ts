import { expectPage, openConsole, testServer } from '@pult/testkit'
import { expect, test } from 'vitest'
import { account, pages, settings } from './pages.tsx'

const server = await testServer({ withConsole: true })
const { given } = server

const sections = [account, settings]
const ofSections = sections.flatMap((section) => section.pages.map((page) => ({ page, section })))
const all = [...Object.values(pages), ...ofSections.map(({ page }) => page)]

test('a declared page opens at its path with its title, and the palette finds it by its label', async () => {
  const { page, complaints } = await openConsole(server, { as: await given.person({ isRoot: true }) })
  const titleOf = new Map(
    ofSections.map(({ page: { path, label, title = label }, section }) => [
      path,
      `${title} · ${section.title}`,
    ]),
  )
  for (const { path, label, permission } of all) {
    await page.goto(path)
    await page.locator('#content h1').first().waitFor()
    await expectPage(page).toHaveTitle(`${titleOf.get(path) ?? label} · Pult`)
    // No app has settings here.
    if (permission === 'app-settings') continue
    await page.keyboard.press('ControlOrMeta+k')
    const palette = page.getByRole('dialog')
    await palette.getByRole('combobox').fill(label)
    await expectPage(palette.getByRole('option', { name: label }).first()).toBeVisible()
    await page.keyboard.press('Escape')
  }
  expect(complaints).toEqual([])
}, 240_000)

test('a page is as wide as the sheet up to 1680 px, or 760 px wide, centred on the sheet', async () => {
  const { page } = await openConsole(server, { as: await given.person({ isRoot: true }) })
  await page.setViewportSize({ width: 2400, height: 900 })
  for (const { path } of Object.values(pages)) {
    await page.goto(path)
    const grid = page.locator('#content [data-width]').first()
    await grid.waitFor()
    const { width, left, right } = await grid.evaluate((element) => {
      const [box, around] = [
        element.getBoundingClientRect(),
        element.closest('main')?.getBoundingClientRect(),
      ]
      return {
        width: box.width,
        left: box.left - (around?.left ?? 0),
        right: (around?.right ?? 0) - box.right,
      }
    })
    expect([1680, 1078, 760], path).toContain(width)
    expect(Math.abs(left - right), path).toBeLessThan(2)
  }
}, 240_000)

test('a page of a section is 760 px wide, or fills the sheet beside the navigation', async () => {
  const { page } = await openConsole(server, { as: await given.person() })
  await page.setViewportSize({ width: 2400, height: 900 })
  for (const {
    page: { path, width },
  } of ofSections) {
    await page.goto(path)
    const column = page.locator('#content nav + div')
    await column.waitFor()
    const measured = await column.evaluate((element) => element.getBoundingClientRect().width)
    expect(measured > 1078 ? 'data' : measured, path).toBe(width ?? 760)
  }
}, 240_000)
