import { crc32 } from 'node:zlib'

/** A RAR 5 archive with one stored file (RAR 5.0 archive format, rarlab.com/technote.htm). */
export function archive5(): Buffer {
  const content = Buffer.from('Messe\n')
  const sum = Buffer.alloc(4)
  sum.writeUInt32LE(crc32(content))
  const name = Buffer.from('Notiz.txt')
  const file = Buffer.concat([
    // Type 2 with a data area, whose length follows; then flags (with a CRC), length, attributes.
    Buffer.from([2, 2, content.length, 4, content.length, 0]),
    sum,
    Buffer.from([0, 0, name.length]),
    name,
  ])
  return Buffer.concat([
    Buffer.from('Rar!\x1a\x07\x01\0', 'latin1'),
    block(Buffer.from([1, 0, 0])),
    block(file),
    content,
    block(Buffer.from([5, 0, 0])),
  ])
}

function block(header: Buffer): Buffer {
  const sized = Buffer.concat([Buffer.from([header.length]), header])
  const sum = Buffer.alloc(4)
  sum.writeUInt32LE(crc32(sized))
  return Buffer.concat([sum, sized])
}

/** The directory of a TrueType font with one empty table. */
export const fontFile = (): Buffer =>
  Buffer.concat([
    Buffer.from([0, 1, 0, 0, 0, 1, 0, 16, 0, 0, 0, 0]),
    Buffer.from('head'),
    Buffer.from([0, 0, 0, 0, 0, 0, 0, 28, 0, 0, 0, 54]),
    Buffer.alloc(56),
  ])

/** The header of a WOFF 2.0 with a TrueType font. */
export const webFont = (): Buffer =>
  Buffer.concat([Buffer.from('wOF2\0\x01\0\0', 'latin1'), Buffer.from([0, 0, 0, 80]), Buffer.alloc(68)])
