const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined
let offset = 0
let now = Date.now()

function tick(): void {
  now = Date.now() + offset
  for (const listener of listeners) listener()
}

/** Starts or stops the timer. A hidden page needs no ticks; it updates when it becomes visible. */
function run(): void {
  clearInterval(timer)
  timer = undefined
  if (listeners.size === 0 || document.hidden) return
  tick()
  timer = setInterval(tick, 1000)
}

/** The timer that all elements with seconds on the page share. */
export const secondClock = {
  /**
   * Returns the corrected time in epoch milliseconds: that of the last tick while it runs, so that all elements agree.
   */
  read: () => (timer === undefined ? Date.now() + offset : now),
  /** Returns the same instant by this computer's uncorrected clock. */
  readOwn: () => secondClock.read() - offset,
  /** Sets the milliseconds that are added to this computer's clock. */
  correct: (milliseconds: number): void => {
    if (milliseconds === offset) return
    offset = milliseconds
    if (timer !== undefined) tick()
  },
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    if (listeners.size === 1) {
      document.addEventListener('visibilitychange', run)
      run()
    }
    return () => {
      listeners.delete(listener)
      if (listeners.size > 0) return
      document.removeEventListener('visibilitychange', run)
      run()
    }
  },
}
