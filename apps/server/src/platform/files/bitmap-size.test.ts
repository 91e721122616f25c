import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { pictureSize } from './picture-size.ts'

const folder = await mkdtemp(join(tmpdir(), 'pult-bitmaps-'))
afterAll(() => rm(folder, { recursive: true }))

async function sizeOf(content: Buffer, format: 'bmp' | 'ico'): Promise<string | undefined> {
  const path = join(folder, 'picture')
  await writeFile(path, content)
  const size = await pictureSize(path, format)
  return size && `${size.width} x ${size.height}`
}

/** Writes numbers of 16 or 32 bits, little endian. */
const words = (...values: number[]) =>
  Buffer.concat(values.map((value) => Buffer.from([value & 255, (value >>> 8) & 255])))
const longs = (...values: number[]) =>
  Buffer.concat(values.map((value) => words(value & 0xffff, value >>> 16)))

/** Writes a header with 24 bits a pixel, and a few pixels. */
const dib = (width: number, height: number, { length = 40, compression = 0 } = {}) =>
  Buffer.concat([
    length === 12
      ? Buffer.concat([longs(12), words(width, height, 1, 24)])
      : Buffer.concat([longs(length, width, height), words(1, 24), longs(compression)]),
    Buffer.alloc(100),
  ])
const bitmap = (content: Buffer) => Buffer.concat([Buffer.from('BM'), longs(0, 0, 54), content])

const png = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: 'teal' } })
    .png()
    .toBuffer()

/** Writes an icon with these pictures, one behind the other or at the given places. */
function icon(pictures: Buffer[], { count = pictures.length, offsets = [] as number[], type = 1 } = {}) {
  let at = 6 + pictures.length * 16
  const entries = pictures.map((picture, index) => {
    const entry = Buffer.concat([words(0x1010, 0, 1, 32), longs(picture.length, offsets[index] ?? at)])
    at += picture.length
    return entry
  })
  return Buffer.concat([words(0, type, count), ...entries, ...pictures])
}

test.each([
  ['Paint writes', dib(160, 120), '160 x 120'],
  ['OS/2 writes', dib(160, 120, { length: 12 }), '160 x 120'],
  ['OS/2 writes with the short header of version 2', dib(160, 120, { length: 16 }), '160 x 120'],
  ['GIMP writes, with version 5 of the header', dib(7, 5, { length: 124 }), '7 x 5'],
  ['goes from top to bottom', dib(160, -120), '160 x 120'],
  ['has fields of bits', dib(160, 120, { length: 56, compression: 3 }), '160 x 120'],
  ['claims 2^31 rows', dib(9, -(2 ** 31)), `9 x ${2 ** 31}`],
  ['claims no columns', dib(0, 9), undefined],
  ['claims no rows', dib(9, 0), undefined],
  ['claims a negative width', dib(-(2 ** 31), 9), undefined],
  ['has an unknown header', dib(9, 9, { length: 200 }), undefined],
  ['has a header without a length', dib(9, 9, { length: 0 }), undefined],
  ['contains a JPEG', dib(9, 9, { compression: 4 }), undefined],
  ['contains a PNG', dib(9, 9, { compression: 5 }), undefined],
  ['ends in its header', dib(9, 9).subarray(0, 20), undefined],
])('RULE-68 a bitmap that %s has the size of its header, or none', async (_what, content, size) => {
  expect(await sizeOf(bitmap(content), 'bmp')).toBe(size)
})

test('RULE-68 an icon has the size of its largest picture, and a bitmap in it includes a mask', async () => {
  expect(await sizeOf(icon([dib(16, 32), await png(48, 40), dib(32, 64)]), 'ico')).toBe('48 x 40')
  expect(await sizeOf(icon([await png(16, 16), dib(32, 64)]), 'ico')).toBe('32 x 32')
})

test('RULE-68 each picture of an icon is measured, at places within the file and behind the directory', async () => {
  const small = await png(16, 16)
  for (const [what, content] of Object.entries({
    'no picture': icon([]),
    'a cursor': icon([small], { type: 2 }),
    'more entries than bytes': icon([small], { count: 65_535 }),
    'very many entries': icon(Array.from({ length: 65_535 }, () => dib(16, 32).subarray(0, 40))),
    'an entry behind the end': icon([small], { offsets: [1_000_000] }),
    'an entry that ends behind the end': icon([dib(16, 32)], { offsets: [6 + 16 + 110] }),
    'the largest offset': icon([small], { offsets: [2 ** 32 - 1] }),
    // The entry reads as the header of a bitmap of 9 x 9 pixels.
    'an entry that points to itself': Buffer.concat([words(0, 1, 1), longs(40, 9, 18, 6), Buffer.alloc(30)]),
    'an entry that points to the header': icon([small], { offsets: [0] }),
    'a picture without pixels': icon([small, dib(0, 0)]),
    'a bitmap with a mask only': icon([small, dib(16, 1)]),
    'a broken PNG': icon([small, Buffer.concat([small.subarray(0, 12), Buffer.alloc(90, 1)])]),
    'no directory': words(0, 1, 1),
    'a few bytes': Buffer.from([0, 0, 1]),
  }))
    expect([what, await sizeOf(content, 'ico')]).toEqual([what, undefined])
  const huge = icon([small, dib(50_000, 100_000)])
  expect(await sizeOf(huge, 'ico')).toBe('50000 x 50000')
})
