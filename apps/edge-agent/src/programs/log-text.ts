import { stripVTControlCharacters } from 'node:util'
import { edgeLog } from '@pult/contract'
import { printable } from '../report.ts'

/** Number of characters of a line that the patterns examine. The rest of a longer line is dropped. */
const seenMost = 16_384

/** Leaves room for the time and for the note of a cut. */
const keptMost = edgeLog.lineMax - 100

/** Returns a function that turns a line of output into a line of the log. */
export function createLogText(redact: readonly RegExp[]) {
  return function logText(line: string, at: Date): string {
    let text = stripVTControlCharacters(line.slice(0, seenMost))
    // Before the cut, which could remove a part that a pattern needs.
    for (const pattern of redact) text = text.replace(pattern, '[redacted]')
    const more = Math.max(0, text.length - keptMost) + Math.max(0, line.length - seenMost)
    const end = more === 0 ? '' : ` … (${more} more characters)`
    return `${at.toISOString()} ${printable(text, keptMost)}${end}`
  }
}
export type LogText = ReturnType<typeof createLogText>

/** Maximum characters of a line that wait for its end. */
const restMost = seenMost * 2

/**
 * Calls `onLine` for each line of a stream, and `onChunk` after the lines of each chunk. Reading continues when
 * `onChunk` has resolved.
 */
export async function readLines(
  stream: NodeJS.ReadableStream,
  onLine: (line: string) => void,
  onChunk: () => Promise<void> | undefined,
): Promise<void> {
  let rest = ''
  stream.setEncoding('utf8')
  try {
    for await (const chunk of stream) {
      const parts = String(chunk).split('\n')
      parts[0] = rest + parts[0]
      rest = (parts.pop() ?? '').slice(0, restMost)
      for (const part of parts) onLine(part.endsWith('\r') ? part.slice(0, -1) : part)
      await onChunk()
    }
  } catch {
    // The stream was destroyed, because a process that has left its group kept it open.
  }
  if (rest !== '') onLine(rest)
}
