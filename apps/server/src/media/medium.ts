import { firstCharacters, limits } from '@pult/contract'
import type { FileRecord } from '../files/file-store.ts'

/** One stored version of a medium: its file and its dimensions. */
export interface KeptFormat {
  /** `original`, `large`, `medium`, `thumb`. */
  name: string
  /** The id of the file. */
  file: string
  mime: string
  /** Bytes. */
  size: number
  /** Pixels after applying the orientation. */
  width: number | null
  height: number | null
  /** Set for a picture that moves. */
  isAnimated?: boolean
}

export type MediaType = 'image' | 'video' | 'audio'

/** Pictures that browsers show, but that the server cannot convert: the original is their only format. */
const unconvertible = new Set(['image/bmp', 'image/x-icon'])

export const isConvertible = (mime: string): boolean => !unconvertible.has(mime)

/** Pictures that browsers show. SVG is excluded, because it can contain scripts. */
const pictures = new Set([
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/gif',
  'image/avif',
  ...unconvertible,
])

/** Returns the media type of a MIME type; null if it is not a medium. */
export function mediaTypeOf(mime: string): MediaType | null {
  if (pictures.has(mime)) return 'image'
  if (mime.startsWith('video/')) return 'video'
  return mime.startsWith('audio/') ? 'audio' : null
}

export const originalOf = (file: FileRecord): KeptFormat => ({
  name: 'original',
  file: file.id,
  mime: file.contentType,
  size: file.size,
  width: file.width,
  height: file.height,
})

/** Returns the file name without its extension. */
export function labelOf({ name }: Pick<FileRecord, 'name'>): string {
  const stem = name.replace(/\.[^.]{1,10}$/, '').trim()
  return firstCharacters(stem === '' ? name : stem, limits.labelMax)
}
