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

test('LOGIN-06 browsers compile the console while somebody types, and the login itself as it is called', async () => {
  const server = await testServer({ withConsole: true })
  const read = async (path: string) => (await fetch(new URL(path, server.url))).text()
  const document = await read('/')
  const pathsIn = (text: string) => text.match(/\/assets\/[-\w.]+\.js/g) ?? []
  const frame = pathsIn(document.match(/data-frame="([^"]*)"/)?.[1] ?? '')
  const login = pathsIn(document.match(/<script type="module"[^>]*>/g)?.join() ?? '')
  expect(frame.length).toBeGreaterThan(3)
  expect(login.length).toBeGreaterThan(0)
  const isAhead = async (path: string) => (await read(path)).startsWith('//# allFunctionsCalledOnLoad\n')
  expect(await Promise.all(frame.map(isAhead))).toEqual(frame.map(() => true))
  expect(await Promise.all(login.map(isAhead))).toEqual(login.map(() => false))
})
