/*
 * File types: those that the server measures, those that a browser may show in a page, and aliases.
 */

/** Pictures that are measured before they are stored, with the library's name of the format. */
const measuredFormats: ReadonlyMap<string, string> = new Map([
  ['image/png', 'png'],
  ['image/jpeg', 'jpeg'],
  ['image/gif', 'gif'],
  ['image/webp', 'webp'],
  ['image/avif', 'heif'],
  ['image/tiff', 'tiff'],
])

export const measuredFormat = (contentType: string): string | undefined => measuredFormats.get(contentType)

export const vectorType = 'image/svg+xml'

/** A picture in an unmeasurable format could have any dimensions. It can be uploaded only as plain bytes. */
export const isAccepted = (contentType: string): boolean =>
  !contentType.startsWith('image/') || contentType === vectorType || measuredFormats.has(contentType)

const shownInPages: ReadonlySet<string> = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
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
  new Set(['image/png', 'image/apng']),
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
  new Set(['audio/midi', 'audio/x-midi', 'audio/mid']),
  new Set(['application/gzip', 'application/x-gzip', 'application/x-compressed-tar']),
  new Set(['application/x-bzip2', 'application/x-bzip']),
  new Set(['application/x-rar-compressed', 'application/vnd.rar', 'application/x-rar']),
  new Set(['application/xml', 'text/xml']),
]

export const isSameKind = (a: string, b: string): boolean =>
  a === b || families.some((family) => family.has(a) && family.has(b))

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
