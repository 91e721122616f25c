import { beforeEach, describe, expect, test, vi } from 'vitest'
import { startUnattended } from './unattended-start.ts'

/** Receives the events of the browser's window. */
let page: EventTarget

class Pointer extends Event {
  movementX = 0
  movementY = 0
}

beforeEach(() => {
  vi.useFakeTimers()
  page = new EventTarget()
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('PointerEvent', Pointer)
  return () => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  }
})

function begun() {
  const leaving = new AbortController()
  const start = vi.fn<() => void>(() => leaving.abort())
  const shown: (number | null)[] = []
  startUnattended(start, (seconds) => shown.push(seconds), leaving.signal)
  return { start, shown, leaving }
}

describe('home-assistant/frontend#6266 a start without input', () => {
  test('shows its countdown and starts once after 30 s', () => {
    const { start, shown } = begun()
    expect(shown).toEqual([30])
    vi.advanceTimersByTime(29_999)
    expect([start.mock.calls.length, shown.at(-1)]).toEqual([0, 1])
    vi.advanceTimersByTime(60_000)
    expect(start).toHaveBeenCalledOnce()
    expect(shown).toHaveLength(30)
  })

  test.each([
    new Event('keydown'),
    new Pointer('pointerdown'),
    Object.assign(new Pointer('pointermove'), { movementX: 1 }),
    new Event('wheel'),
  ])('waits for a choice after an input: $type', (input) => {
    const { start, shown } = begun()
    vi.advanceTimersByTime(12_000)
    page.dispatchEvent(input)
    vi.advanceTimersByTime(60_000)
    expect(start).not.toHaveBeenCalled()
    expect(shown.slice(-2)).toEqual([18, null])
  })

  test('is not stopped by a pointer that rests over something that moves', () => {
    const { start } = begun()
    page.dispatchEvent(new Pointer('pointermove'))
    vi.advanceTimersByTime(30_000)
    expect(start).toHaveBeenCalledOnce()
  })

  test('does nothing after a choice', () => {
    const { start, shown, leaving } = begun()
    leaving.abort()
    page.dispatchEvent(new Event('keydown'))
    vi.advanceTimersByTime(60_000)
    expect(start).not.toHaveBeenCalled()
    expect(shown).toEqual([30])
    expect(vi.getTimerCount()).toBe(0)
  })
})
