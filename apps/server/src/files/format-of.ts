import { type FileBytes, TooManyParts } from './file-bytes.ts'
import { type Format, isMedia } from './media-types.ts'
import { hasMp3Frames, isFilm, isLongWave, isTransportStream } from './sound-format.ts'

/** https://mimesniff.spec.whatwg.org/#binary-data-byte */
// oxlint-disable-next-line no-control-regex -- these characters are its subject
const binary = /[\0-\x08\v\x0e-\x1a\x1c-\x1f]/

/** Tags before the first frame of a sound, and the bytes behind them in which it must begin. */
const tagsMost = 8
const framesWithin = 64 * 1024

/** The signatures of ZIP: an entry, the end of an empty archive, and a part of a split one. */
const archives = new Set(['PK\x03\x04', 'PK\x05\x06', 'PK\x07\x08'])

/** Returns the format of a content; undefined if it is unknown. */
export async function formatOf(bytes: FileBytes, head: Buffer): Promise<Format | undefined> {
  const start = head.toString('latin1', 0, 4)
  // The library would read the entries of an archive, which does not decide anything here.
  if (archives.has(start)) return { type: 'application/zip', extension: 'zip' }
  if (start.startsWith('\x1f\x8b\x08')) return { type: 'application/gzip', extension: 'gz' }
  if (start === '.snd') return { type: 'audio/basic', extension: 'au' }
  if (isLongWave(head)) return { type: 'audio/wav', extension: 'wav' }
  const found = await libraryFormatOf(bytes)
  if (found === undefined || found.type === 'video/mp2t') {
    if (isPlain(head)) return undefined
    if (isTransportStream(head)) return { type: 'video/mp2t', extension: 'ts' }
    return found ?? ((await isFilm(bytes)) ? { type: 'video/mp4', extension: 'mp4' } : undefined)
  }
  // A text can begin with the letters of a signature: `BMW`, `FORMAT`.
  if (isMedia(found.type) && isPlain(head) && /^[\x20-\x7e]+$/.test(start)) return undefined
  if (/^image\/hei[cf]/.test(found.type) && brandsOf(head).includes('avif'))
    return { type: 'image/avif', extension: 'avif' }
  return found
}

async function libraryFormatOf({ size, read }: FileBytes): Promise<Format | undefined> {
  const { fileTypeFromBlob } = await import('file-type')
  let failure: { cause: Error } | undefined
  // The library uses these parts of a Blob only.
  const blob = {
    size,
    type: '',
    slice: (start: number, end: number) => ({
      arrayBuffer: () =>
        read(start, end - start).catch((error: unknown) => {
          if (!(error instanceof TooManyParts)) failure = { cause: error as Error }
          throw error
        }),
    }),
  } as unknown as Blob
  // The library parses untrusted headers. If it fails, the format is unknown. A store that fails is no such case.
  const found = await fileTypeFromBlob(blob).catch(() => undefined)
  if (failure !== undefined) throw failure.cause
  if (found === undefined) return undefined
  return { type: found.mime.split(';')[0]?.toLowerCase() ?? '', extension: found.ext }
}

/** The brands in the first box of a file in ISO base media format. */
const brandsOf = (head: Buffer): string[] =>
  head.length < 16
    ? []
    : (head.toString('latin1', 8, Math.min(head.readUInt32BE(0), head.length, 256)).match(/.{4}/gs) ?? [])

/** Finds MP3 frames that do not begin behind the tags. */
export async function soundOf(bytes: FileBytes, contentType: string): Promise<Format | undefined> {
  if (!contentType.startsWith('audio/')) return undefined
  let at = 0
  for (let tags = 0; tags < tagsMost; tags += 1) {
    const tag = await bytes.read(at, 10)
    if (!hasTag(tag) || tag.length < 10) break
    const length = tag.subarray(6, 10).reduce((sum, byte) => sum * 128 + (byte & 127), 0)
    at += 10 + length
  }
  return hasMp3Frames(await bytes.read(at, framesWithin))
    ? { type: 'audio/mpeg', extension: 'mp3' }
    : undefined
}

export const hasTag = (head: Buffer) => head.toString('latin1', 0, 3) === 'ID3'

/** UTF-16 begins with it. */
export const hasMark = (head: Buffer) => head.length > 1 && [0xfeff, 0xfffe].includes(head.readUInt16BE(0))

/** Returns whether the start of a file contains no byte that a text does not contain. */
export const isPlain = (head: Buffer) => hasMark(head) || !binary.test(head.toString('latin1'))
