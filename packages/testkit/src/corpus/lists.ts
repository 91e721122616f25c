import type { CorpusFile } from './corpus-file.ts'
import { type Source, written } from './studio.ts'

const people = [
  ['Jürgen Weiß', 'juergen@example.net'],
  ['Zoë Ångström', 'zoe@example.net'],
] as const

/** A list for invitations, with `name` so that its encoding matters. */
function list({ delimiter = ',', newline = '\n', quote = '' } = {}): string {
  const lines = [
    ['Name', 'email', 'productRole'],
    ...people.map(([name, email]) => [name, email, 'project/viewer']),
  ]
  const cell = (value: string) => `${quote}${value}${quote}`
  return lines.map((line) => line.map(cell).join(delimiter) + newline).join('')
}

const csv = (name: string, writer: string, source: Source, type = 'text/csv'): CorpusFile => ({
  name,
  type,
  writer,
  source,
  shows: 'nothing',
  people: people.length,
})

const windows = { delimiter: ';', newline: '\r\n' }

export const lists: readonly CorpusFile[] = [
  csv(
    'Mappe1.csv',
    'Excel, German, Windows-1252',
    written(() => Buffer.from(list(windows), 'latin1')),
    'application/vnd.ms-excel',
  ),
  csv(
    'Mappe2.csv',
    'Excel, UTF-8',
    written(() => `\uFEFF${list(windows)}`),
    'application/vnd.ms-excel',
  ),
  csv(
    'Mappe3.txt',
    'Excel, Unicode text',
    written(() => Buffer.from(`\uFEFF${list({ delimiter: '\t', newline: '\r\n' })}`, 'utf16le')),
    'text/plain',
  ),
  csv(
    'Mappe4.csv',
    'Excel, separator named first',
    written(() => `\uFEFFsep=;\r\n${list(windows)}`),
  ),
  csv(
    'Mappe5.csv',
    'Excel for Mac',
    written(() => Buffer.from(list({ delimiter: ';', newline: '\r' }), 'latin1')),
  ),
  csv(
    'Unbenannt 1.csv',
    'LibreOffice, quoted',
    written(() => list({ quote: '"' })),
  ),
  csv(
    'Blatt 1-Tabelle 1.csv',
    'Numbers',
    written(() => list({ delimiter: ';', newline: '\r\n' })),
  ),
  csv(
    'Teilnehmer - Tabellenblatt1.csv',
    'Google Sheets',
    written(() => list({ newline: '\r\n' })),
  ),
  csv(
    'Adressen.csv',
    'Outlook, empty lines first',
    written(() => `\r\n\r\n${list({ quote: '"', newline: '\r\n' })}`),
  ),
  csv(
    'export.tsv',
    'Database, tabs',
    written(() => list({ delimiter: '\t' })),
    'text/tab-separated-values',
  ),
]
