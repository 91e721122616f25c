import { limits } from '@pult/contract'
import { AppError } from '#platform/app-error.ts'
import { type PictureSize, pictureSize } from '#platform/files/picture-size.ts'
import { isSameKind, isText, isZipped, measuredFormat, vectorType } from './media-types.ts'

/** As much as the library of types looks at. */
export const headBytes = 16 * 1024

/** What begins a document or a script of a page. Comments and other texts inside of pictures have no need of it. */
const markup = /<(?:!doctype|html|head|body|script|svg|iframe|object|embed|style|title|meta|link)[\s>/]/i
const markupBytes = 4096

/** What may stand before a picture of vectors, one thing after the other. */
const beforeSvg = /\s*(?:<!--(?:(?!-->)[\s\S])*-->|<\?xml[^>]*>|<!doctype\s+svg[^>]*>)/iy
const svg = /\s*<svg[\s>]/iy

/**
 * Refuses bytes that are something else than their type says, by how they begin.
 *
 * @param head the first `headBytes` of them, or all if there are fewer
 */
export async function checkHead(head: Buffer, contentType: string): Promise<void> {
  if (!(await isOfType(head, contentType))) throw new AppError('CONTENT_MISMATCH')
}

async function isOfType(head: Buffer, contentType: string): Promise<boolean> {
  if (contentType === 'application/octet-stream') return true
  if (contentType === vectorType) return hasText(head) && isSvg(head.toString('utf8'))
  const { fileTypeFromBuffer, supportedMimeTypes } = await import('file-type')
  // The library reads headers that anybody may write; what it stumbles over is none that it knows.
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

  /** Of a type that the library does not know either, everything but what it does know as something to look at. */
  function isUnknown(): boolean {
    if (supportedMimeTypes.has(contentType)) return false
    return kind === undefined || kind.startsWith('application/')
  }
}

/** One step at a time: an expression for all of it tries each way to share out what a stranger wrote. */
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

/** UTF-16, which is full of zeros, says so in its first two bytes. */
function hasText(head: Buffer): boolean {
  const mark = head.length < 2 ? 0 : head.readUInt16BE(0)
  return mark === 0xfeff || mark === 0xfffe || !head.includes(0)
}

/** The size of a picture that can be measured; null for every other file. Refuses what is none, and a huge one. */
export async function measure(path: string, contentType: string): Promise<PictureSize | null> {
  const format = measuredFormat(contentType)
  if (format === undefined) return null
  const size = await pictureSize(path, format)
  if (size === undefined) throw new AppError('CONTENT_MISMATCH')
  if (size.width * size.height > limits.imagePixelsMax) throw new AppError('IMAGE_TOO_LARGE')
  return size
}
