import { parse } from 'csv-parse/sync'
import { AppError } from '#platform/app-error.ts'
import type { Sentence } from '#platform/language.ts'

/** A line of the file, as somebody wrote it. */
export interface InvitationLine {
  /** Counted from 1, the heading among them, as editors count. */
  line: number
  email: string
  productRole: string
}

export const linesMost = 5000

/** Bytes. */
export const csvMost = 4 * 1024 * 1024

const refusal = (message: Sentence) => new AppError('VALIDATION_FAILED', { message })

interface Parsed {
  record: Record<string, string | undefined>
  info: { lines: number }
}

/**
 * Reads a CSV with the columns `email` and `productRole`, whatever others it has: parted by commas, semicolons or tabs,
 * in UTF-8 with or without a mark, or as older spreadsheets write it.
 */
export function invitationLines(content: Uint8Array): InvitationLine[] {
  const text = textOf(content)
  const [heading = ''] = text.split(/\r?\n|\r/, 1)
  const delimiter = [';', '\t'].find((sign) => heading.includes(sign)) ?? ','
  const records = recordsOf(text, delimiter)
  if (records.length === 0)
    throw refusal({ de: 'There is nobody in this file', 'de-DE': 'In dieser Datei steht niemand' })
  if (records.length > linesMost)
    throw refusal({
      de: `These are more than ${linesMost} lines`,
      'de-DE': `Das sind mehr als ${linesMost} Zeilen`,
    })
  return records.map(({ record, info }) => ({
    line: info.lines,
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
    throw refusal({
      de: 'This is not a CSV: a quotation mark is missing, or too much',
      'de-DE': 'Das ist keine CSV-Datei: Ein Anführungszeichen fehlt oder ist zu viel',
    })
  }
}

function columnsOf(heading: string[]): string[] {
  const names = heading.map((name) => name.trim().toLowerCase())
  for (const name of ['email', 'productrole']) {
    if (names.filter((other) => other === name).length !== 1)
      throw refusal({
        de: 'The first line has to name the columns email and productRole, each once',
        'de-DE': 'Die erste Zeile muss die Spalten email und productRole nennen, jede einmal',
      })
  }
  return names
}

function textOf(content: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content)
  } catch {
    return new TextDecoder('windows-1252').decode(content)
  }
}
