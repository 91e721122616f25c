import { beforeEach, describe, expect, test, vi } from 'vitest'
import { ApiError } from '#platform/api-error.ts'
import { type BootRun, createBoot } from './boot.ts'

/** Receives the events of the browser's window. */
let page: EventTarget

beforeEach(() => {
  vi.useFakeTimers()
  page = new EventTarget()
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  return () => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  }
})

type Alternative = NonNullable<Parameters<BootRun['step']>[2]>

const lines = (boot: ReturnType<typeof createBoot>) =>
  boot.steps.get().map(({ label, state }) => `${label} ${state}`)

test('BOOT-03 each step finishes before the next one runs', async () => {
  const boot = createBoot()
  const run = boot.begin()
  const first = Promise.withResolvers<void>()
  const walking = run.step('first', () => first.promise).then(() => run.step('second', async () => 'result'))
  expect(lines(boot)).toEqual(['first running'])
  first.resolve()
  expect(await walking).toBe('result')
  expect(lines(boot)).toEqual(['first done', 'second done'])
})

describe('BOOT-04 the boot-done flag', () => {
  test('BOOT-04 is set 100 ms after the last step', async () => {
    const boot = createBoot()
    const run = boot.begin()
    await run.step('only', async () => {})
    run.finish()
    vi.advanceTimersByTime(99)
    expect(boot.phase.get()).not.toBe('done')
    vi.advanceTimersByTime(1)
    expect(boot.phase.get()).toBe('done')
  })

  test('BOOT-04 is timed from the last step, not from its detection', () => {
    const boot = createBoot()
    const run = boot.begin()
    const end = performance.now()
    vi.advanceTimersByTime(60)
    run.finish(end)
    vi.advanceTimersByTime(39)
    expect(boot.phase.get()).not.toBe('done')
    vi.advanceTimersByTime(1)
    expect(boot.phase.get()).toBe('done')
  })

  test('BOOT-04 is not set by a run that a newer run has replaced', () => {
    const boot = createBoot()
    boot.begin().finish()
    boot.begin()
    vi.advanceTimersByTime(1000)
    expect(boot.phase.get()).not.toBe('done')
  })
})

describe('BOOT-07 a failing step', () => {
  test('BOOT-07 shows the reason, stops the boot and continues after a successful retry', async () => {
    const boot = createBoot()
    const run = boot.begin()
    const work = vi
      .fn<() => Promise<string>>(async () => 'answer')
      .mockRejectedValueOnce(new Error('The server is busy'))
    const result = run.step('Loading projects', work)
    await vi.advanceTimersByTimeAsync(0)
    expect(boot.steps.get()[0]).toMatchObject({ state: 'failed', reason: 'The server is busy' })

    boot.steps.get()[0]?.retry?.()
    expect(await result).toBe('answer')
    expect(boot.steps.get()).toMatchObject([{ state: 'done', reason: null, retry: null }])
    expect(work).toHaveBeenCalledTimes(2)
  })

  const failure = (code: string, status: number) => new ApiError({ code, status, message: code })
  const unreachable = failure('NETWORK', 0)

  /** Starts a step that fails until the test lets it succeed. */
  async function failingStep(error: Error) {
    const boot = createBoot()
    const work = vi.fn<() => Promise<void>>().mockRejectedValue(error)
    void boot.begin().step('Loading projects', work)
    await vi.advanceTimersByTimeAsync(0)
    expect(lines(boot)).toEqual(['Loading projects failed'])
    return { boot, work }
  }

  test.each([
    unreachable,
    failure('DATABASE_UNAVAILABLE', 503),
    new TypeError('Failed to fetch dynamically imported module'),
  ])(
    'BOOT-07 is repeated every 5 s without a press after a failure that may pass: $message',
    async (error) => {
      const { boot, work } = await failingStep(error)
      await vi.advanceTimersByTimeAsync(4999)
      expect(work).toHaveBeenCalledTimes(1)
      await vi.advanceTimersByTimeAsync(1)
      expect(work).toHaveBeenCalledTimes(2)
      work.mockResolvedValue()
      await vi.advanceTimersByTimeAsync(5000)
      expect(work).toHaveBeenCalledTimes(3)
      expect(lines(boot)).toEqual(['Loading projects done'])
    },
  )

  test('BOOT-07 is retried immediately when the browser is online again', async () => {
    const { boot, work } = await failingStep(unreachable)
    work.mockResolvedValue()
    page.dispatchEvent(new Event('online'))
    await vi.advanceTimersByTimeAsync(0)
    expect(lines(boot)).toEqual(['Loading projects done'])
    expect(work).toHaveBeenCalledTimes(2)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('BOOT-07 keeps its line and button during an automatic attempt, and shows progress after a press of Retry', async () => {
    const { boot, work } = await failingStep(unreachable)
    const attempt = Promise.withResolvers<void>()
    work.mockReturnValue(attempt.promise)
    await vi.advanceTimersByTimeAsync(5000)
    expect(lines(boot)).toEqual(['Loading projects failed'])
    boot.steps.get()[0]?.retry?.()
    expect(lines(boot)).toEqual(['Loading projects running'])
    attempt.reject(unreachable)
    await vi.advanceTimersByTimeAsync(0)
    expect(lines(boot)).toEqual(['Loading projects failed'])
    expect(work).toHaveBeenCalledTimes(2)
  })

  test('BOOT-07 waits for a press of Retry after a rejection', async () => {
    const { work } = await failingStep(failure('FORBIDDEN', 403))
    page.dispatchEvent(new Event('online'))
    await vi.advanceTimersByTimeAsync(60_000)
    expect(work).toHaveBeenCalledTimes(1)
  })

  test('silverbullet#1091 BOOT-07 reloads the page at a press of Retry if a proxy requests a sign-in', async () => {
    const reload = vi.fn<() => void>()
    vi.stubGlobal('location', { reload })
    // For values that the browser does not store.
    vi.stubGlobal('history', { state: null, replaceState: () => {} })
    const { boot, work } = await failingStep(failure('PROXY_SIGN_IN', 0))
    expect(boot.steps.get()).toMatchObject([{ isReload: true }])
    boot.steps.get()[0]?.retry?.()
    expect(reload).toHaveBeenCalledOnce()
    expect(work).toHaveBeenCalledTimes(1)
  })

  test('BOOT-07 waits for a choice if there is another way to continue', async () => {
    const boot = createBoot()
    const work = vi.fn<() => Promise<void>>().mockRejectedValue(new Error('The last start did not finish'))
    void boot.begin().step('Last start', work, { label: 'Start in safe mode', choose: () => {} })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(work).toHaveBeenCalledTimes(1)
  })

  test('BOOT-07 the other way shows a note while the line waits, and may take a way itself', async () => {
    const boot = createBoot()
    const work = vi
      .fn<() => Promise<string>>(async () => 'answer')
      .mockRejectedValueOnce(new Error('The last start did not finish'))
    const choose = vi.fn<() => void>()
    const whileWaiting = vi.fn<NonNullable<Alternative['whileWaiting']>>()
    const result = boot.begin().step('Last start', work, { label: 'Safely', choose, whileWaiting })
    await vi.advanceTimersByTimeAsync(0)
    const [ways, signal] = whileWaiting.mock.calls[0] ?? []
    expect(boot.steps.get()).toMatchObject([{ note: null }])
    ways?.show('29 s')
    expect(boot.steps.get()).toMatchObject([{ state: 'failed', note: '29 s' }])
    expect([choose.mock.calls.length, signal?.aborted]).toEqual([0, false])
    ways?.choose()
    expect(await result).toBe('answer')
    expect([choose.mock.calls.length, signal?.aborted]).toEqual([1, true])
    expect(boot.steps.get()).toMatchObject([{ state: 'done', note: null }])
  })

  test('DEC-02 is not retried once the run is abandoned', async () => {
    const { boot, work } = await failingStep(unreachable)
    boot.abandon()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(work).toHaveBeenCalledTimes(1)
  })

  test('BOOT-07 a warning names the missing part and does not stop the boot', async () => {
    const boot = createBoot()
    const run = boot.begin()
    await run.step('Register extensions', async () => ({ warning: 'Could not be loaded: hello' }))
    await run.step('Loading apps', async () => ({}))
    expect(boot.steps.get()).toMatchObject([
      { state: 'warning', reason: 'Could not be loaded: hello' },
      { state: 'done', reason: null },
    ])
  })
})

test('DEC-02 an abandoned run shows no further lines and does not continue', async () => {
  const boot = createBoot()
  const run = boot.begin()
  const step = Promise.withResolvers<void>()
  const next = vi.fn<() => Promise<void>>(async () => {})
  void run.step('first', () => step.promise).then(() => run.step('second', next))
  boot.abandon()
  step.resolve()
  await vi.advanceTimersByTimeAsync(0)
  expect(next).not.toHaveBeenCalled()
  expect(boot.steps.get()).toEqual([])
  expect(boot.phase.get()).toBe('done')
})
