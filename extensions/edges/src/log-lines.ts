import { foldCase } from '@pult/sdk/api'

/** A line of a log with its number, or a gap of skipped lines before the line with this number. */
export type LogRow = { number: number; at: string; text: string } | { number: number; skipped: number }

/** The shown part of a log. */
export interface LogView {
  rows: readonly LogRow[]
  /** Number of the last line; 0 before the first reply. */
  last: number
  /** Number of the first line that the edge still has. */
  oldest: number
}

interface Answer {
  first: number
  lines: readonly string[]
  oldest: number
}

export const emptyLog: LogView = { rows: [], last: 0, oldest: 0 }

/** Maximum numbers of rows that the page keeps, and of rows in one reply. */
const rowsMost = 5000
const answerMost = 1000

const rowsOf = ({ first, lines }: Answer): LogRow[] =>
  lines.map((line, index) => {
    const end = line.indexOf(' ')
    return { number: first + index, at: line.slice(0, end), text: line.slice(end + 1) }
  })

/** Adds the newest lines. Lines with lower numbers belong to a new log. */
export function withNewest(view: LogView, answer: Answer): LogView {
  const { rows, last } = view
  const { first, lines, oldest } = answer
  const end = first + lines.length - 1
  if (lines.length === 0)
    return last === 0 || oldest !== view.oldest ? { rows, last: Math.max(last, end), oldest } : view
  if (last === 0 || first <= last) return { rows: rowsOf(answer), last: end, oldest }
  const skipped = first - last - 1
  const gap = skipped === 0 ? [] : [{ number: first, skipped }]
  return { rows: [...rows, ...gap, ...rowsOf(answer)].slice(-rowsMost), last: end, oldest }
}

/** Adds lines before the first one. */
export function withEarlier({ rows, last }: LogView, answer: Answer): LogView {
  const earlier = rowsOf(answer)
  return { rows: [...earlier, ...rows], last, oldest: answer.oldest }
}

/** Returns whether the edge has lines before the first one, and the page has space for them. */
export const hasEarlier = (view: LogView) =>
  view.oldest < firstOf(view) && view.rows.length + answerMost <= rowsMost

/** Returns the number of the first shown line. */
export const firstOf = ({ rows, last }: LogView) => rows[0]?.number ?? last + 1

/** Returns the rows whose text contains the words, ignoring case. Gaps stay. */
export function filtered(rows: readonly LogRow[], words: string): readonly LogRow[] {
  const needle = foldCase(words.trim())
  if (needle === '') return rows
  return rows.filter((row) => 'skipped' in row || foldCase(row.text).includes(needle))
}
