import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import type { ContentMismatch } from '@pult/contract'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { AppError } from '#platform/app-error.ts'
import { checkContent, checkFile, checkHead, headBytes, measure } from './content-check.ts'
import { bytesOfStream, type FileBytes } from './file-bytes.ts'

const colour = sharp({ create: { width: 9, height: 9, channels: 3, background: 'teal' } })
const png = await colour.clone().png().toBuffer()
const jpeg = await colour.clone().jpeg().toBuffer()
const webp = await colour.clone().webp().toBuffer()
const gif = await colour.clone().gif().toBuffer()
const avif = await colour.clone().avif({ effort: 0 }).toBuffer()
const noise = Buffer.from(Array.from({ length: 300 * 300 * 3 }, (_, index) => (index * 7919) % 251))
/** The directory of this TIFF follows its pixels, 270 KB from the start. */
const tiff = await sharp(noise, { raw: { width: 300, height: 300, channels: 3 } })
  .tiff({ compression: 'none' })
  .toBuffer()

const ascii = (text: string) => Buffer.from(text, 'latin1')
const number = (value: number) => Buffer.from([value >>> 24, value >>> 16, value >>> 8, value])
/** A tag of ID3v2 with this many bytes of text. */
const id3 = (length: number, text = 'x') =>
  Buffer.concat([
    ascii('ID3\x03\0\0'),
    Buffer.from([21, 14, 7, 0].map((shift) => (length >>> shift) & 127)),
    Buffer.alloc(length, text),
  ])
const flac = Buffer.concat([ascii('fLaC\0\0\0\x22'), Buffer.alloc(500, 1)])
const ogg = Buffer.concat([ascii('OggS'), Buffer.alloc(24), ascii('OpusHead'), Buffer.alloc(100, 1)])
/** Frames of MPEG 1 layer III with 128 kbit/s at 44.1 kHz: 417 bytes each. */
const frames = (count: number) =>
  Buffer.concat(
    Array.from({ length: count }, () =>
      Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0]), Buffer.alloc(413)]),
    ),
  )
const box = (type: string, ...content: Buffer[]) => {
  const all = Buffer.concat(content)
  return Buffer.concat([number(all.length + 8), ascii(type), all])
}
const mp4 = (brand: string, ...boxes: Buffer[]) =>
  Buffer.concat([box('ftyp', ascii(brand), number(0), ascii('isom')), ...boxes])
const webm = Buffer.concat([
  Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 0x87, 0x42, 0x82, 0x84]),
  ascii('webm'),
  Buffer.alloc(50, 1),
])
const riff = (type: string, ...chunks: Buffer[]) =>
  Buffer.concat([ascii(`${type}\xff\xff\xff\xffWAVE`), ...chunks])
const chunk = (type: string, length: number) => {
  const head = Buffer.from(`${type}....`)
  head.writeUInt32LE(length, 4)
  return Buffer.concat([head, Buffer.alloc(length)])
}
const packets = Buffer.concat(
  Array.from({ length: 9 }, () => Buffer.concat([Buffer.from([0x47]), Buffer.alloc(187, 3)])),
)
/** A JPEG with segments of 64 KB before its picture. */
const withSegments = (marker: number, count: number, text = 'a') =>
  Buffer.concat([
    jpeg.subarray(0, 2),
    ...Array.from({ length: count }, () =>
      Buffer.concat([Buffer.from([0xff, marker, 0xff, 0xff]), Buffer.alloc(65_533, text)]),
    ),
    jpeg.subarray(2),
  ])
/** The header of a bitmap of Windows with 24 bits a pixel, and a few pixels. */
const bitmap = (width: number, height: number) => {
  const bytes = Buffer.alloc(200)
  bytes.write('BM')
  bytes.writeUInt32LE(40, 14)
  bytes.writeInt32LE(width, 18)
  bytes.writeInt32LE(height, 22)
  bytes.writeUInt16LE(1, 26)
  bytes.writeUInt16LE(24, 28)
  return bytes
}
/** An icon that contains one PNG. */
const icon = Buffer.concat([
  Buffer.from([0, 0, 1, 0, 1, 0, 9, 9, 0, 0, 1, 0, 32, 0]),
  Buffer.alloc(4),
  Buffer.from([22, 0, 0, 0]),
  png,
])
const archive = Buffer.concat([ascii('PK\x03\x04'), Buffer.alloc(26), Buffer.alloc(100_000, 7)])

/** Counts the reads, as calls of a store. */
function bytesOf(all: Buffer): FileBytes & { reads: () => number } {
  let reads = 0
  return {
    size: all.length,
    reads: () => reads,
    async read(start, length) {
      reads += 1
      return all.subarray(start, start + length)
    },
  }
}

/** Checks a file as an upload does: first its head, then all of it. */
async function check(content: Buffer, contentType: string, name = 'file'): Promise<unknown> {
  try {
    await checkHead(content.subarray(0, headBytes), { name, contentType })
    const kind = await checkContent(bytesOf(content), { name, contentType })
    return kind.name === 'file' ? kind.contentType : kind
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'CONTENT_MISMATCH') throw error
    const { reason } = error.data as ContentMismatch
    return name === 'file' ? reason : [reason, error.message]
  }
}

test.each([
  ['a TIFF whose directory is at its end', 'image/tiff', tiff],
  ['a FLAC behind a tag of 60 KB', 'audio/flac', Buffer.concat([id3(60_000), flac])],
  ['a FLAC behind a tag with a cover of 2 MB', 'audio/flac', Buffer.concat([id3(2_000_000), flac])],
  // Players read tags before every format, and this type may also be a video.
  ['an Ogg behind a tag of 60 KB', 'application/ogg', Buffer.concat([id3(60_000), ogg])],
  ['an MP3 behind a tag with a cover of 2 MB', 'audio/mpeg', Buffer.concat([id3(2_000_000), frames(4)])],
  ['an MP3 behind two tags', 'audio/mpeg', Buffer.concat([id3(300), id3(40_000), frames(4)])],
  ['an MP3 behind a padded tag', 'audio/mpeg', Buffer.concat([id3(300), Buffer.alloc(20_000), frames(4)])],
  ['an MP3 that begins within a frame', 'audio/mpeg', frames(6).subarray(101)],
  [
    'an MP3 with a page in its lyrics',
    'audio/mpeg',
    Buffer.concat([id3(90_000, `${'la '.repeat(999)}<html> `), frames(4)]),
  ],
  [
    'an MP3 with a page in its comment',
    'audio/mpeg',
    Buffer.concat([id3(300, '<html><title>Live</title><br>'), frames(4)]),
  ],
  ['a sound in MP4 after a large free box', 'audio/mp4', mp4('M4A ', box('free', Buffer.alloc(90_000)))],
  [
    'a film whose index is at its end',
    'video/mp4',
    mp4('isom', box('mdat', Buffer.alloc(90_000)), box('moov')),
  ],
  [
    'a QuickTime film without a file type',
    'video/quicktime',
    Buffer.concat([box('wide'), box('mdat', Buffer.alloc(99))]),
  ],
  [
    'a QuickTime film behind a uuid box',
    'video/quicktime',
    Buffer.concat([box('uuid', Buffer.alloc(90_000)), box('moov')]),
  ],
  [
    'a WAV with JUNK, bext and LIST first',
    'audio/wav',
    riff('RIFF', chunk('JUNK', 30_000), chunk('bext', 700), chunk('LIST', 30_000)),
  ],
  ['a WAV of more than 4 GiB', 'audio/wav', riff('RF64', chunk('ds64', 28))],
  ['a transport stream', 'video/mp2t', packets],
  ['a transport stream that begins within a packet', 'video/mp2t', packets.subarray(77)],
  ['a JPEG with 500 KB of profiles', 'image/jpeg', withSegments(0xe2, 8)],
  [
    'a JPEG with a page far behind its start',
    'image/jpeg',
    withSegments(0xe1, 1, `${'x'.repeat(3000)}<html>`),
  ],
  ['a GIF with markup behind its header', 'image/gif', ascii('GIF89a\x01<svg onload=x>')],
  [
    'an AVIF with the brand of HEIF',
    'image/avif',
    Buffer.from(avif.toString('latin1').replace('ftypavif', 'ftypmif1'), 'latin1'),
  ],
  [
    'a PDF behind the header of a printer',
    'application/pdf',
    ascii(`\x1b%-12345X@PJL\r\n${' '.repeat(200)}%PDF-1.4\n\x01`),
  ],
  ['an Illustrator file, which is a PDF', 'application/postscript', ascii('%PDF-1.5\n\x01')],
  ['a document in OpenDocument format', 'application/vnd.oasis.opendocument.text', archive],
  ['an image of a disk', 'application/x-apple-diskimage', Buffer.alloc(30_000, 1)],
  ['a table that begins like a bitmap', 'text/csv', ascii('BMW;320i\r\nAudi;A4\r\n')],
  ['a text that begins like a sound', 'text/plain', ascii('FORMAT: A4')],
  ['a text that begins like a program', 'text/plain', ascii('MZ is a name')],
  ['data that begins like a bitmap', 'application/x-cars', ascii('BMW;320i')],
  ['a bitmap of Windows', 'image/bmp', bitmap(9, 9)],
  ['an icon', 'image/x-icon', icon],
])('RULE-68 %s is accepted as its type', async (_what, contentType, content) => {
  expect(await check(content, contentType)).toBe(contentType)
})

test.each([
  ['a JPEG', jpeg, 'image/png', 'photo.png', 'image/jpeg', 'photo.jpg'],
  ['a WebP', webp, 'image/jpeg', 'photo.JPG', 'image/webp', 'photo.webp'],
  ['a GIF', gif, 'image/svg+xml', 'logo.svg', 'image/gif', 'logo.gif'],
  ['a TIFF', tiff, 'image/jpeg', 'scan 2026.11.26', 'image/tiff', 'scan 2026.11.26.tif'],
  ['a JPEG by another name of its type', jpeg, 'image/jpg', 'photo.jpeg', 'image/jpeg', 'photo.jpeg'],
  ['an animated PNG', png, 'image/apng', 'photo.apng', 'image/png', 'photo.apng'],
  ['a bitmap by another name of its type', bitmap(9, 9), 'image/x-ms-bmp', 'a.bmp', 'image/bmp', 'a.bmp'],
  ['a bitmap with a rare extension', bitmap(9, 9), 'image/x-ms-bmp', 'a.dib', 'image/bmp', 'a.dib'],
  [
    'an icon by the registered name of its type',
    icon,
    'image/vnd.microsoft.icon',
    'a.ico',
    'image/x-icon',
    'a.ico',
  ],
  ['a bitmap', bitmap(9, 9), 'image/png', 'a.png', 'image/bmp', 'a.bmp'],
  ['a sound in MP4', mp4('M4A '), 'audio/mpeg', 'song.mp3', 'audio/mp4', 'song.m4a'],
  ['a sound in MP4 without its brand', mp4('isom'), 'audio/mpeg', 'song.mp3', 'audio/mp4', 'song.mp4'],
  ['a WebM', webm, 'video/mp4', 'film.mp4', 'video/webm', 'film.webm'],
  ['a FLAC behind a tag', Buffer.concat([id3(60_000), flac]), 'audio/mpeg', 'a.mp3', 'audio/flac', 'a.flac'],
  ['a transport stream', packets, 'video/mp4', 'film.mp4', 'video/mp2t', 'film.ts'],
])(
  'RULE-68 %s under another name is stored as what it is, and its extension follows',
  async (_what, content, contentType, name, stored, renamed) => {
    expect(await check(content, contentType, name)).toEqual({ contentType: stored, name: renamed })
  },
)

const heic = mp4('heic', Buffer.alloc(40))
const plainBytes = 'application/octet-stream'

test.each([
  ['an AVIF', avif, 'Windows.avif', 'image/avif', 'Windows.avif'],
  ['a JPEG without an extension', jpeg, 'attachment', 'image/jpeg', 'attachment.jpg'],
  ['a JPEG with an odd extension', jpeg, 'photo.jfif', 'image/jpeg', 'photo.jfif'],
  ['a bitmap', bitmap(9, -9), 'drawing.BMP', 'image/bmp', 'drawing.BMP'],
  ['an icon', icon, 'favicon.ico', 'image/x-icon', 'favicon.ico'],
  ['a sound in MP4', mp4('isom'), 'song.m4a', 'audio/mp4', 'song.m4a'],
  ['a film', mp4('isom'), 'film', 'video/mp4', 'film.mp4'],
  ['a sound in WebM', webm, 'memo.weba', 'audio/webm', 'memo.weba'],
  ['a FLAC behind a tag', Buffer.concat([id3(60_000), flac]), 'song.flac', 'audio/flac', 'song.flac'],
  ['an MP3', frames(4), 'memo', 'audio/mpeg', 'memo.mp3'],
  ['a GIF with markup behind its header', ascii('GIF89a\x01<svg onload=x>'), 'a.gif', 'image/gif', 'a.gif'],
])(
  'RULE-68 %s that is announced as plain bytes is stored as what it is',
  async (_what, content, name, contentType, stored) => {
    expect(await check(content, plainBytes, name)).toEqual({ contentType, name: stored })
  },
)

test.each([
  ['a JPEG with another extension', jpeg, 'backup.bin'],
  ['the first part of a split film', mp4('isom'), 'film.001'],
  ['a HEIC', heic, 'photo.heic'],
  ['a drawing', ascii('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'logo.svg'],
  ['a page', ascii('<!doctype html><svg onload=x>'), 'a.gif'],
  ['an archive', archive, 'archive'],
  [
    'data that begins like a frame of a sound',
    Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0]), noise]),
    'data',
  ],
  [
    'data that begins like a transport stream',
    Buffer.concat([ascii('G'), Buffer.alloc(187), ascii('G'), Buffer.alloc(900)]),
    'data',
  ],
  [
    'a program that begins like a transport stream',
    ascii(`${'Given '.repeat(32).slice(0, 188)}Given`),
    'given.ts',
  ],
  ['a table that begins like a bitmap', ascii('BMW;320i'), 'cars.bmp'],
  ['text', ascii('text'), 'a.mp4'],
  ['nothing', Buffer.alloc(0), 'a.png'],
])('RULE-68 %s that is announced as plain bytes remains plain bytes', async (_what, content, name) => {
  expect(await check(content, plainBytes, name)).toEqual({ contentType: plainBytes, name })
})

test('RULE-68 plain bytes that look like a picture are never refused, and stay bytes if it is broken or too large', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pult-plain-'))
  const path = join(folder, 'file')
  const stored = async (content: Buffer, name: string, contentType = plainBytes) => {
    await writeFile(path, content)
    return checkFile({ ...bytesOf(content), withPath: (read) => read(path) }, { name, contentType })
  }
  const size = { width: null, height: null }
  try {
    expect(await stored(png, 'a')).toEqual({ name: 'a.png', contentType: 'image/png', width: 9, height: 9 })
    for (const [content, name] of [
      [jpeg.subarray(0, 100), 'photo'],
      [bitmap(0, 9), 'photo.bmp'],
      [bitmap(60_000, 60_000), 'photo.bmp'],
      [bitmap(9, 9).subarray(0, 30), 'photo'],
    ] as const)
      expect(await stored(content, name)).toEqual({ name, contentType: plainBytes, ...size })
    await expect(stored(bitmap(0, 9), 'photo.bmp', 'image/bmp')).rejects.toMatchObject({
      data: { reason: 'broken' },
    })
    await expect(stored(bitmap(60_000, 60_000), 'photo.bmp', 'image/bmp')).rejects.toMatchObject({
      code: 'IMAGE_TOO_LARGE',
    })
    // A store that fails does not decide about the type.
    const failing = { ...bytesOf(png), withPath: async () => Promise.reject(new AppError('BUSY')) }
    await expect(checkFile(failing, { name: 'a.png', contentType: plainBytes })).rejects.toMatchObject({
      code: 'BUSY',
    })
  } finally {
    await rm(folder, { recursive: true })
  }
})

test.each([
  [
    'HEIC',
    heic,
    'image/jpeg',
    'IMG_1.jpg',
    'other',
    'This is a HEIC picture named .jpg. Save it as JPEG or PNG, and upload it again',
  ],
  [
    'a PNG',
    png,
    'application/pdf',
    'plan.pdf',
    'other',
    'This is a PNG picture named .pdf. Rename it to .png, and upload it again',
  ],
  [
    'a PDF',
    ascii('%PDF-1.4\n\x01'),
    'image/png',
    'plan.png',
    'other',
    'This is a PDF file named .png. Rename it to .pdf, and upload it again',
  ],
  [
    'an MP4',
    mp4('isom'),
    'image/gif',
    'cat.gif',
    'other',
    'This is an MP4 video named .gif. Rename it to .mp4, and upload it again',
  ],
  ['a MIDI', ascii('MThd\0\0\0\x06'), 'image/png', 'x', 'other', 'This is a MID sound, not image/png'],
  [
    'a compressed drawing',
    gzipSync('<svg/>'),
    'image/svg+xml',
    'a.svgz',
    'compressed',
    'This is a compressed drawing. Decompress it, and upload the SVG file',
  ],
  ['a text', ascii('text'), 'video/mp4', 'a.mp4', 'unknown', 'The file’s content does not match its type'],
  [
    'a page',
    ascii('\xef\xbb\xbf\n <!-- GIF89a --><svg onload=x>'),
    'image/gif',
    'a.gif',
    'page',
    'The file is a web page, so it is not stored under its type',
  ],
])(
  'RULE-68 %s under a type that excludes it is refused with the reason',
  async (_what, content, contentType, name, ...answer) => {
    expect(await check(content, contentType, name)).toEqual(answer)
  },
)

test.each([
  'image/png',
  'image/svg+xml',
  'video/mp4',
  'audio/mpeg',
  'application/pdf',
  'application/zip',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
])('RULE-68 an empty file is refused as %s because it is empty', async (contentType) => {
  expect(await check(Buffer.alloc(0), contentType, 'a.png')).toEqual(['empty', 'The file is empty'])
})

test('RULE-68 an empty text or an empty file of another kind is accepted', async () => {
  for (const contentType of [
    'text/plain',
    'text/csv',
    'application/json',
    'application/octet-stream',
    'application/x-cars',
  ])
    expect(await check(Buffer.alloc(0), contentType)).toBe(contentType)
})

const licence = `<!-- ${'Licence. '.repeat(3000)} -->`
const entities = `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd" [
  <!ENTITY ns_svg "http://www.w3.org/2000/svg">
  <!-- a comment with > and ] -->
  <!ENTITY page "<html>]>">
]>`
const laughs = `<!DOCTYPE svg [<!ENTITY a "ha">${Array.from({ length: 60 }, (_, index) => `<!ENTITY a${index} "${'&a;'.repeat(50)}">`).join('')}]>`
const inUtf16 = (text: string, isBigEndian = false) => {
  const bytes = Buffer.from(text, 'utf16le')
  return isBigEndian ? bytes.swap16() : bytes
}

test.each([
  [
    'Illustrator',
    `<?xml version="1.0" encoding="utf-8"?>\r\n<!-- Generator: Adobe Illustrator -->${entities}<svg xmlns="&ns_svg;">`,
  ],
  ['Illustrator with a licence of 27 KB', `${licence}${entities}<svg xmlns="&ns_svg;">`],
  [
    'Inkscape',
    '<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n<!-- Created with Inkscape -->\n\n<svg\n  xmlns="x">',
  ],
  [
    'CorelDRAW',
    '<?xml version="1.0"?>\n<!DOCTYPE svg PUBLIC "x" "y">\n<?xml-stylesheet href="a.css" type="text/css"?>\n<svg>',
  ],
  [
    'a namespace prefix',
    '<?xml version="1.0"?><!DOCTYPE svg:svg SYSTEM "a"><svg:svg xmlns:svg="http://www.w3.org/2000/svg"/>',
  ],
  ['a byte order mark and blanks', '\uFEFF \n<?xml version="1.0"?><svg/>'],
  ['UTF-16LE with its mark', inUtf16('\uFEFF<?xml version="1.0" encoding="UTF-16"?><svg/>')],
  ['UTF-16BE with its mark', inUtf16('\uFEFF<?xml version="1.0" encoding="UTF-16"?><svg/>', true)],
  ['UTF-16LE without a mark', inUtf16('<?xml version="1.0" encoding="UTF-16"?><svg/>')],
  ['Latin-1', ascii('<?xml version="1.0" encoding="ISO-8859-1"?><!-- Größe --><svg/>')],
  [
    'Shift JIS',
    Buffer.concat([
      ascii('<?xml version="1.0" encoding="Shift_JIS"?><!-- '),
      Buffer.from([0x90, 0x7d]),
      ascii(' --><svg/>'),
    ]),
  ],
  ['an unknown encoding', '<?xml version="1.0" encoding="x-none"?><svg/>'],
  ['a billion laughs in its document type', `${laughs}<svg>&a59;</svg>`],
])('RULE-68 a drawing with %s is accepted', async (_what, text) => {
  expect(await check(typeof text === 'string' ? Buffer.from(text) : text, 'image/svg+xml')).toBe(
    'image/svg+xml',
  )
})

test.each([
  ['a page', '<html xmlns="http://www.w3.org/1999/xhtml"><svg/></html>'],
  ['a page by its document type', '<!DOCTYPE html><svg/>'],
  ['a text before the root', 'svg <svg/>'],
  ['the root in an entity only', '<!DOCTYPE svg [<!ENTITY x "<svg/>">]>&x;'],
  ['the root in a comment only', '<!-- <svg/> -->'],
  ['another root', '<svgx/>'],
  ['no end of the document type', `<!DOCTYPE svg [${'<!ENTITY a "b">'.repeat(9000)}`],
])('RULE-68 a drawing with %s is refused', async (_what, text) => {
  expect(await check(Buffer.from(text), 'image/svg+xml')).toBe('unknown')
})

test('RULE-68 the early check decides nothing that the whole file could decide otherwise', async () => {
  const kind = (contentType: string) => ({ name: 'a.bin', contentType })
  for (const [content, contentType] of [
    [tiff, 'image/tiff'],
    [Buffer.concat([id3(60_000), flac]), 'audio/flac'],
    [id3(60_000), 'video/mp4'],
    [Buffer.alloc(20_000), 'image/png'],
    [Buffer.from(licence), 'image/svg+xml'],
  ] as const)
    await checkHead(content.subarray(0, headBytes), kind(contentType))
  for (const [content, contentType] of [
    [archive, 'video/mp4'],
    [ascii('%PDF-1.4\n\x01'), 'image/png'],
    [png, 'application/zip'],
    [ascii('<!doctype html>'), 'video/mp4'],
    [Buffer.alloc(99), 'text/plain'],
  ] as const)
    for (const refuse of [
      () => checkHead(content, kind(contentType)),
      // A file that arrives in parts in a store has no early check.
      () => checkContent(bytesOf(content), kind(contentType)),
    ])
      await expect(refuse()).rejects.toMatchObject({ code: 'CONTENT_MISMATCH' })
})

test('RULE-68 a PDF without its mark is of an unknown format', async () => {
  expect(await check(Buffer.alloc(5000, 1), 'application/pdf')).toBe('unknown')
})

test('RULE-68 a picture with markup that is announced as a drawing is stored as what it is', async () => {
  const content = ascii('GIF89a\x01<svg onload=x>')
  expect(await check(content, 'image/svg+xml', 'a.svg')).toEqual({ contentType: 'image/gif', name: 'a.gif' })
})

test('RULE-68 a check reads few blocks of a large file, and no more of a hostile one than a limit', async () => {
  const large = Object.assign(bytesOf(Buffer.concat([id3(2_000_000), flac])), {})
  await checkContent(large, { name: 'a', contentType: 'audio/flac' })
  expect(large.reads()).toBeLessThanOrEqual(4)

  // Each chunk of this PNG is in a separate block.
  const ancillary = Buffer.concat([number(70_000), ascii('teXt'), Buffer.alloc(70_004, 1)])
  const many = bytesOf(Buffer.concat([png.subarray(0, 33), ...Array.from({ length: 700 }, () => ancillary)]))
  await checkContent(many, { name: 'a', contentType: 'image/png' }).catch(() => {})
  expect(many.reads()).toBeLessThanOrEqual(1100)
})

test('RULE-68 a file that names more parts than a check reads is of an unknown format', async () => {
  const ancillary = (length: number) =>
    Buffer.concat([number(length), ascii('teXt'), Buffer.alloc(length + 4, 1)])
  // The header of each chunk is in two blocks.
  const chunks = [ancillary(65_487), ...Array.from({ length: 300 }, () => ancillary(131_060))]
  const content = Buffer.concat([png.subarray(0, 33), ...chunks])
  expect(await check(content, 'image/png')).toBe('unknown')
  expect(await check(content, plainBytes)).toBe(plainBytes)
})

test('RULE-68 a store that fails during a check is no reason to refuse the file', async () => {
  const failing: FileBytes = {
    size: 5_000_000,
    read: async (start, length) => {
      if (start > 0) throw new AppError('BUSY')
      return Buffer.concat([id3(2_000_000), flac]).subarray(0, length)
    },
  }
  for (const contentType of ['audio/flac', 'video/mp4', plainBytes])
    await expect(checkContent(failing, { name: 'a', contentType })).rejects.toMatchObject({ code: 'BUSY' })
})

test('RULE-68 an animated AVIF is measured from its header, and a broken one is refused', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pult-avif-'))
  const path = join(folder, 'moving.avif')
  const kind = { name: 'moving.avif', contentType: 'image/avif' }
  const extent = (width: number, height: number) => box('ispe', number(0), number(width), number(height))
  const sequence = (...extents: Buffer[]) =>
    Buffer.concat([box('ftyp', ascii('avis'), number(0), ascii('avifavis')), box('meta', ...extents)])
  try {
    await writeFile(path, sequence(extent(160, 120), extent(320, 240)))
    expect(await measure(path, kind)).toEqual({ width: 320, height: 240 })
    await writeFile(path, sequence(extent(60_000, 60_000)))
    await expect(measure(path, kind)).rejects.toMatchObject({ code: 'IMAGE_TOO_LARGE' })
    await writeFile(path, sequence())
    await expect(measure(path, kind)).rejects.toMatchObject({ data: { reason: 'broken' } })
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('RULE-66 an entry of an archive is read like a file, and opened again for a read further back', async () => {
  let opened = 0
  const all = Buffer.from(Array.from({ length: 1000 }, (_, index) => index % 256))
  const content = bytesOfStream(all.length, async () => {
    opened += 1
    return Readable.from([all.subarray(0, 10), all.subarray(10, 700), all.subarray(700)])
  })
  expect(await content.read(5, 20)).toEqual(all.subarray(5, 25))
  expect(await content.read(690, 400)).toEqual(all.subarray(690))
  expect(await content.read(2000, 5)).toHaveLength(0)
  expect(opened).toBe(1)
  expect(await content.read(0, 3)).toEqual(all.subarray(0, 3))
  expect(opened).toBe(2)
  content.close()
})
