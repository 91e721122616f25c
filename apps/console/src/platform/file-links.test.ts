import { environmentManager, QueryObserver } from '@tanstack/react-query'
import { beforeEach, expect, test, vi } from 'vitest'
import { followFileLinks } from './file-links.ts'
import { queryClient } from './query-client.ts'

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
    for (const stop of stops.splice(0)) stop()
    queryClient.clear()
    environmentManager.setIsServer(() => true)
    vi.unstubAllGlobals()
    vi.useRealTimers()
  }
})

const linkUntil = (until: number) =>
  `/api/files/${fileId}/content?until=${Math.ceil(until / 1000)}&inline=1&signature=s`

/** Renders a list with a link whose lifetime begins with each answer. */
async function shownList() {
  const read = vi.fn<() => Promise<object>>(() =>
    Promise.resolve({ items: [{ source: { url: linkUntil(Date.now() + lifetime) } }] }),
  )
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
