import { type TaskMessage, taskMessageOf } from '@pult/contract'
import { parse } from 'csv-parse/sync'
import { AppError } from '#platform/app-error.ts'
import { tableText } from '#platform/csv-text.ts'

/** A line of the file as its author wrote it. */
export interface InvitationLine {
  /** Counted from 1 including the heading, as in an editor. */
  line: number
  email: string
  productRole: string
}

export const linesMost = 5000

/** Limit of the file in bytes. */
export const csvMost = 4 * 1024 * 1024

const refusal = (taskMessage: TaskMessage) => new AppError('VALIDATION_FAILED', { taskMessage })

interface Parsed {
  record: Record<string, string | undefined>
  info: { lines: number }
}

/** Lines before the heading: empty ones, and the line with which Excel names the delimiter. */
const beforeHeading = /^(?:[\s,;"]*\n|"?sep=."?[\s,;]*\n)+/i

/**
 * Reads a list with the columns `email` and `productRole`; other columns are ignored. The delimiter is a comma, semicolon
 * or tab, and the encoding one of `tableText`. Lines without content may precede the heading.
 */
export function invitationLines(content: Uint8Array): InvitationLine[] {
  const whole = tableText(content)
  const [before = ''] = beforeHeading.exec(whole) ?? []
  const skipped = before.split('\n').length - 1
  const text = whole.slice(before.length)
  const [heading = ''] = text.split('\n', 1)
  const delimiter = /sep=(.)/i.exec(before)?.[1] ?? [';', '\t'].find((sign) => heading.includes(sign)) ?? ','
  const records = recordsOf(text, delimiter)
  if (records.length === 0) throw refusal(taskMessageOf('list-empty'))
  if (records.length > linesMost) throw refusal(taskMessageOf('list-too-long', { most: linesMost }))
  return records.map(({ record, info }) => ({
    line: skipped + info.lines,
    email: record['email']?.trim() ?? '',
    productRole: record['productrole']?.trim() ?? '',
  }))
}

function recordsOf(text: string, delimiter: string): Parsed[] {
  try {
    return parse(text, {
      delimiter,
      columns: (heading: string[]) => columnsOf(heading),
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      trim: true,
      to: linesMost + 1,
    }) as unknown as Parsed[]
  } catch (error) {
    if (error instanceof AppError) throw error
    throw refusal(taskMessageOf('list-not-csv'))
  }
}

function columnsOf(heading: string[]): string[] {
  const names = heading.map((name) => name.trim().toLowerCase())
  for (const name of ['email', 'productrole']) {
    if (names.filter((other) => other === name).length !== 1) throw refusal(taskMessageOf('list-columns'))
  }
  return names
}
