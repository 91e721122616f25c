import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { compressed, decompressed } from './compression.ts'

const inChunks = (content: Buffer, size: number) =>
  Readable.from(
    (function* () {
      for (let at = 0; at < content.length; at += size) yield content.subarray(at, at + size)
    })(),
    { objectMode: false },
  )

const whole = (content: Readable) => buffer(Readable.from(decompressed(content), { objectMode: false }))

test.each([0, 1, 3, 1000, 3_000_000])(
  '%i bytes are compressed and read again, in any chunks',
  async (length) => {
    const rows = Buffer.from(
      '018f0000-0000-7000-8000-000000000000\tlogin.succeeded\t\\N\n'.repeat(1 + length / 50),
    )
    const content = rows.subarray(0, length)
    const small = await buffer(compressed(inChunks(content, 64_000)))
    expect(small.length).toBeLessThan(100 + length / 20)
    for (const size of [1, 2, 64_000]) {
      if (small.length > 10_000 && size < 3) continue
      expect((await whole(inChunks(small, size))).equals(content)).toBe(true)
    }
  },
)

test('content of an earlier version, which is not compressed, is read as it is', async () => {
  for (const content of [
    Buffer.alloc(0),
    Buffer.from('ab'),
    Buffer.from('pult-backup 1\n'),
    randomBytes(100_000),
  ])
    expect((await whole(inChunks(content, 1000))).equals(content)).toBe(true)
})

test('a damaged or cut archive and a failing source end with an error', async () => {
  const small = await buffer(compressed(inChunks(randomBytes(300_000), 64_000)))
  await expect(whole(inChunks(small.subarray(0, 100_000), 64_000))).rejects.toThrow()
  const damaged = Buffer.from(small)
  damaged.fill(0xff, 5, 20)
  await expect(whole(inChunks(damaged, 64_000))).rejects.toThrow()
  async function* failing() {
    yield Buffer.from('begin')
    throw new Error('the database is gone')
  }
  await expect(buffer(compressed(failing()))).rejects.toThrow('the database is gone')
})
