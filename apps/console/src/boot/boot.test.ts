import { beforeEach, describe, expect, test, vi } from 'vitest'
import { createBoot } from './boot.ts'

beforeEach(() => {
  vi.useFakeTimers()
  return () => vi.useRealTimers()
})

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
  test('BOOT-07 gives the reason, holds the boot and continues after a successful retry', async () => {
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

test('DEC-02 an abandoned run shows nothing more and does not continue', async () => {
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
