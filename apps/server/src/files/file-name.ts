import { limits } from '@pult/contract'

/** Nothing that directs text, hides in it or ends a line: such a name shows another type than it has. */
const invisible = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\u2028\u2029]/gu
/** What some system does not take in a name. */
const notInNames = /[<>:"|?*]/g
/** https://learn.microsoft.com/windows/win32/fileio/naming-a-file */
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

/** What people call a file, from what a client says: the last part of a path, without anything that could harm. */
export function displayName(given: string): string {
  const last = given.toWellFormed().split(/[/\\]/).at(-1) ?? ''
  const clean = last
    .replace(invisible, '')
    .normalize('NFC')
    .replace(notInNames, '_')
    .replace(/^[\s.]+|[\s.]+$/g, '')
  if (clean === '') return 'file'
  return shortened(reserved.test(clean) ? `_${clean}` : clean)
}

/** File systems count bytes. The extension stays. */
function shortened(name: string): string {
  const [, stem = name, extension = ''] = /^(.+)(\.[\p{L}\p{N}]{1,16})$/u.exec(name) ?? []
  let kept = stem
  while (Buffer.byteLength(kept + extension) > limits.fileNameMax) kept = [...kept].slice(0, -1).join('')
  return kept + extension
}

/** RFC 6266 4.3 and its appendix D: a plain form for old programs, and one in any script. */
export function dispositionOf(kind: 'attachment' | 'inline', name: string): string {
  const plain = name.replace(/[^\x20-\x7e]/g, '_').replace(/["\\%]/g, '_')
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${kind}; filename="${plain}"; filename*=UTF-8''${encoded}`
}
