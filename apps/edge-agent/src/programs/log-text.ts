import { edgeLog } from '@pult/contract'
import { shortened, shownText } from '../output-lines.ts'

/** Leaves room for the time and for the note of a cut. */
const keptMost = edgeLog.lineMax - 100

/**
 * Returns a function that turns a line of output into a line of the log. `dropped` is the number of characters before
 * the line that were not kept.
 */
export function createLogText(redact: readonly RegExp[]) {
  return function logText(line: string, at: Date, dropped = 0): string {
    let text = shownText(line)
    // Before the cut, which could remove a part that a pattern needs.
    for (const pattern of redact) text = text.replace(pattern, '[redacted]')
    return `${at.toISOString()} ${shortened({ text, dropped }, keptMost)}`
  }
}
export type LogText = ReturnType<typeof createLogText>
