import { storage } from '#platform/storage.ts'

/** A console that still responds after this time has started successfully. Milliseconds. */
const responsiveAfter = 5000

/** A more recent start may still be running in another tab. Milliseconds. */
const startTakes = 10_000

/**
 * Returns whether an earlier start in this browser neither finished nor ended because the user left the page. An app in
 * an endless loop blocks the page before it can clear the mark.
 */
export function isLastStartUnfinished(): boolean {
  const began = storage.unfinishedStart.read()
  return began !== null && Date.now() - Number(began) > startTakes
}

/** Marks a start until the console has responded for some seconds, or the user leaves the page. */
export function markStart(): void {
  if (storage.unfinishedStart.read() === null) storage.unfinishedStart.write(String(Date.now()))
  addEventListener('pagehide', clearMark, { once: true })
}

/** The timer clears the mark, and it never runs on a blocked page. */
export const finishStart = () => setTimeout(clearMark, responsiveAfter)

export function clearMark(): void {
  storage.unfinishedStart.write(null)
}
