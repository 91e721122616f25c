import { type Bar, isMet } from './bars.ts'
import { median } from './measure.ts'

/** Bytes are decimal: 1 kB is 1,000 bytes. */
export type Unit = 'ms' | 's' | 'kB' | 'MB' | '/s' | ''

/** One line of the table: all measured values in its unit. */
export interface Row {
  name: string
  unit: Unit
  ours: readonly number[]
  floor?: readonly number[] | undefined
  bar?: Bar
  note?: string
}

const columns = ['measure', 'Pult', 'bare floor', 'ratio', 'bar', 'met', 'note'] as const
type Cells = Record<(typeof columns)[number], string>

/** Returns a table that is readable in a terminal and valid Markdown. */
export function printTable(rows: readonly Row[]): string {
  const lines = rows.map(cellsOf)
  const widths = columns.map((column) =>
    Math.max(column.length, ...lines.map((cells) => cells[column].length)),
  )
  const print = (texts: string[]) =>
    `| ${texts.map((text, index) => text.padEnd(widths[index] ?? 0)).join(' | ')} |`
  return [
    print([...columns]),
    `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`,
    ...lines.map((cells) => print(columns.map((column) => cells[column]))),
  ].join('\n')
}

function cellsOf({ name, unit, ours, floor, bar, note = '' }: Row): Cells {
  const isCompared = floor !== undefined && unit !== '' && median(floor) !== 0
  return {
    measure: name,
    Pult: measured(ours, unit),
    'bare floor': floor === undefined ? '' : measured(floor, unit),
    ratio: isCompared ? `${number(median(ours) / median(floor))}x` : '',
    bar: bar === undefined ? '' : barText(bar, unit),
    met: bar === undefined ? '' : isMet(bar, ours, floor) ? 'yes' : 'NO',
    note,
  }
}

/** Formats the median, and the range if there are several values. */
function measured(values: readonly number[], unit: Unit): string {
  const middle = amount(median(values), unit)
  if (values.length === 1) return middle
  return `${middle} (${number(Math.min(...values))}..${number(Math.max(...values))})`
}

function barText(bar: Bar, unit: Unit): string {
  switch (bar.kind) {
    case 'at most':
      return `<= ${amount(bar.value, unit)}`
    case 'below':
      return `< ${amount(bar.value, unit)}`
    case 'between':
      return `${bar.low}..${bar.high}`
    case 'times the floor':
      return `<= ${number(bar.factor)}x${bar.plus === undefined ? '' : ` + ${amount(bar.plus, unit)}`}`
    case 'share of the floor':
      return `>= ${number(bar.share)}x`
  }
}

function amount(value: number, unit: Unit): string {
  if (unit === '') return number(value)
  return unit === '/s' ? `${number(value)}/s` : `${number(value)} ${unit}`
}

/** Formats three digits, which exceeds the precision of these measurements. */
function number(value: number): string {
  if (Number.isInteger(value) || Math.abs(value) >= 100) return Math.round(value).toLocaleString('en-US')
  return value.toFixed(Math.abs(value) < 10 ? 2 : 1)
}
