import { beforeEach, expect, test, vi } from 'vitest'
import { storage } from '#platform/storage.ts'
import { clearMark, countUnfinishedStarts, finishStart, markStart } from './unfinished-start.ts'

/** Receives the events of the browser's window. */
let page: EventTarget

beforeEach(() => {
  vi.useFakeTimers()
  page = new EventTarget()
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  clearMark()
  return () => {
    clearMark()
    vi.useRealTimers()
    vi.unstubAllGlobals()
  }
})

/** Starts after the console has cleared the mark for its question, and blocks the page for a minute. */
function startAndBlock(): number {
  const before = countUnfinishedStarts()
  clearMark()
  markStart(before)
  vi.setSystemTime(Date.now() + 60_000)
  return countUnfinishedStarts()
}

test('home-assistant/frontend#6266 starts in a row that did not finish are counted, until one finishes or is left', async () => {
  expect(countUnfinishedStarts()).toBe(0)
  expect([startAndBlock(), startAndBlock(), startAndBlock()]).toEqual([1, 2, 3])
  finishStart()
  vi.advanceTimersByTime(5000)
  expect(countUnfinishedStarts()).toBe(0)
  expect(startAndBlock()).toBe(1)
  page.dispatchEvent(new Event('pagehide'))
  expect(countUnfinishedStarts()).toBe(0)
})

test('DEC-24 a start that may still run in another tab is not counted, and a mark without a count is one start', () => {
  markStart(0)
  vi.setSystemTime(Date.now() + 9999)
  expect(countUnfinishedStarts()).toBe(0)
  storage.unfinishedStart.write(String(Date.now() - 60_000))
  expect(countUnfinishedStarts()).toBe(1)
})
