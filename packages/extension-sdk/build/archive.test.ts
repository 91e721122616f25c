import { gunzipSync } from 'node:zlib'
import { Parser } from 'tar'
import { expect, test } from 'vitest'
import { archiveOf } from './archive.ts'

const file = (path: string, text = path) => ({ path, content: Buffer.from(text) })

async function entriesOf(archive: Buffer) {
  const entries: { path: string; text: string; mode: number | undefined }[] = []
  const reads: Promise<void>[] = []
  const parser = new Parser({
    strict: true,
    onReadEntry: (entry) => {
      const { path, mode } = entry
      reads.push(
        entry.concat().then((content) => void entries.push({ path, text: content.toString(), mode })),
      )
    },
  })
  await new Promise((end) => {
    parser.on('end', end)
    parser.end(gunzipSync(archive))
  })
  await Promise.all(reads)
  return entries
}

test('an archive lists its files in the order of their paths, and other tools can read it', async () => {
  const long = `${'folder/'.repeat(20)}name.js`
  const program = { ...file('bin.js'), isExecutable: true }
  const archive = archiveOf([
    file('z.js'),
    file(long),
    program,
    file('empty.css', ''),
    file('a.js', 'ä'.repeat(600)),
  ])
  expect(await entriesOf(archive)).toEqual([
    { path: 'a.js', text: 'ä'.repeat(600), mode: 0o644 },
    { path: 'bin.js', text: 'bin.js', mode: 0o755 },
    { path: 'empty.css', text: '', mode: 0o644 },
    { path: long, text: long, mode: 0o644 },
    { path: 'z.js', text: 'z.js', mode: 0o644 },
  ])
})

test('the same files yield the same bytes on every system', () => {
  const files = [file('a.js'), file('b.js')]
  const archive = archiveOf(files)
  expect(archiveOf(files.toReversed())).toEqual(archive)
  // Time and operating system in the gzip header.
  expect([...archive.subarray(4, 8), archive[9]]).toEqual([0, 0, 0, 0, 255])
})

test('a path too long for an archive is reported', () => {
  expect(() => archiveOf([file(`${'x'.repeat(101)}.js`)])).toThrow('too long')
})
