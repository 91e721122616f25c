import { environmentManager, focusManager, QueryObserver } from '@tanstack/react-query'
import { beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from './api-error.ts'
import { queryClient } from './query-client.ts'

const failure = (code: string, status: number) => new ApiError({ code, status, message: code })

let stop: () => void

beforeEach(() => {
  vi.useFakeTimers()
  // Without a window, the library assumes a server and sets no timers.
  environmentManager.setIsServer(() => false)
  return () => {
    stop()
    queryClient.clear()
    environmentManager.setIsServer(() => true)
    vi.useRealTimers()
  }
})

/** Renders a query whose first read fails, together with its two immediate retries. */
async function failingQuery(error: Error) {
  const read = vi.fn<() => Promise<string>>().mockRejectedValue(error)
  const observer = new QueryObserver(queryClient, { queryKey: ['a list'], queryFn: read })
  stop = observer.subscribe(() => {})
  await vi.advanceTimersByTimeAsync(3000)
  expect(observer.getCurrentResult().error).toBe(error)
  read.mockClear()
  return { read, result: () => observer.getCurrentResult() }
}

test.each([
  failure('NETWORK', 0),
  failure('BUSY', 503),
  failure('UNREADABLE', 502),
  failure('PROXY_SIGN_IN', 0),
  failure('PROXY_REFUSED', 403),
])(
  'DEC-48 a query that failed with $message loads once the server answers, although the connection stayed open',
  async (error) => {
    const { read, result } = await failingQuery(error)
    read.mockResolvedValue('the list')
    await vi.advanceTimersByTimeAsync(5000)
    expect(result().data).toBe('the list')
    await vi.advanceTimersByTimeAsync(600_000)
    expect(read).toHaveBeenCalledTimes(1)
  },
)

test('DEC-48 the pause between retries grows to a minute', async () => {
  const { read, result } = await failingQuery(failure('BUSY', 503))
  await vi.advanceTimersByTimeAsync(3_600_000)
  read.mockResolvedValue('the list')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(result().data).toBe('the list')
  // About every 63 s, one read makes three attempts.
  expect(read.mock.calls.length).toBeLessThan(200)
})

test('DEC-48 a query that the server rejected is not retried', async () => {
  const { read } = await failingQuery(failure('FORBIDDEN', 403))
  await vi.advanceTimersByTimeAsync(600_000)
  expect(read).not.toHaveBeenCalled()
})

test('DEC-48 a failed query is not retried while the page is hidden', async () => {
  const { read } = await failingQuery(failure('BUSY', 503))
  focusManager.setFocused(false)
  try {
    await vi.advanceTimersByTimeAsync(600_000)
    expect(read).not.toHaveBeenCalled()
  } finally {
    focusManager.setFocused(undefined)
  }
})
