import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { type ArchiveHeader, readArchive, writeArchive } from './archive-format.ts'

const header: ArchiveHeader = {
  createdAt: '2026-11-24T12:00:00.000Z',
  version: '2.4.0',
  postgres: '18.1',
  jobs: 46,
  migrations: ['0001-people'],
  keyCheck: 'AAAA',
  secret: null,
}

async function* chunks(...all: Buffer[]) {
  yield* all
}

async function* parts() {
  const table = { kind: 'table' as const, schema: 'public', name: 'note', columns: ['id', 'text'] }
  yield { head: table, content: chunks(Buffer.from('1\tone\n'), Buffer.from('2\ttwo\n')), rows: () => 2 }
  yield { head: { kind: 'sequences' as const }, content: chunks(Buffer.from('[]')) }
  yield { head: { kind: 'files' as const }, content: chunks() }
}

const archive = await buffer(Readable.from(writeArchive(header, parts())))

/** In chunks of a few bytes, as a slow disk or network delivers them. */
async function read(bytes: Buffer): Promise<string[]> {
  const pieces = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, index) =>
    bytes.subarray(index * 7, index * 7 + 7),
  )
  const seen: string[] = []
  for await (const event of readArchive(chunks(...pieces)))
    seen.push(event.kind === 'data' ? event.chunk.toString() : event.kind)
  return seen
}

test('an archive is read unchanged', async () => {
  expect(await read(archive)).toEqual([
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

test('every changed, missing and added byte of an archive is detected', async () => {
  for (let at = 0; at < archive.length; at += 1) {
    const flipped = Buffer.from(archive)
    flipped[at] = (flipped[at] ?? 0) ^ (1 << (at % 8))
    await expect(read(flipped), `flipped at ${at}`).rejects.toThrow()
    await expect(read(archive.subarray(0, at)), `cut at ${at}`).rejects.toThrow()
  }
  await expect(read(Buffer.concat([archive, Buffer.from('x')]))).rejects.toThrow('follows its end')
})
