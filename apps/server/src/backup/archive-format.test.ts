import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { type ArchiveHeader, type Piece, readArchive, writeArchive } from './archive-format.ts'

const header: ArchiveHeader = {
  createdAt: '2026-11-24T12:00:00.000Z',
  version: '2.4.0',
  postgres: '18.1',
  jobs: 46,
  migrations: ['0001-people'],
  keyCheck: 'AAAA',
  secret: null,
}

async function* chunks<Chunk extends Buffer | { piece: Piece; text: Buffer } = Buffer>(...all: Chunk[]) {
  yield* all
}

const piece: Piece = { stored: `${'a'.repeat(64)}.rows`, sha256: 'b'.repeat(64), key: null }
const text = Buffer.from('2\ttwo\n')

async function* parts() {
  const table = { kind: 'table' as const, schema: 'public', name: 'note', columns: ['id', 'text'] }
  yield {
    head: table,
    content: chunks<Buffer | { piece: Piece; text: Buffer }>(Buffer.from('1\tone\n'), { piece, text }),
    rows: () => 2,
  }
  yield { head: { kind: 'sequences' as const }, content: chunks(Buffer.from('[]')) }
  yield { head: { kind: 'files' as const }, content: chunks() }
}

const archive = await buffer(Readable.from(writeArchive(header, parts())))

/** In chunks of a few bytes, as a slow disk or network delivers them. */
async function read(bytes: Buffer, readPiece?: Parameters<typeof readArchive>[1]): Promise<string[]> {
  const pieces = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, index) =>
    bytes.subarray(index * 7, index * 7 + 7),
  )
  const seen: string[] = []
  for await (const event of readArchive(chunks(...pieces), readPiece))
    seen.push(event.kind === 'data' ? event.chunk.toString() : event.kind)
  return seen
}

const readRows = () => chunks(text)

test('an archive is read unchanged', async () => {
  expect(await read(archive, readRows)).toEqual([
    'header',
    'part',
    '1\tone\n',
    '2\ttwo\n',
    'partEnd',
    'part',
    '[]',
    'partEnd',
    'part',
    'partEnd',
  ])
})

test('pieces that are not asked for are left out, and rows that are not those of the archive are refused', async () => {
  expect((await read(archive)).slice(0, 4)).toEqual(['header', 'part', '1\tone\n', 'partEnd'])
  for (const other of ['2\ttwp\n', '2\ttwo\n3\tthree\n', ''])
    await expect(read(archive, () => chunks(Buffer.from(other)))).rejects.toThrow('a part has changed')
})

test('every changed, missing and added byte of an archive is detected', async () => {
  for (let at = 0; at < archive.length; at += 1) {
    const flipped = Buffer.from(archive)
    flipped[at] = (flipped[at] ?? 0) ^ (1 << (at % 8))
    await expect(read(flipped, readRows), `flipped at ${at}`).rejects.toThrow()
    await expect(read(archive.subarray(0, at), readRows), `cut at ${at}`).rejects.toThrow()
  }
  await expect(read(Buffer.concat([archive, Buffer.from('x')]), readRows)).rejects.toThrow('follows its end')
})
