import { Readable } from 'node:stream'
import { gunzipSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { AppError } from '#platform/app-error.ts'
import { FileMissing } from '#platform/files/file-driver.ts'
import { createArchiveWriter, verifyArchive } from './archive-format.ts'

/** Three files with three entries each, compressed. */
function archive(): Buffer[] {
  let previous: string | null = null
  return [1, 2, 3].map((number) => {
    const writer = createArchiveWriter({ number, previous })
    const entries = ['a', 'b', 'c'].map((event) => writer.add(JSON.stringify({ event, number })))
    const text = writer.head + entries.join('') + writer.end()
    previous = writer.summary().digest
    return gzipSync(text)
  })
}

const verify = (files: readonly Buffer[]) =>
  verifyArchive(
    files.map((bytes, index) => ({ name: `file ${index + 1}`, open: async () => Readable.from([bytes]) })),
  )

/** Changes the lines of one file. */
function edited(number: number, edit: (lines: string[]) => string[]): Buffer[] {
  const files = archive()
  const lines = gunzipSync(files[number - 1] ?? '')
    .toString()
    .trimEnd()
    .split('\n')
  return files.with(number - 1, gzipSync(`${edit(lines).join('\n')}\n`))
}

test('an unchanged archive is complete', async () => {
  const found = await verify(archive())
  expect(found).toMatchObject({ files: 3, entries: 9, breaks: [] })
  expect(found.digest).toMatch(/^[0-9a-f]{64}$/)
  expect(await verify([])).toEqual({ files: 0, entries: 0, digest: null, breaks: [] })
})

test('an entry with the line separators of Unicode is one line', async () => {
  const writer = createArchiveWriter({ number: 1, previous: null })
  const entry = writer.add(JSON.stringify({ label: 'Hall\u2028of\u2029mirrors\u0085' }))
  const file = gzipSync(writer.head + entry + writer.end())
  expect(await verify([file])).toMatchObject({ entries: 1, breaks: [] })
})

test.each([
  ['an altered entry', 2, 3, (lines: string[]) => lines.with(2, (lines[2] ?? '').replace('"b"', '"x"'))],
  ['a missing entry', 2, 3, (lines: string[]) => lines.toSpliced(2, 1)],
  ['a repeated entry', 2, 4, (lines: string[]) => lines.toSpliced(3, 0, lines[2] ?? '')],
  ['two swapped entries', 2, 2, ([head = '', a = '', b = '', ...rest]: string[]) => [head, b, a, ...rest]],
  ['a foreign line', 2, 3, (lines: string[]) => lines.with(2, '{}')],
  ['a line after the end', 2, 6, (lines: string[]) => [...lines, lines[1] ?? '']],
  [
    'an altered header',
    2,
    2,
    (lines: string[]) => lines.with(0, (lines[0] ?? '').replace(/[0-9a-f]"\}/, 'z"}')),
  ],
] as const)('%s is named with its file and line', async (_, number, line, edit) => {
  const { breaks } = await verify(edited(number, edit))
  expect(breaks[0]).toMatch(new RegExp(`^file ${number}, line ${line}: `))
})

test('a truncated file is named with its last line', async () => {
  const cut = await verify(edited(2, (lines) => lines.slice(0, 3)))
  expect(cut.breaks[0]).toBe('file 2, it ends after line 3: the rest is missing')
  const files = archive()
  const half = (files[1] ?? Buffer.alloc(0)).subarray(0, -20)
  expect((await verify(files.with(1, half))).breaks[0]).toMatch(/^file 2, .*the rest cannot be read/)
})

test('missing, repeated and foreign files are named', async () => {
  const [one, two, three] = archive() as [Buffer, Buffer, Buffer]
  expect((await verify([one, three])).breaks).toEqual(['number 2 is missing or could not be read'])
  expect((await verify([two, three])).breaks).toEqual(['number 1 is missing or could not be read'])
  expect((await verify([one, two, two, three])).breaks).toEqual(['file 3 repeats number 2'])
  // The order of the names does not matter.
  expect((await verify([three, one, two])).breaks).toEqual([])
  const other = createArchiveWriter({ number: 2, previous: 'f'.repeat(64) })
  const foreign = gzipSync(other.head + other.end())
  expect((await verify([one, foreign])).breaks).toEqual(['file 2 does not continue file 1'])
})

test('a file that the store cannot deliver is not a break of the archive, but a missing file is', async () => {
  const [one, two, three] = archive() as [Buffer, Buffer, Buffer]
  const verifyWith = (open: () => Promise<Readable>) =>
    verifyArchive([
      { name: 'file 1', open: async () => Readable.from([one]) },
      { name: 'file 2', open, known: { number: 2, digest: '', entries: 3 } },
      { name: 'file 3', open: async () => Readable.from([three]) },
    ])
  const away = new AppError('BUSY', { message: 'The file store is not available' })
  await expect(verifyWith(() => Promise.reject(away))).rejects.toThrow(
    'file 2 could not be read: The file store is not available',
  )
  async function* interrupted() {
    yield two.subarray(0, 60)
    throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
  }
  await expect(verifyWith(async () => Readable.from(interrupted()))).rejects.toThrow(
    'file 2 could not be read: read ECONNRESET',
  )
  const { breaks } = await verifyWith(() => Promise.reject(new FileMissing()))
  expect(breaks).toEqual(['file 2, it is missing'])
})

test('a changed archive with new hashes differs from the one that the database knows', async () => {
  const [bytes = Buffer.alloc(0)] = archive()
  const known = { number: 1, digest: '0'.repeat(64), entries: 3 }
  const { breaks } = await verifyArchive([
    { name: 'file 1', open: async () => Readable.from([bytes]), known },
  ])
  expect(breaks[0]).toMatch(/^file 1 differs from the file that the database knows/)
})
