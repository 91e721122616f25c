import { openConsole, type TestServer, testServer } from '@pult/testkit'
import { describe, expect, test } from 'vitest'

/** Compressed bytes of all scripts and styles of a start. */
async function weightOf(server: TestServer, path: string) {
  const root = await server.given.person({ isRoot: true })
  await server.given.project(root, { label: 'Hall 7' })
  const { page } = await openConsole(server, { as: root, path })
  await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()

  const loaded = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter(({ name }) => /\.(js|css)$/.test(name))
      .map((entry) => ({ name: entry.name, bytes: (entry as PerformanceResourceTiming).encodedBodySize })),
  )
  // A file fetched before its import appears twice. The second request is served from the browser's cache.
  const files = [...new Map(loaded.map((file) => [file.name, file.bytes]))]
  return {
    bytes: files.reduce((sum, [, bytes]) => sum + bytes, 0),
    // Extensions add their own files.
    count: files.filter(([name]) => name.includes('/assets/')).length,
    list: files.map(([name, bytes]) => `${bytes} ${name}`).join('\n'),
  }
}

describe('the weight of a signed-in start', async () => {
  const server = await testServer({ withConsole: true })

  test('the frame with a small page transfers at most 200 kB of scripts and styles', async () => {
    const { bytes, list } = await weightOf(server, '/imprint')
    expect(bytes).toBeGreaterThan(50_000)
    expect(bytes, list).toBeLessThanOrEqual(200_000)
  })

  // Browsers send six requests at a time, so every six files cost a round trip.
  test('home of a project adds at most 60 kB to the frame and loads from at most 40 files', async () => {
    const frame = await weightOf(server, '/imprint')
    const home = await weightOf(server, '/')
    expect(home.bytes - frame.bytes, home.list).toBeLessThanOrEqual(60_000)
    expect(home.count).toBeGreaterThan(10)
    expect(home.count, home.list).toBeLessThanOrEqual(40)
  })
})
