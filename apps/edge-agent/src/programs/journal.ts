import { createLineSplitter, type OutputLine } from '../output-lines.ts'

/*
 * Entries of systemd's journal, as `journalctl --output=json` prints them.
 * https://systemd.io/JOURNAL_EXPORT_FORMATS/#journal-json-format
 */

/** Without `--all`, a text of more than 4,096 bytes would be missing. */
export const journalOutput = [
  '--output=json',
  '--output-fields=MESSAGE,SYSLOG_IDENTIFIER,_COMM,SYSLOG_PID,_PID',
  '--all',
  '--quiet',
]

/** Number of characters of an entry that are read. Each byte of a text that is not UTF-8 takes up to four. */
export const entryMost = 1024 * 1024

export interface JournalEntry {
  at: Date
  /** The lines of its text, each with the sender, such as `player[312]: `. */
  lines: OutputLine[]
}

/** Reads an entry from its line; undefined if the line is none, such as a message of `journalctl` itself. */
export function readEntry(line: string): JournalEntry | undefined {
  let given: unknown
  try {
    given = JSON.parse(line)
  } catch {
    return undefined
  }
  if (typeof given !== 'object' || given === null || !('__REALTIME_TIMESTAMP' in given)) return undefined
  const fields: Record<string, unknown> = { ...given }
  // Microseconds.
  const at = new Date(Number(fields['__REALTIME_TIMESTAMP']) / 1000)
  const before = senderOf(fields)
  const lines: OutputLine[] = []
  for (const message of textsOf(fields['MESSAGE'])) {
    const splitter = createLineSplitter(({ text, dropped }) => lines.push({ text: before + text, dropped }))
    splitter.add(message.endsWith('\n') ? message : `${message}\n`)
  }
  return { at: Number.isNaN(at.getTime()) ? new Date() : at, lines }
}

function senderOf(fields: Readonly<Record<string, unknown>>): string {
  const first = (...names: string[]) => names.flatMap((name) => textsOf(fields[name])).find(Boolean)
  const pid = first('_PID', 'SYSLOG_PID')
  return `${first('SYSLOG_IDENTIFIER', '_COMM') ?? 'unknown'}${pid === undefined ? '' : `[${pid}]`}: `
}

/** A field that occurs several times is a list of its values. */
const textsOf = (field: unknown): string[] =>
  (Array.isArray(field) && !isBytes(field) ? field : [field]).flatMap((value: unknown) => {
    if (typeof value === 'string') return [value]
    // The journal gives a text that is not printable UTF-8 as its bytes.
    if (isBytes(value)) return [Buffer.from(value).toString()]
    return value === null ? ['(a text that is too large)'] : []
  })

const isBytes = (value: unknown): value is number[] =>
  Array.isArray(value) && value.every((byte) => typeof byte === 'number')
