import { limits } from '@pult/contract'
import { AppError } from '#platform/app-error.ts'
import { type PictureSize, pictureSize } from '#platform/files/picture-size.ts'
import { isSameKind, isText, isZipped, measuredFormat, vectorType } from './media-types.ts'

/** The number of bytes that the type library reads. */
export const headBytes = 16 * 1024

/** Tags that begin a document or a script. Comments and text in pictures do not contain them. */
const markup = /<(?:!doctype|html|head|body|script|svg|iframe|object|embed|style|title|meta|link)[\s>/]/i
const markupBytes = 4096

/** Comments and declarations that may precede the root element of an SVG. */
const beforeSvg = /\s*(?:<!--(?:(?!-->)[\s\S])*-->|<\?xml[^>]*>|<!doctype\s+svg[^>]*>)/iy
const svg = /\s*<svg[\s>]/iy

/**
 * Rejects a file whose first bytes contradict its type.
 *
 * @param head the first `headBytes` bytes, or all if there are fewer
 */
export async function checkHead(head: Buffer, contentType: string): Promise<void> {
  if (!(await isOfType(head, contentType))) throw new AppError('CONTENT_MISMATCH')
}

async function isOfType(head: Buffer, contentType: string): Promise<boolean> {
  if (contentType === 'application/octet-stream') return true
  if (contentType === vectorType) return hasText(head) && isSvg(head.toString('utf8'))
  const { fileTypeFromBuffer, supportedMimeTypes } = await import('file-type')
  // The library parses untrusted headers. If it fails, the format is unknown.
  const found = await fileTypeFromBuffer(head).catch(() => undefined)
  const kind = found?.mime.split(';')[0]?.toLowerCase()

  if (/^(?:image|video|audio)\//.test(contentType)) {
    return kind !== undefined && isSameKind(kind, contentType) && !hasMarkup(head)
  }
  if (isText(contentType)) return hasText(head) && (kind === undefined || isText(kind))
  if (kind !== undefined && isSameKind(kind, contentType)) return true
  if (isZipped(contentType))
    return kind === 'application/x-cfb' || (kind !== undefined && isZipped(kind)) || isUnknown()
  return isUnknown()

  /** For types unknown to the library, accept every format except recognised media. */
  function isUnknown(): boolean {
    if (supportedMimeTypes.has(contentType)) return false
    return kind === undefined || kind.startsWith('application/')
  }
}

/** Matches step by step, because one expression for the whole prefix could backtrack excessively on hostile input. */
function isSvg(text: string): boolean {
  let at = text.startsWith('\uFEFF') ? 1 : 0
  do {
    beforeSvg.lastIndex = at
    svg.lastIndex = at
    if (svg.test(text)) return true
    at = beforeSvg.test(text) ? beforeSvg.lastIndex : -1
  } while (at > 0)
  return false
}

const hasMarkup = (head: Buffer) => markup.test(head.subarray(0, markupBytes).toString('latin1'))

/** UTF-16 text contains zero bytes, but begins with a byte order mark. */
function hasText(head: Buffer): boolean {
  const mark = head.length < 2 ? 0 : head.readUInt16BE(0)
  return mark === 0xfeff || mark === 0xfffe || !head.includes(0)
}

/** Returns the size of a measurable picture; null for every other file. Rejects broken and too large pictures. */
export async function measure(path: string, contentType: string): Promise<PictureSize | null> {
  const format = measuredFormat(contentType)
  if (format === undefined) return null
  const size = await pictureSize(path, format)
  if (size === undefined) throw new AppError('CONTENT_MISMATCH')
  if (size.width * size.height > limits.imagePixelsMax) throw new AppError('IMAGE_TOO_LARGE')
  return size
}
