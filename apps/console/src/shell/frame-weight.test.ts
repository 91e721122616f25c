import { openConsole, testServer } from '@pult/testkit'
import { expect, test } from 'vitest'

/** Scripts and styles until a signed-in home is on screen, in bytes as they travel. */
const budget = 150_000

test('the console’s frame is at most 150 kB of scripts and styles, menus left to whoever opens one', async () => {
  const server = await testServer({ withConsole: true })
  const { page } = await openConsole(server, { as: await server.given.person({ isRoot: true }) })
  await page.getByRole('banner').waitFor()

  const loaded = () =>
    page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .filter(({ name }) => /\.(js|css)$/.test(name))
        .map((entry) => ({ name: entry.name, bytes: (entry as PerformanceResourceTiming).encodedBodySize })),
    )
  const frame = await loaded()
  // What is fetched before it is imported is named twice, and travels once.
  const bytes = [...new Map(frame.map((file) => [file.name, file.bytes])).values()].reduce((a, b) => a + b, 0)
  expect(bytes).toBeGreaterThan(50_000)
  expect(bytes, frame.map((file) => `${file.bytes} ${file.name}`).join('\n')).toBeLessThanOrEqual(budget)

  await page.getByRole('button', { name: 'Apps' }).click()
  await page.getByRole('menu').waitFor()
  expect((await loaded()).length).toBeGreaterThan(frame.length)
})
