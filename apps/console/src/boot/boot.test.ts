import { beforeEach, describe, expect, test, vi } from 'vitest'
import { createBoot } from './boot.ts'

beforeEach(() => {
  vi.useFakeTimers()
  return () => vi.useRealTimers()
})

const lines = (boot: ReturnType<typeof createBoot>) =>
  boot.steps.get().map(({ label, state }) => `${label} ${state}`)

test('BOOT-03 a step runs and is done, then the next one', async () => {
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

  test('BOOT-04 counts from the step and not from when its end was noticed', () => {
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

  test('BOOT-04 is not set by a run that a newer one has replaced', () => {
    const boot = createBoot()
    boot.begin().finish()
    boot.begin()
    vi.advanceTimersByTime(1000)
    expect(boot.phase.get()).not.toBe('done')
  })
})

describe('BOOT-03 a start that nobody need notice', () => {
  test('BOOT-03 leaves the page as it is for so long, then shows its steps', () => {
    const boot = createBoot()
    boot.begin({ unnoticed: 50 })
    vi.advanceTimersByTime(49)
    expect(boot.phase.get()).toBe('unnoticed')
    vi.advanceTimersByTime(1)
    expect(boot.phase.get()).toBe('running')
  })

  test('BOOT-03 BOOT-04 that is over by then is shown with all its steps, and for as long', async () => {
    const boot = createBoot()
    const run = boot.begin({ unnoticed: 50 })
    await run.step('only', async () => {})
    run.finish()
    expect(boot.phase.get()).toBe('ready')
    vi.advanceTimersByTime(99)
    expect(boot.phase.get()).toBe('ready')
    vi.advanceTimersByTime(1)
    expect(boot.phase.get()).toBe('done')
  })

  test('BOOT-03 a newer start, and the end of the session, are not disturbed by it', () => {
    const boot = createBoot()
    boot.begin({ unnoticed: 50 })
    boot.abandon()
    vi.advanceTimersByTime(50)
    expect(boot.phase.get()).toBe('done')
  })
})

describe('BOOT-07 a step that fails', () => {
  test('BOOT-07 says why, keeps the boot waiting, and goes on after a retry that succeeds', async () => {
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

  test('BOOT-07 a warning says what is missing and does not stop the boot', async () => {
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

test('DEC-02 a run that was abandoned shows nothing more and goes no further', async () => {
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
