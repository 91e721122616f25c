import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Readable, Transform, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type { Parser, ReadEntry } from 'tar'
import { AppError } from '#platform/app-error.ts'
import type { Sentence } from '#platform/language.ts'
import { BrokenExtension, packageLimits } from './extension-package.ts'

/** Of an archive as it is sent. */
export const archiveBytesMost = 20 * 1024 * 1024

export const archiveTooLarge: Sentence = {
  de: 'The archive is larger than 20 MiB',
  'de-DE': 'Das Archiv ist größer als 20 MiB',
}

/** Beside the files: the manifest, and what an archive says of each entry. */
const overhead = 4 * 1024 * 1024

const bytesMost = packageLimits.bytes + packageLimits.manifestBytes

/** Files and folders; anything else, a link above all, could lead out of the folder. */
const kinds = { file: ['File', 'OldFile'], folder: ['Directory', 'GNUDumpDir'] }

/** Parts without a leading dot, so that nothing leads upwards and nothing is hidden, and as long as disks take them. */
const entryPath = /^(?!.*(?:^|\/)\.)(?!.*[^/]{201})[\w-][\w./-]{0,299}$/

/** A file stands where another one or a folder is to be. */
const occupied = new Set(['EEXIST', 'ENOTDIR', 'EISDIR'])

const hungUp = new Set(['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE'])

/** Writes an archive down as it comes in. */
export async function receiveArchive(archive: Readable, path: string): Promise<void> {
  const tooLarge = () => new AppError('BODY_TOO_LARGE', { message: archiveTooLarge })
  try {
    await pipeline(archive, atMost(archiveBytesMost, tooLarge), createWriteStream(path, { flags: 'wx' }))
  } catch (error) {
    throw hungUp.has(codeOf(error))
      ? new AppError('VALIDATION_FAILED', {
          message: {
            de: 'The archive did not come whole',
            'de-DE': 'Das Archiv ist nicht vollständig angekommen',
          },
        })
      : error
  }
}

/**
 * Unpacks a `.tgz` into a folder of its own, and answers where its manifest is: at the root, or in the one folder that
 * an archive usually has there. Throws a {@link BrokenExtension}.
 */
export async function unpackArchive(path: string, folder: string): Promise<string> {
  // Few nodes ever need it.
  const tar = await import('tar')
  const writes: Promise<void>[] = []
  const tooLarge = () =>
    new BrokenExtension({ de: 'the archive has more than 50 MiB', 'de-DE': 'Das Archiv hat mehr als 50 MiB' })
  try {
    await pipeline(
      createReadStream(path),
      createGunzip(),
      atMost(bytesMost + overhead, tooLarge),
      refuseNested(),
      createUnpacker(tar.Parser, createReader(folder, writes)),
    )
    await Promise.all(writes)
  } catch (error) {
    await Promise.allSettled(writes)
    throw isOfArchive(error)
      ? new BrokenExtension({ de: 'it is not a .tgz archive', 'de-DE': 'Es ist kein .tgz-Archiv' })
      : error
  }
  return homeIn(folder)
}

/**
 * Takes a tar archive apart. The parser is none of Node's streams: what it throws, or says of an archive, ends this one.
 * What comes after the end of an archive is not given to it, because it would copy that again and again.
 */
function createUnpacker(TarParser: typeof Parser, readEntry: (entry: ReadEntry) => void): Writable {
  let isOver = false
  const parser = new TarParser({
    strict: true,
    onReadEntry: (entry) => {
      try {
        if (!unpacker.destroyed) readEntry(entry)
      } catch (error) {
        unpacker.destroy(error as Error)
      }
      if (unpacker.destroyed) entry.resume()
    },
  })
  const unpacker = new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (!isOver) parser.write(chunk)
      done()
    },
    final(done) {
      parser.once('end', () => done())
      parser.end()
    },
  })
  parser.once('eof', () => {
    isOver = true
  })
  parser.on('error', (error: Error) => unpacker.destroy(error))
  return unpacker
}

/** Each entry is read whole: together they are no more than what may be installed. */
function createReader(folder: string, writes: Promise<void>[]): (entry: ReadEntry) => void {
  let files = 0
  let bytes = 0
  return (entry) => {
    const path = entry.path.replace(/^(?:\.\/)+/, '').replace(/\/$/, '')
    const isFile = kinds.file.includes(entry.type)
    if (!isFile && !kinds.folder.includes(entry.type))
      throw new BrokenExtension({
        de: `the archive has ${entry.path}, which is neither a file nor a folder`,
        'de-DE': `Das Archiv hat ${entry.path}, was weder eine Datei noch ein Ordner ist`,
      })
    if (path !== '' && path !== '.' && !entryPath.test(path))
      throw new BrokenExtension({
        de: `the archive has ${entry.path}, which is no path of an extension`,
        'de-DE': `Das Archiv hat ${entry.path}, was kein Pfad einer Erweiterung ist`,
      })
    if (!isFile) {
      entry.resume()
      return
    }
    files += 1
    bytes += entry.size
    if (files > packageLimits.files + 1)
      throw new BrokenExtension({
        de: `the archive has more than ${packageLimits.files} files`,
        'de-DE': `Das Archiv hat mehr als ${packageLimits.files} Dateien`,
      })
    if (bytes > bytesMost)
      throw new BrokenExtension({
        de: 'the archive has more than 50 MiB',
        'de-DE': 'Das Archiv hat mehr als 50 MiB',
      })
    writes.push(write(entry, join(folder, path)))
  }
}

async function write(entry: ReadEntry, path: string): Promise<void> {
  const content = await entry.concat()
  try {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, content, { flag: 'wx', flush: true })
  } catch (error) {
    throw occupied.has(codeOf(error))
      ? new BrokenExtension({
          de: `the archive has ${entry.path} more than once`,
          'de-DE': `Das Archiv hat ${entry.path} mehr als einmal`,
        })
      : error
  }
}

/** The parser would unpack an archive in the archive as well, however much that becomes. */
function refuseNested(): Transform {
  let isFirst = true
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const isNested = isFirst && (chunk[0] === 0x1f || chunk[0] === 0x28)
      isFirst = false
      done(
        isNested
          ? new BrokenExtension({ de: 'it is not a .tgz archive', 'de-DE': 'Es ist kein .tgz-Archiv' })
          : null,
        chunk,
      )
    },
  })
}

function atMost(most: number, refusal: () => Error): Transform {
  let bytes = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      if (bytes > most) done(refusal())
      else done(null, chunk)
    },
  })
}

async function homeIn(folder: string): Promise<string> {
  const isThere = (path: string) => stat(path).catch(() => undefined)
  if ((await isThere(join(folder, 'manifest.json'))) !== undefined) return folder
  const [only, ...others] = await readdir(folder)
  if (only !== undefined && others.length === 0 && (await isThere(join(folder, only, 'manifest.json'))))
    return join(folder, only)
  throw new BrokenExtension({
    de: 'the archive has no manifest.json, neither at its root nor in its one folder',
    'de-DE': 'Das Archiv hat kein manifest.json, weder oben noch in seinem einzigen Ordner',
  })
}

/** What zlib and the parser say of bytes that are something else. */
const isOfArchive = (error: unknown) => /^(?:Z_|TAR_)/.test(codeOf(error))

const codeOf = (error: unknown) =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
