import type { ContentMismatch } from '@pult/contract'
import { AppError } from '#platform/app-error.ts'
import type { Sentence } from '#platform/language.ts'
import { extensionOf } from './file-name.ts'
import { type FileKind, type Format, measuredFormat } from './media-types.ts'

/** Formats whose name is not their extension in upper case. */
const formatNames: ReadonlyMap<string, string> = new Map([
  ['image/jpeg', 'JPEG'],
  ['image/webp', 'WebP'],
  ['image/tiff', 'TIFF'],
  ['image/vnd.ms-photo', 'JPEG XR'],
  ['image/jxl', 'JPEG XL'],
  ['image/heic-sequence', 'HEIC'],
  ['video/webm', 'WebM'],
  ['audio/webm', 'WebM'],
])

const kinds = {
  image: { de: 'picture', 'de-DE': ['ein', 'Bild'] },
  video: { de: 'video', 'de-DE': ['ein', 'Video'] },
  audio: { de: 'sound', 'de-DE': ['eine', 'Tondatei'] },
  file: { de: 'file', 'de-DE': ['eine', 'Datei'] },
} as const

/** The article follows the sound of the name: an MP4 video, a PDF file. */
const article = (name: string) => (/^(?:[AEIO]|SVG|RTF|XML|FLV|MXF|[LMNRX]\d|M[PK])/.test(name) ? 'an' : 'a')

function otherFormat({ name, contentType }: FileKind, { type, extension }: Format): Sentence {
  const format = formatNames.get(type) ?? extension.toUpperCase()
  const kind = kinds[type.split('/')[0] as keyof typeof kinds] ?? kinds.file
  const [ein, noun] = kind['de-DE']
  const given = extensionOf(name)
  const what = {
    de: `This is ${article(format)} ${format} ${kind.de}`,
    'de-DE': `Dies ist ${ein} ${format}-${noun}`,
  }
  if (given === undefined || given === extension)
    return { de: `${what.de}, not ${contentType}`, 'de-DE': `${what['de-DE']}, nicht ${contentType}` }
  const isUseless = type.startsWith('image/') && measuredFormat(type) === undefined
  return {
    de: `${what.de} named .${given}. ${
      isUseless ? 'Save it as JPEG or PNG' : `Rename it to .${extension}`
    }, and upload it again`,
    'de-DE': `${what['de-DE']} mit der Endung .${given}. ${
      isUseless ? 'Speichern Sie es als JPEG oder PNG' : `Ändern Sie die Endung zu .${extension}`
    }, und laden Sie die Datei erneut hoch`,
  }
}

const sentences = {
  empty: { de: 'The file is empty', 'de-DE': 'Die Datei ist leer' },
  broken: {
    de: 'The picture is damaged. Save it again in a picture editor',
    'de-DE': 'Das Bild ist beschädigt. Speichern Sie es in einem Bildprogramm neu',
  },
  page: {
    de: 'The file is a web page, so it is not stored under its type',
    'de-DE': 'Die Datei ist eine Webseite und wird deshalb nicht unter ihrem Typ gespeichert',
  },
  compressed: {
    de: 'This is a compressed drawing. Decompress it, and upload the SVG file',
    'de-DE': 'Dies ist eine komprimierte Zeichnung. Entpacken Sie sie, und laden Sie die SVG-Datei hoch',
  },
} as const satisfies Partial<Record<ContentMismatch['reason'], Sentence>>

/** Returns the refusal of a picture that is announced in a format that the server cannot measure. */
export function unsupportedPicture(contentType: string): AppError {
  const format = contentType.replace(/^image\/(?:x-|vnd\.)?/, '').toUpperCase()
  return new AppError('UNSUPPORTED_MEDIA_TYPE', {
    message: {
      de: `${format} pictures are not accepted. Save the picture as JPEG or PNG, and upload it again`,
      'de-DE': `${format}-Bilder werden nicht angenommen. Speichern Sie das Bild als JPEG oder PNG, und laden Sie es erneut hoch`,
    },
  })
}

/** Returns the refusal of a file that is not what was announced, with its reason as message and detail. */
export function mismatch(reason: ContentMismatch['reason'], announced: FileKind, found?: Format): AppError {
  const message =
    reason === 'unknown' || reason === 'other'
      ? found !== undefined && otherFormat(announced, found)
      : sentences[reason]
  return new AppError('CONTENT_MISMATCH', {
    ...(message && { message }),
    data: { reason, ...(found !== undefined && { found: found.type }) } satisfies ContentMismatch,
  })
}
