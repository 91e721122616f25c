import { limits } from '@pult/contract'
import { AppError } from '#platform/app-error.ts'
import { type PictureSize, pictureSize } from '#platform/files/picture-size.ts'
import { type FileBytes, inBlocks, TooManyParts } from './file-bytes.ts'
import { extensionOf, isSameExtension, withExtension } from './file-name.ts'
import { formatOf, hasMark, hasTag, isPlain, soundOf } from './format-of.ts'
import {
  canonicalType,
  type FileKind,
  type Format,
  hasBriefSignature,
  isMedia,
  isRecognisable,
  isSameKind,
  isText,
  isZipped,
  measuredFormat,
  mediaTypeOfBytes,
  typeInsteadOf,
  vectorType,
} from './media-types.ts'
import { mismatch } from './mismatch.ts'
import { isVectorPicture } from './vector-picture.ts'

/** The number of bytes for {@link checkHead}. */
export const headBytes = 16 * 1024

const plainBytes = 'application/octet-stream'

/**
 * A tag of a page before anything else: https://mimesniff.spec.whatwg.org/#identifying-a-resource-with-an-unknown-mime-type
 * A browser takes no file for a page because of its later bytes, such as a title or a comment.
 */
const pageStart =
  /^(?:\xef\xbb\xbf)?[\t\n\f\r ]*<(?:!--|\?xml|(?:!doctype|html|head|body|script|svg|iframe|object|embed|style|title|meta|link|h1|div|font|table|a|b|br|p)[\s>/])/i
/** The bytes of which it looks at the first: https://mimesniff.spec.whatwg.org/#reading-the-resource-header */
const pageStartBytes = 1445

/** A reader finds the header of a PDF within this distance: ISO 32000-1, annex H.3. */
const pdfStartBytes = 1024

/**
 * Rejects an upload early whose first bytes certainly contradict its type. What they do not decide remains for
 * {@link checkContent}: the parts that identify a format can be anywhere in a file.
 *
 * @param head the first `headBytes` bytes, or all if there are fewer
 */
export async function checkHead(head: Buffer, announced: FileKind): Promise<void> {
  const { contentType } = announced
  if (head.length === 0 || contentType === plainBytes || contentType === vectorType) return
  if (isText(contentType)) {
    if (!hasText(head)) throw mismatch('unknown', announced, await formatOf(bytesOf(head), head))
    return
  }
  if (isMedia(contentType) && isPage(head)) throw mismatch('page', announced)
  // The library takes a tag that is longer than these bytes for an MP3.
  if (hasTag(head)) return
  const found = await formatOf(bytesOf(head), head)
  if (found !== undefined) await compare(announced, found, head)
}

/**
 * Returns the name and type under which a complete file is stored. A picture in an accepted format is taken for what it is,
 * and so is a sound or video; the extension of the name follows. Plain bytes are taken for a picture, sound or video if
 * their name does not contradict it, because a system may know no type for such files. Throws CONTENT_MISMATCH with the
 * reason for a file that is something else than its type; never for plain bytes.
 */
export async function checkContent(content: FileBytes, { name, contentType }: FileKind): Promise<FileKind> {
  const announced = { name, contentType }
  if (content.size === 0) {
    if (contentType === plainBytes || (await canBeEmpty(contentType))) return announced
    throw mismatch('empty', announced)
  }
  try {
    return await checkBytes(inBlocks(content), announced)
  } catch (error) {
    if (!(error instanceof TooManyParts)) throw error
    if (contentType === plainBytes) return announced
    throw mismatch('unknown', announced)
  }
}

async function checkBytes(bytes: FileBytes, announced: FileKind): Promise<FileKind> {
  const { contentType } = announced
  const head = await bytes.read(0, headBytes)
  const found = await formatOf(bytes, head)
  if (contentType === plainBytes) return recogniseMedia(bytes, { announced, found, head })
  if (contentType === vectorType) return checkVector(bytes, { announced, found })
  if (isText(contentType)) {
    if (hasText(head) && (isPlain(head) || found === undefined || isText(found.type))) return announced
    throw mismatch('unknown', announced, found)
  }
  if (isMedia(contentType) && isPage(head)) throw mismatch('page', announced)
  return compare(announced, found ?? (await soundOf(bytes, contentType)), head)
}

interface Inspected {
  announced: FileKind
  found: Format | undefined
  head: Buffer
}

async function recogniseMedia(bytes: FileBytes, { announced, found, head }: Inspected): Promise<FileKind> {
  const extension = extensionOf(announced.name)
  const contentType = found && mediaTypeOfBytes(found, extension)
  if (found === undefined || contentType === undefined || isPage(head)) return announced
  const isNamed = extension !== undefined
  if (isNamed && !isSameExtension(extension, found.extension)) return announced
  if (!isNamed && hasBriefSignature(found) && (await soundOf(bytes, contentType)) === undefined)
    return announced
  return renamed(announced, contentType, found)
}

async function canBeEmpty(contentType: string): Promise<boolean> {
  if (contentType === vectorType || isMedia(contentType)) return false
  const { supportedMimeTypes } = await import('file-type')
  return isText(contentType) || !isRecognisable(contentType, supportedMimeTypes)
}

async function checkVector(
  bytes: FileBytes,
  { announced, found }: Omit<Inspected, 'head'>,
): Promise<FileKind> {
  if (found?.type === 'application/gzip') throw mismatch('compressed', announced, found)
  const picture = found && typeInsteadOf(vectorType, found.type)
  if (found !== undefined && picture !== undefined) return renamed(announced, picture, found)
  if (await isVectorPicture(bytes)) return announced
  throw mismatch('unknown', announced, found)
}

/** Compares what was announced with what the content is. */
async function compare(announced: FileKind, found: Format | undefined, head: Buffer): Promise<FileKind> {
  const { contentType } = announced
  if (found !== undefined && isSameKind(canonicalType(found.type), canonicalType(contentType)))
    return { ...announced, contentType: canonicalType(contentType) }
  if (isMedia(contentType)) {
    if (found === undefined) throw mismatch('unknown', announced)
    const instead = typeInsteadOf(contentType, found.type)
    if (instead === undefined) throw mismatch('other', announced, found)
    return renamed(announced, instead, found)
  }
  if (found !== undefined && isMedia(found.type)) throw mismatch('other', announced, found)
  if (isZipped(contentType) && found !== undefined && isOffice(found.type)) return announced
  if (contentType === 'application/pdf' && hasPdfStart(head)) return announced
  const { supportedMimeTypes } = await import('file-type')
  if (isRecognisable(contentType, supportedMimeTypes)) throw mismatch('unknown', announced, found)
  return announced
}

const isOffice = (type: string) => type === 'application/x-cfb' || isZipped(type)

const renamed = ({ name }: FileKind, contentType: string, { extension }: Format): FileKind => ({
  name: withExtension(name, extension),
  contentType,
})

const bytesOf = (all: Buffer): FileBytes => ({
  size: all.length,
  read: async (start, length) => all.subarray(start, start + length),
})

const isPage = (head: Buffer) => pageStart.test(head.toString('latin1', 0, pageStartBytes))

const hasPdfStart = (head: Buffer) => head.toString('latin1', 0, pdfStartBytes).includes('%PDF-')

/** UTF-16 text contains zero bytes, but begins with a byte order mark. */
const hasText = (head: Buffer) => hasMark(head) || !head.includes(0)

/** Returns the size of a measurable picture; null for every other file. Rejects broken and too large pictures. */
export async function measure(path: string, kind: FileKind): Promise<PictureSize | null> {
  const format = measuredFormat(kind.contentType)
  if (format === undefined) return null
  const size = await pictureSize(path, format)
  if (size === undefined) throw mismatch('broken', kind)
  if (size.width * size.height > limits.imagePixelsMax) throw new AppError('IMAGE_TOO_LARGE')
  return size
}

/** A complete file that can also be read by its path. */
interface WholeFile extends FileBytes {
  /** Provides a local path of the whole file during `read`. */
  withPath<Result>(read: (path: string) => Promise<Result>): Promise<Result>
}

/**
 * Returns how a complete file is stored: as {@link checkContent} decides, with its size if it is a measurable picture.
 * Plain bytes that look like a picture, but are broken or too large, remain plain bytes.
 */
export async function checkFile(
  content: WholeFile,
  announced: FileKind,
): Promise<FileKind & { width: number | null; height: number | null }> {
  const kind = await checkContent(content, announced)
  if (measuredFormat(kind.contentType) === undefined) return { ...kind, width: null, height: null }
  try {
    const size = await content.withPath((path) => measure(path, kind))
    return { ...kind, ...(size ?? { width: null, height: null }) }
  } catch (error) {
    if (announced.contentType !== plainBytes || !isRefusal(error)) throw error
    return { name: announced.name, contentType: plainBytes, width: null, height: null }
  }
}

/** Returns whether a file is refused because of its content. Other errors are faults of the file store. */
const isRefusal = (error: unknown) =>
  error instanceof AppError && ['CONTENT_MISMATCH', 'IMAGE_TOO_LARGE'].includes(error.code)
