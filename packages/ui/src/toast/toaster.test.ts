import { beforeEach, expect, test, vi } from 'vitest'
import { createToaster } from './toaster.ts'

const saved = { tone: 'success', title: 'Gespeichert', text: 'Foyer Nord' } as const
const failed = { tone: 'danger', title: 'Save failed' } as const

beforeEach(() => {
  vi.useFakeTimers()
  return () => vi.useRealTimers()
})

test('the newest message comes first, and each one has its own key', () => {
  const { add, queue } = createToaster({ durationMs: 5000 })
  const keys = [add(saved), add(failed)]
  expect(queue.visibleToasts.map(({ content }) => content)).toEqual([failed, saved])
  expect(new Set(keys).size).toBe(2)
})

test('BUILD-02 a message stays for the given time, counted from when it is shown', () => {
  const { add, queue } = createToaster({ durationMs: 5000 })
  add(saved)
  queue.resumeAll()
  vi.advanceTimersByTime(4999)
  expect(queue.visibleToasts).toHaveLength(1)
  vi.advanceTimersByTime(1)
  expect(queue.visibleToasts).toHaveLength(0)
})

test('a message that is held keeps what was left of its time', () => {
  const { add, queue } = createToaster({ durationMs: 5000 })
  add(saved)
  queue.resumeAll()
  vi.advanceTimersByTime(3000)
  queue.pauseAll()
  vi.advanceTimersByTime(60_000)
  expect(queue.visibleToasts).toHaveLength(1)
  queue.resumeAll()
  vi.advanceTimersByTime(1999)
  expect(queue.visibleToasts).toHaveLength(1)
  vi.advanceTimersByTime(1)
  expect(queue.visibleToasts).toHaveLength(0)
})

test('the same message again renews the one on screen', () => {
  const { add, queue } = createToaster({ durationMs: 5000 })
  add(saved)
  add(failed)
  add({ ...saved })
  expect(queue.visibleToasts.map(({ content }) => content)).toEqual([saved, failed])
  add({ ...saved, text: 'Kasse 1' })
  expect(queue.visibleToasts).toHaveLength(3)
})

test('more messages than fit wait for their turn', () => {
  const { add, close, queue } = createToaster({ durationMs: 5000, maxVisible: 2 })
  const titles = () => queue.visibleToasts.map(({ content }) => content.title)
  const keys = ['one', 'two', 'three'].map((title) => add({ tone: 'info', title }))
  expect(titles()).toEqual(['three', 'two'])
  close(keys[2] ?? '')
  expect(titles()).toEqual(['two', 'one'])
})
