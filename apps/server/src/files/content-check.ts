import { limits } from '@pult/contract'
import { AppError } from '#platform/app-error.ts'
import { type PictureSize, pictureSize } from '#platform/files/picture-size.ts'
import { type FileBytes, inBlocks } from './file-bytes.ts'
import { withExtension } from './file-name.ts'
import { formatOf, hasMark, hasTag, isPlain, soundOf } from './format-of.ts'
import {
  canonicalType,
  type FileKind,
  type Format,
  isMedia,
  isRecognisable,
  isSameKind,
  isText,
  isZipped,
  measuredFormat,
  typeInsteadOf,
  vectorType,
} from './media-types.ts'
import { mismatch } from './mismatch.ts'
import { isVectorPicture } from './vector-picture.ts'

/** The number of bytes for {@link checkHead}. */
export const headBytes = 16 * 1024

const plainBytes = 'application/octet-stream'

/** Tags that begin a document or a script. Comments and text in pictures do not contain them. */
const markup = /<(?:!doctype|html|head|body|script|svg|iframe|object|embed|style|title|meta|link)[\s>/]/i
/** The bytes in which a browser looks for a page: https://mimesniff.spec.whatwg.org/#reading-the-resource-header */
const markupBytes = 1445

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
  if (isMedia(contentType) && hasMarkup(head)) throw mismatch('page', announced)
  // The library takes a tag that is longer than these bytes for an MP3.
  if (hasTag(head)) return
  const found = await formatOf(bytesOf(head), head)
  if (found !== undefined) await compare(announced, found, head)
}

/**
 * Returns the name and type under which a complete file is stored. A picture in an accepted format is taken for what it is,
 * and so is a sound or video; the extension of the name follows. Throws CONTENT_MISMATCH with the reason for a file that is
 * something else than its type.
 */
export async function checkContent(content: FileBytes, { name, contentType }: FileKind): Promise<FileKind> {
  const announced = { name, contentType }
  if (contentType === plainBytes) return announced
  if (content.size === 0) {
    if (await canBeEmpty(contentType)) return announced
    throw mismatch('empty', announced)
  }
  const bytes = inBlocks(content)
  const head = await bytes.read(0, headBytes)
  const found = await formatOf(bytes, head)
  if (contentType === vectorType) return checkVector(bytes, { announced, found, head })
  if (isText(contentType)) {
    if (hasText(head) && (isPlain(head) || found === undefined || isText(found.type))) return announced
    throw mismatch('unknown', announced, found)
  }
  if (isMedia(contentType) && hasMarkup(head)) throw mismatch('page', announced)
  return compare(announced, found ?? (await soundOf(bytes, contentType)), head)
}

async function canBeEmpty(contentType: string): Promise<boolean> {
  if (contentType === vectorType || isMedia(contentType)) return false
  const { supportedMimeTypes } = await import('file-type')
  return isText(contentType) || !isRecognisable(contentType, supportedMimeTypes)
}

async function checkVector(
  bytes: FileBytes,
  { announced, found, head }: { announced: FileKind; found: Format | undefined; head: Buffer },
): Promise<FileKind> {
  if (found?.type === 'application/gzip') throw mismatch('compressed', announced, found)
  const picture = found && typeInsteadOf(vectorType, found.type)
  if (found !== undefined && picture !== undefined) {
    if (hasMarkup(head)) throw mismatch('page', announced)
    return renamed(announced, picture, found)
  }
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

const hasMarkup = (head: Buffer) => markup.test(head.toString('latin1', 0, markupBytes))

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
