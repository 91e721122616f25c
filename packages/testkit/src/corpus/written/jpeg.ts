/** A segment of a JPEG: its marker and content. */
export function segment(marker: number, content: Uint8Array): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(content.length + 2, 2)
  return Buffer.concat([head, content])
}

/** Inserts segments behind the start of a JPEG, where cameras write them. */
export const withSegments = (jpeg: Buffer, segments: readonly Buffer[]): Buffer =>
  Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)])

/** Removes the JFIF segment, which cameras do not write. */
export const withoutJfif = (jpeg: Buffer): Buffer => {
  if (jpeg.readUInt16BE(2) !== 0xffe0) return jpeg
  return Buffer.concat([jpeg.subarray(0, 2), jpeg.subarray(4 + jpeg.readUInt16BE(4))])
}

/** An EXIF block with maker and orientation, without the `Exif` mark of JPEG. */
export function exif(orientation: number, maker = 'Pult testkit'): Buffer {
  const text = Buffer.from(`${maker}\0`, 'latin1')
  const bytes = Buffer.alloc(38)
  bytes.write('II*\0', 'latin1')
  bytes.writeUInt32LE(8, 4)
  bytes.writeUInt16LE(2, 8)
  // Make: ASCII behind the directory.
  bytes.writeUInt16LE(0x010f, 10)
  bytes.writeUInt16LE(2, 12)
  bytes.writeUInt32LE(text.length, 14)
  bytes.writeUInt32LE(38, 18)
  // Orientation: one short.
  bytes.writeUInt16LE(0x0112, 22)
  bytes.writeUInt16LE(3, 24)
  bytes.writeUInt32LE(1, 26)
  bytes.writeUInt16LE(orientation, 30)
  return Buffer.concat([bytes, text])
}

export const exifSegment = (block: Buffer): Buffer =>
  segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), block]))

export const xmpSegment = (attributes: string): Buffer =>
  segment(
    0xe1,
    Buffer.from(
      `http://ns.adobe.com/xap/1.0/\0<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" ${attributes}/></rdf:RDF></x:xmpmeta>`,
      'latin1',
    ),
  )

export const profileSegment = (profile: Buffer): Buffer =>
  segment(0xe2, Buffer.concat([Buffer.from('ICC_PROFILE\0\x01\x01', 'latin1'), profile]))

/** 500 KB of segments, as Photoshop and panorama apps write them. */
export const largeSegments = (): Buffer[] =>
  Array.from({ length: 8 }, (_, index) =>
    segment(
      0xe1,
      Buffer.concat([
        Buffer.from('http://ns.adobe.com/xmp/extension/\0', 'latin1'),
        Buffer.alloc(62_000, 65 + index),
      ]),
    ),
  )

/** The index of a multi-picture file (CIPA DC-007), which cameras for two lenses write. */
export function multiPicture(first: Buffer, second: Buffer): Buffer {
  const index = Buffer.alloc(86)
  index.write('MPF\0II*\0', 'latin1')
  const at = 4
  index.writeUInt32LE(8, at + 4)
  index.writeUInt16LE(3, at + 8)
  const field = (place: number, tag: number, type: number, count: number, value: number) => {
    index.writeUInt16LE(tag, at + place)
    index.writeUInt16LE(type, at + place + 2)
    index.writeUInt32LE(count, at + place + 4)
    index.writeUInt32LE(value, at + place + 8)
  }
  field(10, 0xb000, 7, 4, 0x30303130)
  field(22, 0xb001, 4, 1, 2)
  field(34, 0xb002, 7, 32, 50)
  const whole = first.length + 4 + index.length
  // Two entries of 16 bytes: attributes, size, offset.
  index.writeUInt32LE(0x20030000, at + 50)
  index.writeUInt32LE(whole, at + 54)
  index.writeUInt32LE(0x00020002, at + 66)
  index.writeUInt32LE(second.length, at + 70)
  index.writeUInt32LE(whole - 6 - at, at + 74)
  return Buffer.concat([withSegments(first, [segment(0xe2, index)]), second])
}
