import { beforeEach, expect, test, vi } from 'vitest'
import { createToaster } from './toaster.ts'

const saved = { tone: 'success', title: 'Gespeichert', text: 'Foyer Nord' } as const
const failed = { tone: 'danger', title: 'Save failed' } as const

/** The page that shows the messages. */
const page = { hidden: false }

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('document', page)
  page.hidden = false
  return () => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  }
})

test('the newest message comes first, and each one has its own key', () => {
  const { add, queue } = createToaster({ durationMs: 5000 })
  const keys = [add(saved), add(failed)]
  expect(queue.visibleToasts.map(({ content }) => content)).toEqual([failed, saved])
  expect(new Set(keys).size).toBe(2)
})

test('BUILD-02 a message stays for its duration, counted from its display', () => {
  const { add, queue } = createToaster({ durationMs: 5000 })
  add(saved)
  queue.resumeAll()
  vi.advanceTimersByTime(4999)
  expect(queue.visibleToasts).toHaveLength(1)
  vi.advanceTimersByTime(1)
  expect(queue.visibleToasts).toHaveLength(0)
})

test('a paused message keeps its remaining time', () => {
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

test('a repeated message restarts the time of the message on screen', () => {
  const { add, queue } = createToaster({ durationMs: 5000 })
  add(saved)
  add(failed)
  add({ ...saved })
  expect(queue.visibleToasts.map(({ content }) => content)).toEqual([saved, failed])
  add({ ...saved, text: 'Kasse 1' })
  expect(queue.visibleToasts).toHaveLength(3)
})

test('DEC-20 a message with an action stays longer, and each one keeps its own action', () => {
  const { add, queue } = createToaster({ durationMs: 5000, actionDurationMs: 12_000 })
  const action = { label: 'Undo', onAction: () => {} }
  add({ ...saved, action })
  add({ ...saved, action })
  expect(queue.visibleToasts).toHaveLength(2)
  queue.resumeAll()
  vi.advanceTimersByTime(11_999)
  expect(queue.visibleToasts).toHaveLength(2)
  vi.advanceTimersByTime(1)
  expect(queue.visibleToasts).toHaveLength(0)
})

test('more messages than fit are queued', () => {
  const { add, close, queue } = createToaster({ durationMs: 5000, maxVisible: 2 })
  const titles = () => queue.visibleToasts.map(({ content }) => content.title)
  const keys = ['one', 'two', 'three'].map((title) => add({ tone: 'info', title }))
  expect(titles()).toEqual(['three', 'two'])
  close(keys[2] ?? '')
  expect(titles()).toEqual(['two', 'one'])
})

test('scalableminds/webknossos#4719 the time of a message begins when the page is visible', () => {
  const { add, queue } = createToaster({ durationMs: 5000 })
  page.hidden = true
  add(saved)
  queue.resumeAll()
  vi.advanceTimersByTime(60_000)
  expect(queue.visibleToasts).toHaveLength(1)
  page.hidden = false
  queue.resumeAll()
  vi.advanceTimersByTime(4999)
  expect(queue.visibleToasts).toHaveLength(1)
  vi.advanceTimersByTime(1)
  expect(queue.visibleToasts).toHaveLength(0)
})

test('knowledgefutures/pubplatform#1152 an error stays until it is closed, unless the page shows it as well', () => {
  const { add, close, queue } = createToaster({ durationMs: 5000 })
  const key = add(failed)
  add({ ...failed, title: 'Offline', isBrief: true })
  queue.resumeAll()
  vi.advanceTimersByTime(3_600_000)
  expect(queue.visibleToasts.map(({ content }) => content)).toEqual([failed])
  close(key)
  expect(queue.visibleToasts).toHaveLength(0)
})

test('a further error replaces the oldest one, so that errors do not fill the queue', () => {
  const { add, close, queue } = createToaster({ durationMs: 5000, maxVisible: 2 })
  const titles = () => queue.visibleToasts.map(({ content }) => content.title)
  const keys = ['one', 'two', 'three'].map((title) => add({ tone: 'danger', title }))
  expect(titles()).toEqual(['three', 'two'])
  close(keys[2] ?? '')
  expect(titles()).toEqual(['two'])
  add({ tone: 'danger', title: 'two' })
  add({ tone: 'danger', title: 'four' })
  expect(titles()).toEqual(['four', 'two'])
})
