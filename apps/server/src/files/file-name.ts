import { limits, withoutHidden } from '@pult/contract'

/** Characters that some operating systems forbid in names. */
const notInNames = /[<>:"|?*]/g
/** https://learn.microsoft.com/windows/win32/fileio/naming-a-file */
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

/** Returns the display name of a file: the last part of the client's path, without harmful characters. */
export function displayName(given: string): string {
  const last = given.toWellFormed().split(/[/\\]/).at(-1) ?? ''
  // Hidden characters and controls of direction can disguise the type of a file.
  const clean = withoutHidden(last)
    .replace(notInNames, '_')
    .replace(/^[\s.]+|[\s.]+$/g, '')
  if (clean === '') return 'file'
  return shortened(reserved.test(clean) ? `_${clean}` : clean)
}

/** Shortens a name to the bytes that file systems accept, and keeps its extension. */
function shortened(name: string): string {
  const [, stem = name, extension = ''] = /^(.+)(\.[\p{L}\p{N}]{1,16})$/u.exec(name) ?? []
  let kept = ''
  for (const { segment } of new Intl.Segmenter().segment(stem)) {
    if (Buffer.byteLength(kept + segment + extension) > limits.fileNameMax) break
    kept += segment
  }
  // A joiner at the end joins nothing.
  return `${withoutHidden(kept).replace(/(?<![\s.])[\s.]+$/, '') || 'file'}${extension}`
}

const extension = /\.([\p{L}\p{N}]{1,16})$/u

/** Returns the extension of a name in lower case, without its dot. */
export const extensionOf = (name: string): string | undefined => extension.exec(name)?.[1]?.toLowerCase()

/** Extensions of one format, the usual one first. */
const sameExtensions: readonly (readonly string[])[] = [
  ['jpg', 'jpeg', 'jpe', 'jfif', 'pjpeg', 'pjp'],
  ['png', 'apng'],
  ['tif', 'tiff'],
  ['mp4', 'm4v', 'mov', 'm4a', 'm4b', '3gp'],
  ['mkv', 'webm', 'mka', 'weba'],
  ['ogg', 'oga', 'ogv', 'ogx', 'opus', 'spx'],
  ['mpg', 'mpeg'],
  ['ts', 'mts', 'm2ts'],
  ['aif', 'aiff'],
  ['mid', 'midi'],
]

/** Returns whether both are extensions of one format. */
export const isSameExtension = (given: string, wanted: string): boolean =>
  given === wanted || sameExtensions.some((one) => one.includes(given) && one.includes(wanted))

/** Returns the name with another extension, unless it has one of the same format. */
export function withExtension(name: string, wanted: string): string {
  const given = extensionOf(name)
  if (given !== undefined && isSameExtension(given, wanted)) return name
  // Digits behind a dot are no extension: a date, a version.
  const stem = given === undefined || /^\d+$/.test(given) ? name : name.replace(extension, '')
  return shortened(`${stem}.${wanted}`)
}

/** Returns the header of RFC 6266 4.3 and appendix D: an ASCII form for old programs and a Unicode form. */
export function dispositionOf(kind: 'attachment' | 'inline', name: string): string {
  const plain = name.replace(/[^\x20-\x7e]/g, '_').replace(/["\\%]/g, '_')
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${kind}; filename="${plain}"; filename*=UTF-8''${encoded}`
}
