import { expectPage, openConsole, testServer } from '@pult/testkit'
import { expect, test } from 'vitest'

/** Scripts and styles of the login as it stands there, suggestions of passkeys included, in bytes as they travel. */
const budget = 85_000

test('the login is at most 85 kB of scripts and styles, what comes after the username left to whoever types one', async () => {
  const server = await testServer({ withConsole: true })
  const { page } = await openConsole(server, { path: null })
  const offered = page.waitForResponse(/\/passkey\/options$/)
  await page.goto('/')
  const field = page.getByPlaceholder('Username / E-Mail')
  await expectPage(field).toBeFocused()
  await offered

  // What is imported was fetched before, and is in the browser's cache then.
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
  expect(bytes, login.map((file) => `${file.bytes} ${file.name}`).join('\n')).toBeLessThanOrEqual(budget)

  await field.fill('ada@example.org')
  await expectPage.poll(async () => (await loaded()).length).toBeGreaterThan(login.length)
})
