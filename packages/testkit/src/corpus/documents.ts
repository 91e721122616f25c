import { gzipSync } from 'node:zlib'
import type { CorpusFile } from './corpus-file.ts'
import { changed, checkedIn, ran, type Source, written } from './studio.ts'
import { archive5, fontFile, webFont } from './written/containers.ts'
import { type ZipEntry, zip } from './written/zip.ts'

const document = (
  name: string,
  type: string,
  writer: string,
  source: Source,
  more: Partial<CorpusFile> = {},
): CorpusFile => ({ name, type, writer, source, shows: 'nothing', ...more })

const entry = (name: string | Buffer, content = 'Messe Hannover\n'.repeat(20)): ZipEntry => ({
  name,
  content: Buffer.from(content),
})
const stored = (name: string, content: string): ZipEntry => ({ ...entry(name, content), isStored: true })
const zipped = (entries: readonly ZipEntry[], how: Parameters<typeof zip>[1] = {}) =>
  written(() => zip(entries, how))

const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const office = (main: string) => [
  entry(
    '[Content_Types].xml',
    `${xml}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`,
  ),
  entry(
    '_rels/.rels',
    `${xml}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"/>`,
  ),
  entry(main, `${xml}<document/>`),
  entry('docProps/app.xml', `${xml}<Properties/>`),
]
const openDocument = (type: string) => [
  stored('mimetype', type),
  entry('content.xml', `${xml}<office:document-content/>`),
  entry('META-INF/manifest.xml', `${xml}<manifest:manifest/>`),
]

const ooxml = 'application/vnd.openxmlformats-officedocument'
const odf = 'application/vnd.oasis.opendocument'

const archives = [
  document(
    'Archiv.zip',
    'application/zip',
    'macOS Finder',
    zipped(
      [entry('Messe/'), entry('Messe/Notiz.txt'), entry('__MACOSX/Messe/._Notiz.txt', '\0\x05\x16\x07')],
      { isStreamed: true },
    ),
  ),
  document(
    'Neuer ZIP-komprimierter Ordner.zip',
    'application/x-zip-compressed',
    'Windows Explorer, names in code page 437',
    zipped([entry(Buffer.from('M\x81nchen.txt', 'latin1'))]),
  ),
  document(
    '新しいフォルダー.zip',
    'application/x-zip-compressed',
    'Windows Explorer, names in Shift-JIS',
    zipped([entry(Buffer.from('\x93\xfa\x96{.txt', 'latin1'))]),
  ),
  document('gross.zip', 'application/zip', '7-Zip, ZIP64', zipped([entry('Notiz.txt')], { isLarge: true })),
  document(
    'Export.zip',
    'application/zip',
    'Java ZipOutputStream',
    zipped([entry('Notiz.txt')], { isStreamed: true }),
  ),
  document('Linux.zip', 'application/zip', 'zip', ran('zip', 'zip -q out.zip notes.txt scene.png')),
  document(
    'Sicherung.tar.gz',
    'application/gzip',
    'tar, gzip',
    written(() => gzipSync(tar())),
  ),
  document('Sicherung.tar', 'application/x-tar', 'tar', written(tar)),
  document('Projekt.7z', 'application/x-7z-compressed', '7-Zip', ran('7zip', '7zz a -bso0 out.7z notes.txt')),
  document(
    'Quelle.tar.xz',
    'application/x-xz',
    '7-Zip, xz',
    ran('7zip', '7zz a -bso0 -txz out.xz notes.txt'),
  ),
  document('Alt.rar', 'application/vnd.rar', 'written by hand after RAR 5', written(archive5)),
]

/** A tar archive with one file (ustar). */
function tar(): Buffer {
  const content = Buffer.from('Messe\n')
  const header = Buffer.alloc(512)
  header.write('Notiz.txt')
  header.write('0000644\x000001750\x000001750\x00', 100)
  header.write(`${content.length.toString(8).padStart(11, '0')}\x0015402456240\0`, 124)
  header.write('        0', 148)
  header.write('ustar\x0000', 257)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return Buffer.concat([header, content, Buffer.alloc(512 - content.length + 1024)])
}

const files = [
  document(
    'Angebot.docx',
    `${ooxml}.wordprocessingml.document`,
    'written by hand in the order of Word',
    zipped(office('word/document.xml')),
  ),
  document(
    'Mappe1.xlsx',
    `${ooxml}.spreadsheetml.sheet`,
    'written by hand in the order of Excel',
    zipped(office('xl/workbook.xml')),
  ),
  document(
    'Präsentation1.pptx',
    `${ooxml}.presentationml.presentation`,
    'written by hand in the order of PowerPoint',
    zipped(office('ppt/presentation.xml')),
  ),
  document(
    'Brief.odt',
    `${odf}.text`,
    'written by hand in the order of LibreOffice',
    zipped(openDocument(`${odf}.text`)),
  ),
  document(
    'Tabelle.ods',
    `${odf}.spreadsheet`,
    'written by hand in the order of LibreOffice',
    zipped(openDocument(`${odf}.spreadsheet`)),
  ),
  document(
    'Bericht.pages',
    'application/vnd.apple.pages',
    'written by hand in the order of Pages',
    zipped([
      stored('Index/Document.iwa', '\0\x10'),
      stored('Metadata/Properties.plist', 'bplist00'),
      stored('preview.jpg', ''),
    ]),
  ),
  document(
    'Zahlen.numbers',
    '',
    'written by hand in the order of Numbers',
    zipped([stored('Index/Document.iwa', '\0\x10'), stored('Metadata/Properties.plist', 'bplist00')]),
  ),
  document(
    'Handbuch.epub',
    'application/epub+zip',
    'written by hand after Calibre',
    zipped([stored('mimetype', 'application/epub+zip'), entry('META-INF/container.xml')]),
  ),
  document('Handbuch.pdf', 'application/pdf', 'Ghostscript', checkedIn('plain.pdf')),
  document(
    'Rechnung.pdf',
    'application/pdf',
    'ERP system that writes a mail header first',
    changed(checkedIn('plain.pdf'), (bytes) =>
      Buffer.concat([Buffer.from('\r\nContent-Type: application/pdf\r\n\r\n'), bytes]),
    ),
  ),
  document('Hausschrift.ttf', 'font/ttf', 'written by hand: the tables of FontForge', written(fontFile)),
  document(
    'Hausschrift.woff2',
    'font/woff2',
    'written by hand: the header of woff2_compress',
    written(webFont),
  ),
  document(
    'Einstellungen.json',
    'application/json',
    'Visual Studio, byte-order mark',
    written(() => '\uFEFF{"name": "Prüfstand"}\r\n'),
  ),
  document(
    'Notizen.txt',
    'text/plain',
    'Windows editor, UTF-16',
    written(() => Buffer.from('\uFEFFPrüfstand\r\n', 'utf16le')),
  ),
  document(
    'LIESMICH',
    '',
    'Git, no extension',
    written(() => '# Prüfstand\n'),
  ),
  document(
    'Termin.ics',
    'text/calendar',
    'Outlook',
    written(() => 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n'),
  ),
]

export const documents: readonly CorpusFile[] = [...archives, ...files]
