/** A length with 7 bits in each byte (ID3v2.4, 6.2). */
const sevenBits = (length: number) =>
  Buffer.from([(length >> 21) & 127, (length >> 14) & 127, (length >> 7) & 127, length & 127])

/** A frame of a tag. Version 2 has names of three letters and lengths of three bytes. */
export function frame(name: string, content: Buffer, version: 2 | 3 | 4): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(content.length)
  if (version === 2) return Buffer.concat([Buffer.from(name), length.subarray(1), content])
  return Buffer.concat([
    Buffer.from(name),
    version === 4 ? sevenBits(content.length) : length,
    Buffer.alloc(2),
    content,
  ])
}

/** Writes an ID3v2 tag before a sound. */
export const tagged = (sound: Buffer, version: 2 | 3 | 4, frames: Buffer): Buffer =>
  Buffer.concat([Buffer.from('ID3'), Buffer.from([version, 0, 0]), sevenBits(frames.length), frames, sound])
