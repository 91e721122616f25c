/*
 * File types: those that the server measures, those that a browser may show in a page, and aliases.
 */

/** A file as its uploader announced it, or as its content shows it. */
export interface FileKind {
  /** The display name. */
  name: string
  contentType: string
}

/** The format of a content, with the extension of its files. */
export interface Format {
  type: string
  extension: string
}

/** Pictures, sounds and videos. */
export const isMedia = (contentType: string): boolean => /^(?:image|video|audio)\//.test(contentType)

/** Pictures that are measured before they are stored, with the name of the format for `pictureSize`. */
const measuredFormats: ReadonlyMap<string, string> = new Map([
  ['image/png', 'png'],
  ['image/jpeg', 'jpeg'],
  ['image/gif', 'gif'],
  ['image/webp', 'webp'],
  ['image/avif', 'heif'],
  ['image/tiff', 'tiff'],
  ['image/bmp', 'bmp'],
  ['image/x-icon', 'ico'],
])

export const measuredFormat = (contentType: string): string | undefined => measuredFormats.get(contentType)

export const vectorType = 'image/svg+xml'

/** Names that systems and programs use for these pictures. */
const pictureAliases: ReadonlyMap<string, string> = new Map([
  ['image/apng', 'image/png'],
  ['image/x-png', 'image/png'],
  ['image/jpg', 'image/jpeg'],
  ['image/pjpeg', 'image/jpeg'],
  ['image/tif', 'image/tiff'],
  ['image/x-tiff', 'image/tiff'],
  ['image/x-ms-bmp', 'image/bmp'],
  ['image/x-bmp', 'image/bmp'],
  ['image/vnd.microsoft.icon', 'image/x-icon'],
])

/** Returns the usual name of a picture's type. Other types remain as they are. */
export const canonicalType = (contentType: string): string => pictureAliases.get(contentType) ?? contentType

/** A picture in an unmeasurable format could have any dimensions. It can be uploaded only as plain bytes. */
export const isAccepted = (contentType: string): boolean =>
  !contentType.startsWith('image/') ||
  contentType === vectorType ||
  measuredFormats.has(canonicalType(contentType))

const shownInPages: ReadonlySet<string> = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/bmp',
  'image/x-icon',
  'video/mp4',
  'video/webm',
  'video/ogg',
  'audio/mpeg',
  'audio/mp4',
  'audio/x-m4a',
  'audio/aac',
  'audio/ogg',
  'audio/webm',
  'audio/wav',
  'audio/flac',
])

/** Types that a browser shows without running content. Never a PDF, an SVG or a document. */
export const mayBeShown = (contentType: string): boolean => shownInPages.has(contentType)

/** Aliases: names of one format that differ by operating system or by the content of a container. */
const families: readonly ReadonlySet<string>[] = [
  new Set([
    'video/mp4',
    'audio/mp4',
    'audio/x-m4a',
    'audio/m4a',
    'video/x-m4v',
    'video/quicktime',
    'video/3gpp',
    'video/3gpp2',
  ]),
  new Set(['video/webm', 'audio/webm', 'video/matroska', 'video/x-matroska', 'audio/x-matroska']),
  new Set(['video/ogg', 'audio/ogg', 'application/ogg', 'audio/opus']),
  new Set(['video/vnd.avi', 'video/x-msvideo', 'video/avi']),
  new Set(['video/mpeg', 'video/mp2t', 'video/mp2p', 'video/mp1s']),
  new Set(['video/x-ms-asf', 'audio/x-ms-asf', 'application/vnd.ms-asf', 'video/x-ms-wmv', 'audio/x-ms-wma']),
  new Set(['audio/wav', 'audio/x-wav', 'audio/wave', 'audio/vnd.wave']),
  new Set(['audio/mpeg', 'audio/mp3', 'audio/x-mp3']),
  new Set(['audio/flac', 'audio/x-flac']),
  new Set(['audio/aac', 'audio/x-aac', 'audio/aacp']),
  new Set(['audio/aiff', 'audio/x-aiff']),
  new Set(['audio/vnd.dolby.dd-raw', 'audio/ac3', 'audio/x-ac3']),
  new Set(['audio/basic', 'audio/x-basic', 'audio/au', 'audio/x-au']),
  new Set(['audio/midi', 'audio/x-midi', 'audio/mid']),
  new Set(['application/gzip', 'application/x-gzip', 'application/x-compressed-tar']),
  new Set(['application/x-bzip2', 'application/x-bzip']),
  new Set(['application/x-rar-compressed', 'application/vnd.rar', 'application/x-rar']),
  new Set(['application/xml', 'text/xml']),
  // Illustrator writes PDF into .ai files, which systems take for PostScript.
  new Set(['application/postscript', 'application/eps', 'application/pdf', 'application/illustrator']),
  new Set(['font/ttf', 'application/x-font-ttf', 'application/font-sfnt']),
  new Set(['font/otf', 'application/x-font-otf', 'application/vnd.ms-opentype']),
  new Set(['font/woff', 'application/font-woff', 'application/x-font-woff']),
  // Raw pictures are TIFF, and a TIFF with a certain number of tags looks like one.
  new Set(['image/tiff', 'image/x-nikon-nef', 'image/x-sony-arw', 'image/x-adobe-dng', 'image/x-canon-cr2']),
]

export const isSameKind = (a: string, b: string): boolean =>
  a === b || families.some((family) => family.has(a) && family.has(b))

/** The registered names of containers and formats that the library names otherwise or in general. */
const soundAndVideo: ReadonlyMap<string, { audio: string; video: string }> = new Map([
  ['video/mp4', { audio: 'audio/mp4', video: 'video/mp4' }],
  ['audio/x-m4a', { audio: 'audio/mp4', video: 'audio/mp4' }],
  ['video/x-m4v', { audio: 'audio/mp4', video: 'video/mp4' }],
  ['video/webm', { audio: 'audio/webm', video: 'video/webm' }],
  ['video/matroska', { audio: 'audio/x-matroska', video: 'video/x-matroska' }],
  ['application/ogg', { audio: 'audio/ogg', video: 'video/ogg' }],
  ['application/vnd.ms-asf', { audio: 'audio/x-ms-asf', video: 'video/x-ms-asf' }],
  ['video/mp1s', { audio: 'video/mpeg', video: 'video/mpeg' }],
  ['video/mp2p', { audio: 'video/mpeg', video: 'video/mpeg' }],
])

/**
 * Returns the type of a file that was announced as another one: of a picture in an accepted format that was announced as a
 * picture, and of a sound or video that was announced as either. Undefined if it must not take the place of that type.
 */
export function typeInsteadOf(announced: string, found: string): string | undefined {
  if (announced.startsWith('image/')) {
    const picture = canonicalType(found)
    return measuredFormats.has(picture) ? picture : undefined
  }
  const kind = /^(audio|video)\//.exec(announced)?.[1] as 'audio' | 'video' | undefined
  if (kind === undefined) return undefined
  return soundAndVideo.get(found)?.[kind] ?? (/^(?:audio|video)\//.test(found) ? found : undefined)
}

/** Extensions of containers that contain sound only. */
const soundExtensions: ReadonlySet<string> = new Set(['m4a', 'm4b', 'mka', 'weba', 'oga', 'opus', 'spx'])

/**
 * Returns the type of a picture in an accepted format, of a sound or of a video that was announced as plain bytes.
 * Undefined for other formats.
 *
 * @param extension of the name. It decides whether a container is a sound.
 */
export const mediaTypeOfBytes = ({ type }: Format, extension = ''): string | undefined =>
  typeInsteadOf('image/*', type) ??
  typeInsteadOf(soundExtensions.has(extension) ? 'audio/*' : 'video/*', type)

/** Formats with a signature of two bytes, with which other bytes begin by chance. */
const briefSignatures: ReadonlySet<string> = new Set([
  'audio/aac',
  'audio/mpeg',
  'audio/vnd.dolby.dd-raw',
  'video/mp2t',
])

export const hasBriefSignature = ({ type }: Format): boolean => briefSignatures.has(type)

/** Formats that are ZIP archives; the bytes that identify the format may be far from the start. */
export const isZipped = (contentType: string): boolean =>
  /^application\/(?:(?:x-)?zip(?:-compressed)?$|epub\+zip$|java-archive$|x-xpinstall$|vnd\.(?:openxmlformats|oasis|ms-|visio|android|apple))/.test(
    contentType,
  ) || contentType === 'model/3mf'

/** Text formats. */
export const isText = (contentType: string): boolean =>
  contentType.startsWith('text/') ||
  /^application\/(?:json|xml|javascript|ecmascript|x-ndjson|yaml|toml|sql|x-sh)$|\+(?:json|xml)$/.test(
    contentType,
  )

/** Formats that the library recognises only in some of their forms. */
const partlyRecognised: ReadonlySet<string> = new Set([
  'application/dicom',
  'application/x-apple-diskimage',
  'application/x-iso9660-image',
  'application/x-tar',
  'model/stl',
])

/** Returns whether each file of this type can be recognised, given the types that the library knows. */
export const isRecognisable = (contentType: string, known: ReadonlySet<string>): boolean =>
  known.has(contentType) && !partlyRecognised.has(contentType)
