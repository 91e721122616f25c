import type { FileRecord } from '../files/file-store.ts'

/** One version of a medium as it is kept: a file, and what it shows. */
export interface KeptFormat {
  /** `original`, `large`, `medium`, `thumb`. */
  name: string
  /** The id of the file. */
  file: string
  mime: string
  /** Bytes. */
  size: number
  /** Pixels, as it is shown. */
  width: number | null
  height: number | null
}

export type MediaType = 'image' | 'video' | 'audio'

/** Pictures that browsers show and of which formats can be made. SVG is none of them: it is a document with scripts. */
const pictures = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif'])

/** What a file can be shown as; null for what is no medium. */
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

/** What people called the file, without its ending. */
export function labelOf({ name }: Pick<FileRecord, 'name'>): string {
  const stem = name.replace(/\.[^.]{1,10}$/, '').trim()
  return [...(stem === '' ? name : stem)].slice(0, 200).join('')
}
