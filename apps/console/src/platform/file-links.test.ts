import { environmentManager, QueryObserver } from '@tanstack/react-query'
import { beforeEach, expect, test, vi } from 'vitest'
import { followFileLinks } from './file-links.ts'
import { queryClient } from './query-client.ts'
import { serverIsAhead } from './server-clock.ts'

const lifetime = 14_400_000
const fileId = '0193a3f0-0000-7000-8000-000000000001'

class FakeImage {
  currentSrc = ''
}

let page: EventTarget & { hidden: boolean }
const stops: (() => void)[] = []

beforeEach(() => {
  vi.useFakeTimers()
  page = Object.assign(new EventTarget(), { hidden: false })
  vi.stubGlobal('document', page)
  vi.stubGlobal('HTMLImageElement', FakeImage)
  vi.stubGlobal('HTMLMediaElement', FakeImage)
  // Without a window, the library assumes a server and sets no timers.
  environmentManager.setIsServer(() => false)
  stops.push(followFileLinks())
  return () => {
    leave()
    queryClient.clear()
    environmentManager.setIsServer(() => true)
    vi.unstubAllGlobals()
    vi.useRealTimers()
  }
})

const linkUntil = (until: number, id = fileId) =>
  `/api/files/${id}/content?until=${Math.ceil(until / 1000)}&inline=1&signature=s`

/** Renders a list with a link whose lifetime begins with each answer. */
async function shownList(url = () => linkUntil(Date.now() + lifetime)) {
  const read = vi.fn<() => Promise<object>>(() => Promise.resolve({ items: [{ source: { url: url() } }] }))
  const observer = new QueryObserver(queryClient, {
    queryKey: ['media'],
    queryFn: read,
    refetchInterval: false,
  })
  stops.push(observer.subscribe(() => {}))
  await vi.advanceTimersByTimeAsync(0)
  expect(read).toHaveBeenCalledTimes(1)
  return read
}

/** Ends the following of links and all components. */
const leave = () => {
  for (const stop of stops.splice(0)) stop()
}

/** Reports a picture that could not be loaded. */
function fail(currentSrc: string): void {
  const event = new Event('error')
  Object.defineProperty(event, 'target', { value: Object.assign(new FakeImage(), { currentSrc }) })
  page.dispatchEvent(event)
}

test('MEDIA-01 an answer with links is refetched once in the last quarter of their lifetime', async () => {
  const read = await shownList()
  await vi.advanceTimersByTimeAsync(lifetime * 0.74)
  expect(read).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(lifetime * 0.02)
  expect(read).toHaveBeenCalledTimes(2)
  await vi.advanceTimersByTimeAsync(lifetime * 0.7)
  expect(read).toHaveBeenCalledTimes(2)
})

test('MEDIA-01 links that expire while the page is hidden are renewed when it is shown', async () => {
  const read = await shownList()
  page.hidden = true
  await vi.advanceTimersByTimeAsync(2 * lifetime)
  expect(read).toHaveBeenCalledTimes(1)
  page.hidden = false
  page.dispatchEvent(new Event('visibilitychange'))
  await vi.advanceTimersByTimeAsync(0)
  expect(read).toHaveBeenCalledTimes(2)
})

test('MEDIA-01 pictures that fail by one expired link cause one refetch, even on a hidden page, and broken ones none', async () => {
  const read = await shownList()
  fail(linkUntil(Date.now() + lifetime))
  page.hidden = true
  const expired = linkUntil(Date.now() + lifetime)
  await vi.advanceTimersByTimeAsync(lifetime + 1000)
  expect(read).toHaveBeenCalledTimes(1)
  for (let count = 0; count < 20; count += 1) fail(expired)
  await vi.advanceTimersByTimeAsync(0)
  expect(read).toHaveBeenCalledTimes(2)
  fail(expired)
  await vi.advanceTimersByTimeAsync(0)
  expect(read).toHaveBeenCalledTimes(2)
})

test('MEDIA-01 a link that the server sends already expired is not read again', async () => {
  const read = vi.fn<() => Promise<object>>(() => Promise.resolve({ url: linkUntil(Date.now() - 60_000) }))
  const observer = new QueryObserver(queryClient, { queryKey: ['old'], queryFn: read })
  stops.push(observer.subscribe(() => {}))
  await vi.advanceTimersByTimeAsync(600_000)
  expect(read).toHaveBeenCalledTimes(1)
})

test('MEDIA-01 a picture of another file that fails causes no refetch', async () => {
  const read = await shownList()
  page.hidden = true
  const other = linkUntil(Date.now() + lifetime, fileId.replace(/1$/, '2'))
  await vi.advanceTimersByTimeAsync(lifetime + 1000)
  fail(other)
  await vi.advanceTimersByTimeAsync(0)
  expect(read).toHaveBeenCalledTimes(1)
})

test('MEDIA-01 a picture fails by an expired link also while the clock of this computer is a few minutes behind', async () => {
  const read = await shownList()
  page.hidden = true
  const expired = linkUntil(Date.now() + lifetime)
  await vi.advanceTimersByTimeAsync(lifetime - 300_000)
  fail(expired)
  await vi.advanceTimersByTimeAsync(0)
  expect(read).toHaveBeenCalledTimes(2)
})

test('MEDIA-01 links are renewed in time by the clock of the server', async () => {
  const ahead = 6 * 3_600_000
  serverIsAhead.set(ahead)
  stops.push(() => serverIsAhead.set(0))
  const read = await shownList(() => linkUntil(Date.now() + ahead + lifetime))
  await vi.advanceTimersByTimeAsync(lifetime * 0.74)
  expect(read).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(lifetime * 0.02)
  expect(read).toHaveBeenCalledTimes(2)
})

test('MEDIA-01 of two links to one file, the earlier one decides', async () => {
  const read = vi.fn<() => Promise<object>>(() =>
    Promise.resolve({ urls: [linkUntil(Date.now() + 600_000), linkUntil(Date.now() + lifetime)] }),
  )
  const observer = new QueryObserver(queryClient, { queryKey: ['two'], queryFn: read })
  stops.push(observer.subscribe(() => {}))
  await vi.advanceTimersByTimeAsync(590_000)
  expect(read).toHaveBeenCalledTimes(2)
})

test('MEDIA-01 a server that fails is asked ever more rarely for renewed links', async () => {
  const read = await shownList()
  read.mockRejectedValue(new Error('refused'))
  await vi.advanceTimersByTimeAsync(lifetime * 0.76)
  const before = read.mock.calls.length
  expect(before).toBeGreaterThan(1)
  await vi.advanceTimersByTimeAsync(600_000)
  // At most one attempt a minute.
  expect(read.mock.calls.length - before).toBeLessThanOrEqual(10)
})

test('MEDIA-01 links of components that are gone, and of a console that has ended, are not renewed', async () => {
  const read = await shownList()
  await vi.advanceTimersByTimeAsync(lifetime * 0.74)
  // The component. Its answer stays in memory for a few minutes.
  stops.pop()?.()
  await vi.advanceTimersByTimeAsync(lifetime * 0.02)
  expect(read).toHaveBeenCalledTimes(1)
  const shown = await shownList()
  // The console.
  stops.shift()?.()
  const expired = linkUntil(Date.now() + lifetime)
  await vi.advanceTimersByTimeAsync(lifetime)
  fail(expired)
  page.dispatchEvent(new Event('visibilitychange'))
  await vi.advanceTimersByTimeAsync(0)
  expect(shown).toHaveBeenCalledTimes(1)
})
