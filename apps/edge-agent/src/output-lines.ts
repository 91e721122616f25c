import { stripVTControlCharacters } from 'node:util'
import { printable } from './report.ts'

/** A line of output. */
export interface OutputLine {
  text: string
  /** Number of characters before the text that were not kept. */
  dropped: number
}

/** Number of characters of a line that are kept, the newest ones. */
const keptMost = 16_384

const carriageReturn = '\r'

/**
 * Splits output into lines. As on a terminal, the text after a carriage return replaces the line, so that a progress
 * bar is one line.
 */
export function createLineSplitter(onLine: (line: OutputLine) => void, most = keptMost) {
  let line: OutputLine = { text: '', dropped: 0 }
  /** A carriage return ended the text. It stays until another text follows. */
  let isReplaced = false

  function append(part: string): void {
    let end = part.length
    while (end > 0 && part[end - 1] === carriageReturn) end -= 1
    if (end > 0) {
      const from = part.lastIndexOf(carriageReturn, end - 1) + 1
      const before = isReplaced || from > 0 ? { text: '', dropped: 0 } : line
      const text = before.text + part.slice(from, end)
      const over = Math.max(0, text.length - most)
      line = { text: text.slice(over), dropped: before.dropped + over }
      isReplaced = false
    }
    if (end < part.length) isReplaced = true
  }

  function endLine(): void {
    const ended = line
    line = { text: '', dropped: 0 }
    isReplaced = false
    onLine(ended)
  }

  return {
    add(chunk: string): void {
      const parts = chunk.split('\n')
      const last = parts.pop() ?? ''
      for (const part of parts) {
        append(part)
        endLine()
      }
      append(last)
    },

    /** The line that has not ended yet; its text is empty if there is none. */
    unfinished: (): OutputLine => line,

    /** Ends the unfinished line, as the end of the output does. */
    end(): void {
      if (line.text !== '') endLine()
    },
  }
}

/** Milliseconds until an unfinished line is shown, such as a prompt. */
const firstShow = 1000

/** Milliseconds until a line that keeps changing is shown again. The pause doubles, so a long progress stays small. */
const secondShow = 5000
const longestShow = 60_000

interface StreamReader {
  onLine: (line: OutputLine) => void
  /** Called after the lines of each chunk. Reading continues when it has resolved. */
  onChunk: () => Promise<void> | undefined
  /** Whether `onLine` also receives a line that has not ended for a while. Its later states are further lines. */
  showsUnfinished?: boolean
  /** Number of characters of a line that are kept. */
  most?: number
}

/** Reads the lines of a stream until its end. */
export async function readLines(
  stream: NodeJS.ReadableStream,
  { onLine, onChunk, showsUnfinished = false, most }: StreamReader,
): Promise<void> {
  /** The text of the unfinished line that was shown last. */
  let shown: OutputLine | undefined
  let pause = firstShow
  let dueAt: number | undefined
  let timer: NodeJS.Timeout | undefined

  const isShown = ({ text, dropped }: OutputLine) => text === shown?.text && dropped === shown.dropped

  const splitter = createLineSplitter((line) => {
    if (!isShown(line)) onLine(line)
    shown = undefined
    dueAt = undefined
    pause = firstShow
  }, most)

  function show(): void {
    shown = splitter.unfinished()
    onLine(shown)
    dueAt = undefined
    pause = Math.min(Math.max(pause * 2, secondShow), longestShow)
  }

  /** Only while the stream is silent: the rest of a line may wait in it while `onChunk` holds it back. */
  function showLater(): void {
    const line = splitter.unfinished()
    if (isShown(line) || shownText(line.text).trim() === '') return
    dueAt ??= performance.now() + pause
    timer = setTimeout(show, dueAt - performance.now())
  }

  stream.setEncoding('utf8')
  try {
    for await (const chunk of stream) {
      clearTimeout(timer)
      splitter.add(String(chunk))
      await onChunk()
      if (showsUnfinished) showLater()
    }
  } catch {
    // The stream was destroyed, because a process that has left its group kept it open.
  }
  clearTimeout(timer)
  splitter.end()
}

/** Returns a line as a terminal shows it: without colours and links, and with backspaces applied. */
export function shownText(line: string): string {
  const text = stripVTControlCharacters(line)
  if (!text.includes('\b')) return text
  const shown: string[] = []
  let at = 0
  for (const character of text) {
    if (character === '\b') at = Math.max(0, at - 1)
    else shown[at++] = character
  }
  return shown.join('')
}

/**
 * Returns one line that the server accepts. A longer one is shortened to its beginning and, three times as long, its
 * end: `most` characters, and a note of the cut with fewer than 50.
 */
export function shortened({ text, dropped }: OutputLine, most: number): string {
  if (text.length <= most && dropped === 0) return printable(text, most)
  // If the beginning is missing, a pattern may have missed half a secret at the start of the rest.
  const head = dropped > 0 ? 0 : Math.floor(most / 4)
  const tail = Math.min(most - head, dropped > 0 ? Math.floor(text.length / 2) : most)
  const left = dropped + text.length - head - tail
  return `${printable(text, head)} … (${left} more characters) … ${printable(text.slice(text.length - tail), tail)}`.trimStart()
}
