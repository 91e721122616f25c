const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined
let offset = 0
let now = Date.now()

function tick(): void {
  now = Date.now() + offset
  for (const listener of listeners) listener()
}

/** A hidden page needs no ticks; it updates when it becomes visible. */
function run(): void {
  clearInterval(timer)
  timer = undefined
  if (listeners.size === 0 || document.hidden) return
  tick()
  timer = setInterval(tick, 1000)
}

/** One timer for everything on the page that shows seconds. */
export const secondClock = {
  /** Epoch milliseconds; as of the last second while it runs, so that all who show it agree. */
  read: () => (timer === undefined ? Date.now() + offset : now),
  /** The same by this computer's own clock. */
  readOwn: () => secondClock.read() - offset,
  /** Sets how many milliseconds the clock that counts is ahead of this computer's. */
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
