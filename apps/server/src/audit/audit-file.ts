import type { AuditRow } from '@pult/contract'

interface FileFormat {
  contentType: string
  /** The text before the first row. */
  head: string
  line: (row: AuditRow) => string
}

const columns: readonly [name: string, cell: (row: AuditRow) => string | null][] = [
  ['_id', ({ _id }) => _id],
  ['at', ({ at }) => at],
  ['event', ({ event }) => event],
  ['result', ({ result }) => result],
  ['actor', ({ actor }) => actor?._id ?? null],
  ['actorName', ({ actor }) => actor?.name ?? null],
  ['target', ({ target }) => target],
  ['project', ({ project }) => project],
  ['address', ({ address }) => address],
  ['detail', ({ detail }) => JSON.stringify(detail)],
]

/** RFC 4180 2: lines end with CRLF, and cells with special characters are quoted. */
const csvLine = (cells: readonly (string | null)[]) => `${cells.map(csvCell).join(',')}\r\n`

function csvCell(text: string | null): string {
  const harmless = beginsFormula.test(text ?? '') ? `'${text}` : (text ?? '')
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/**
 * Cells that a spreadsheet would run as a formula get a leading apostrophe, which makes them text. The full-width
 * signs come from East Asian keyboards. https://owasp.org/www-community/attacks/CSV_Injection
 */
const beginsFormula = /^[=+\-@\t\r\n＝＋－＠]/

const formats = {
  csv: {
    contentType: 'text/csv; charset=utf-8; header=present',
    head: csvLine(columns.map(([name]) => name)),
    line: (row) => csvLine(columns.map(([, cell]) => cell(row))),
  },
  jsonl: {
    contentType: 'application/x-ndjson; charset=utf-8',
    head: '',
    line: (row) => `${JSON.stringify(row)}\n`,
  },
} satisfies Record<string, FileFormat>
export type AuditFileFormat = keyof typeof formats

export const contentTypeOf = (format: AuditFileFormat): string => formats[format].contentType

/** Yields the text of a file, one batch of rows at a time. Yields nothing before the first batch has been read. */
export async function* fileText(
  format: AuditFileFormat,
  batches: AsyncIterable<readonly AuditRow[]>,
): AsyncGenerator<string> {
  const { head, line } = formats[format]
  let text = head
  for await (const rows of batches) {
    text += rows.map(line).join('')
    if (text !== '') yield text
    text = ''
  }
}

/** Returns the `content-disposition` of a download (RFC 6266), with a file name for clients that support only ASCII. */
export function attachmentOf(label: string | null, format: AuditFileFormat): string {
  const day = new Date().toISOString().slice(0, 10)
  const nameOf = (part: string) => ['pult-audit', ...(part === '' ? [] : [part]), day].join('-')
  const name = nameOf((label ?? '').replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, ''))
  const ascii = name.normalize('NFD').replace(/[^\x20-\x7e]/g, '')
  return `attachment; filename="${ascii}.${format}"; filename*=UTF-8''${encodeURIComponent(name)}.${format}`
}
