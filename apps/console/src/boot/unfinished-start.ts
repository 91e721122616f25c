import { storage } from '#platform/storage.ts'

/** A console that still responds after this time has started successfully. Milliseconds. */
const responsiveAfter = 5000

/** A more recent start may still be running in another tab. Milliseconds. */
const startTakes = 10_000

/**
 * Returns how many starts in a row in this browser neither finished nor ended because the user left the page. An app in
 * an endless loop blocks the page before it can clear the mark.
 */
export function countUnfinishedStarts(): number {
  const [began = '', count = '1'] = storage.unfinishedStart.read()?.split(' ') ?? []
  return began !== '' && Date.now() - Number(began) > startTakes ? Number(count) : 0
}

/** Marks a start until the console has responded for some seconds, or the user leaves the page. */
export function markStart(unfinishedBefore: number): void {
  if (storage.unfinishedStart.read() === null)
    storage.unfinishedStart.write(`${Date.now()} ${unfinishedBefore + 1}`)
  addEventListener('pagehide', clearMark, { once: true })
}

/** The timer clears the mark, and it never runs on a blocked page. */
export const finishStart = () => setTimeout(clearMark, responsiveAfter)

export function clearMark(): void {
  storage.unfinishedStart.write(null)
}
