/** The start waits this long for a choice of the user. Milliseconds. */
const unattendedAfter = 30_000

/**
 * Starts after a countdown, because a wall display has no user. Any input ends the countdown, and the user chooses.
 *
 * @param show Shows the remaining seconds; null after an input.
 */
export function startUnattended(
  start: () => void,
  show: (seconds: number | null) => void,
  signal: AbortSignal,
): void {
  let left = unattendedAfter / 1000
  const timer = setInterval(() => {
    left -= 1
    if (left > 0) show(left)
    else start()
  }, 1000)
  signal.addEventListener('abort', () => clearInterval(timer))
  const stop = (event: Event) => {
    // Browsers send such events for a resting pointer, too, when something moves below it.
    if (event instanceof PointerEvent && event.type === 'pointermove' && !event.movementX && !event.movementY)
      return
    clearInterval(timer)
    show(null)
  }
  for (const input of ['keydown', 'pointerdown', 'pointermove', 'wheel'])
    addEventListener(input, stop, { capture: true, signal })
  show(left)
}
