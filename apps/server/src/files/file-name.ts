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
  return `${withoutHidden(kept).replace(/[\s.]+$/, '') || 'file'}${extension}`
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
