import { uint32 } from './png.ts'

const fixed = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(Math.round(value * 65_536))
  return bytes
}

const xyz = (...values: number[]) =>
  Buffer.concat([Buffer.from('XYZ \0\0\0\0', 'latin1'), ...values.map(fixed)])

/** A display profile of ICC.1:2001 with the primaries of Display P3 and a gamma of 2.2. */
export function displayP3(): Buffer {
  const text = 'Display P3'
  const described = Buffer.concat([
    Buffer.from('desc\0\0\0\0', 'latin1'),
    uint32(text.length + 1),
    Buffer.from(`${text}\0`, 'latin1'),
    Buffer.alloc(78),
  ])
  const curve = Buffer.concat([Buffer.from('curv\0\0\0\0', 'latin1'), uint32(1), Buffer.from([2, 51, 0, 0])])
  const tags: [string, Buffer][] = [
    ['desc', described],
    ['cprt', Buffer.from('text\0\0\0\0No rights reserved\0\0', 'latin1')],
    ['wtpt', xyz(0.9642, 1, 0.8249)],
    ['rXYZ', xyz(0.5151, 0.2412, -0.0011)],
    ['gXYZ', xyz(0.292, 0.6922, 0.0419)],
    ['bXYZ', xyz(0.1571, 0.0666, 0.7841)],
    ['rTRC', curve],
    ['gTRC', curve],
    ['bTRC', curve],
  ]
  let offset = 128 + 4 + tags.length * 12
  const directory = [uint32(tags.length)]
  const contents: Buffer[] = []
  for (const [name, content] of tags) {
    const padded = Buffer.concat([content, Buffer.alloc((4 - (content.length % 4)) % 4)])
    directory.push(Buffer.from(name, 'latin1'), uint32(offset), uint32(content.length))
    contents.push(padded)
    offset += padded.length
  }
  const header = Buffer.alloc(128)
  header.writeUInt32BE(offset, 0)
  header.writeUInt32BE(0x02100000, 8)
  header.write('mntrRGB XYZ ', 12, 'latin1')
  header.write('acsp', 36, 'latin1')
  xyz(0.9642, 1, 0.8249).copy(header, 68, 8)
  return Buffer.concat([header, ...directory, ...contents])
}
