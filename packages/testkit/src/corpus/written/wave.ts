const uint32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

const part = (name: string, content: Buffer) =>
  Buffer.concat([
    Buffer.from(name, 'latin1'),
    uint32(content.length),
    content,
    Buffer.alloc(content.length % 2),
  ])

const rate = 44_100

/** A tone of 440 Hz in stereo. */
function samples(seconds: number, bits: 16 | 24 | 32): Buffer {
  const bytes = bits / 8
  const data = Buffer.alloc(Math.round(seconds * rate) * 2 * bytes)
  for (let at = 0; at < data.length; at += bytes) {
    const frame = Math.floor(at / bytes / 2)
    const value = Math.sin((frame / rate) * 440 * 2 * Math.PI) * 0.4
    if (bits === 32) data.writeFloatLE(value, at)
    else data.writeIntLE(Math.round(value * 2 ** (bits - 1)), at, bytes)
  }
  return data
}

interface WaveOptions {
  bits?: 16 | 24 | 32
  seconds?: number
  /** Parts that a program writes before the format: `JUNK`, `bext`, `iXML`. */
  before?: readonly [string, Buffer][]
  /** Parts behind the samples, such as `LIST`. */
  after?: readonly [string, Buffer][]
  /** RF64 (EBU Tech 3306), which recorders use for files above 4 GiB. */
  isLarge?: boolean
}

/** Writes a WAV. A sample of 32 bits is a float. */
export function wave({ bits = 16, seconds = 1, before = [], after = [], isLarge = false }: WaveOptions = {}) {
  const format = Buffer.alloc(16)
  format.writeUInt16LE(bits === 32 ? 3 : 1, 0)
  format.writeUInt16LE(2, 2)
  format.writeUInt32LE(rate, 4)
  format.writeUInt32LE((rate * 2 * bits) / 8, 8)
  format.writeUInt16LE((2 * bits) / 8, 12)
  format.writeUInt16LE(bits, 14)
  const data = samples(seconds, bits)
  const body = [
    ...before.map(([name, content]) => part(name, content)),
    part('fmt ', format),
    part('data', data),
  ]
  body.push(...after.map(([name, content]) => part(name, content)))
  const length = 4 + body.reduce((sum, { length: own }) => sum + own, 0)
  if (!isLarge) return Buffer.concat([Buffer.from('RIFF'), uint32(length), Buffer.from('WAVE'), ...body])
  const sizes = Buffer.alloc(28)
  sizes.writeBigUInt64LE(BigInt(length + 36), 0)
  sizes.writeBigUInt64LE(BigInt(data.length), 8)
  sizes.writeBigUInt64LE(BigInt(data.length / ((2 * bits) / 8)), 16)
  const dataAt = body.findIndex((each) => each.toString('latin1', 0, 4) === 'data')
  body[dataAt]?.writeUInt32LE(0xffffffff, 4)
  return Buffer.concat([
    Buffer.from('RF64'),
    uint32(0xffffffff),
    Buffer.from('WAVE'),
    part('ds64', sizes),
    ...body,
  ])
}

/** The broadcast extension (EBU Tech 3285) of Pro Tools, and the notes of recorders. */
export const broadcastParts: readonly [string, Buffer][] = [
  ['JUNK', Buffer.alloc(28)],
  ['bext', Buffer.concat([Buffer.from('Aufnahme #1'), Buffer.alloc(591)])],
  [
    'iXML',
    Buffer.from(
      '<?xml version="1.0" encoding="UTF-8"?><BWFXML><IXML_VERSION>1.5</IXML_VERSION><PROJECT>Messe</PROJECT></BWFXML>',
    ),
  ],
]

/** The names and tempo that Reaper writes behind the samples. */
export const listParts: readonly [string, Buffer][] = [
  [
    'LIST',
    Buffer.concat([
      Buffer.from('INFO'),
      part('ISFT', Buffer.from('REAPER\0\0')),
      part('INAM', Buffer.from('Take 1\0\0')),
    ]),
  ],
]
