import { expectPage, openConsole, testServer } from '@pult/testkit'
import { expect, test } from 'vitest'

/** Limit of compressed bytes of the login's scripts and styles with passkey suggestions, 5 % above the current size. */
const limit = 95_000

test('the login transfers at most 95 kB of scripts and styles, and loads the next step while the user types', async () => {
  const server = await testServer({ withConsole: true })
  const { page } = await openConsole(server, { path: null })
  const offered = page.waitForResponse(/\/passkey\/options$/)
  await page.goto('/')
  const field = page.getByPlaceholder('Username / E-Mail')
  await expectPage(field).toBeFocused()
  await offered

  // A file fetched before its import appears twice. The second request is served from the browser's cache.
  const loaded = async () => {
    const entries = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .filter(({ name }) => /\.(js|css)$/.test(name))
        .map((entry) => ({ name: entry.name, bytes: (entry as PerformanceResourceTiming).encodedBodySize })),
    )
    return [...new Map(entries.map((entry) => [entry.name, entry])).values()]
  }
  const login = await loaded()
  const bytes = login.reduce((sum, file) => sum + file.bytes, 0)
  expect(bytes).toBeGreaterThan(50_000)
  expect(bytes, login.map((file) => `${file.bytes} ${file.name}`).join('\n')).toBeLessThanOrEqual(limit)

  await field.fill('ada@example.org')
  await expectPage.poll(async () => (await loaded()).length).toBeGreaterThan(login.length)
})
