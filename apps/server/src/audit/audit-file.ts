import type { AuditRow } from '@pult/contract'
import { csvLine, csvMark, csvType } from '#platform/csv-text.ts'
import { fileNamePart } from '#platform/file-name-part.ts'

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

const formats = {
  csv: {
    contentType: csvType,
    head: csvMark + csvLine(columns.map(([name]) => name)),
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
  const name = nameOf(fileNamePart(label ?? ''))
  const ascii = name.normalize('NFD').replace(/[^\x20-\x7e]/g, '')
  return `attachment; filename="${ascii}.${format}"; filename*=UTF-8''${encodeURIComponent(name)}.${format}`
}
