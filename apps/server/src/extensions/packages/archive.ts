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

/** Limit of a compressed archive. */
export const archiveBytesMost = 20 * 1024 * 1024

export const archiveTooLarge: Sentence = {
  de: 'The archive is larger than 20 MiB',
  'de-DE': 'Das Archiv ist größer als 20 MiB',
}

/** Bytes in addition to the files: the manifest and the headers of the entries. */
const overhead = 4 * 1024 * 1024

const bytesMost = packageLimits.bytes + packageLimits.manifestBytes

/** Only files and folders: a link could point outside the folder. */
const kinds = { file: ['File', 'OldFile'], folder: ['Directory', 'GNUDumpDir'] }

/**
 * Path segments without a leading dot, so that no path leads upwards or is hidden, within the length that file
 * systems accept.
 */
const entryPath = /^(?!.*(?:^|\/)\.)(?!.*[^/]{201})[\w-][\w./-]{0,299}$/

/** Errors when a file exists at the path of another file or folder. */
const occupied = new Set(['EEXIST', 'ENOTDIR', 'EISDIR'])

const hungUp = new Set(['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE'])

/** Writes an incoming archive to a file. */
export async function receiveArchive(archive: Readable, path: string): Promise<void> {
  const tooLarge = () => new AppError('BODY_TOO_LARGE', { message: archiveTooLarge })
  try {
    await pipeline(archive, atMost(archiveBytesMost, tooLarge), createWriteStream(path, { flags: 'wx' }))
  } catch (error) {
    throw hungUp.has(codeOf(error))
      ? new AppError('VALIDATION_FAILED', {
          message: {
            de: 'The archive is incomplete',
            'de-DE': 'Das Archiv ist unvollständig',
          },
        })
      : error
  }
}

/**
 * Unpacks a `.tgz` into its own folder. Returns the folder of the manifest: the root, or the single top-level folder
 * that archives usually have. Throws a {@link BrokenExtension}.
 */
export async function unpackArchive(path: string, folder: string): Promise<string> {
  // Lazy, because few nodes ever need it.
  const tar = await import('tar')
  const writes: Promise<void>[] = []
  const tooLarge = () =>
    new BrokenExtension({
      de: 'the archive unpacks to more than 50 MiB',
      'de-DE': 'Das Archiv ist entpackt größer als 50 MiB',
    })
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
 * Wraps the tar parser, which is not a Node stream, in a Writable that fails on its errors and warnings. Bytes after
 * the end of the archive are dropped, because the parser would copy them repeatedly.
 */
function createUnpacker(TarParser: typeof Parser, readEntry: (entry: ReadEntry) => void): Writable {
  let isEnded = false
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
      if (!isEnded) parser.write(chunk)
      done()
    },
    final(done) {
      parser.once('end', () => done())
      parser.end()
    },
  })
  parser.once('eof', () => {
    isEnded = true
  })
  parser.on('error', (error: Error) => unpacker.destroy(error))
  return unpacker
}

/** Reads each entry completely, because their total size is limited. */
function createReader(folder: string, writes: Promise<void>[]): (entry: ReadEntry) => void {
  let files = 0
  let bytes = 0
  return (entry) => {
    const path = entry.path.replace(/^(?:\.\/)+/, '').replace(/\/$/, '')
    const isFile = kinds.file.includes(entry.type)
    if (!isFile && !kinds.folder.includes(entry.type))
      throw new BrokenExtension({
        de: `the archive contains ${entry.path}, which is neither a file nor a folder`,
        'de-DE': `Das Archiv enthält ${entry.path}. Das ist weder eine Datei noch ein Ordner`,
      })
    if (path !== '' && path !== '.' && !entryPath.test(path))
      throw new BrokenExtension({
        de: `the archive contains ${entry.path}, which is not a valid path`,
        'de-DE': `Das Archiv enthält ${entry.path}. Das ist kein gültiger Pfad`,
      })
    if (!isFile) {
      entry.resume()
      return
    }
    files += 1
    bytes += entry.size
    if (files > packageLimits.files + 1)
      throw new BrokenExtension({
        de: `the archive contains more than ${packageLimits.files} files`,
        'de-DE': `Das Archiv enthält mehr als ${packageLimits.files} Dateien`,
      })
    if (bytes > bytesMost)
      throw new BrokenExtension({
        de: 'the archive unpacks to more than 50 MiB',
        'de-DE': 'Das Archiv ist entpackt größer als 50 MiB',
      })
    const written = write(entry, join(folder, path))
    // The result is awaited after the whole archive. An unhandled rejection before that would end the process.
    written.catch(() => {})
    writes.push(written)
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
          de: `the archive contains ${entry.path} more than once`,
          'de-DE': `Das Archiv enthält ${entry.path} mehr als einmal`,
        })
      : error
  }
}

/** Refuses nested compression, which the parser would unpack without a limit. */
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
    de: 'the archive has no manifest.json at its root or in its only folder',
    'de-DE':
      'Das Archiv enthält kein manifest.json, weder auf der obersten Ebene noch in seinem einzigen Ordner',
  })
}

/** Errors of zlib and the parser for input in another format. */
const isOfArchive = (error: unknown) => /^(?:Z_|TAR_)/.test(codeOf(error))

const codeOf = (error: unknown) =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
