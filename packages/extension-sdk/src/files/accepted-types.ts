/**
 * Returns whether a file matches an input's `accept` list: `image/*`, `text/csv`, `.csv`, separated by commas. Browsers
 * do not check dropped and pasted files. A file without type and extension, such as an attachment of a mail, can be a
 * medium; the server inspects its content.
 */
export function isAcceptedType({ name, type }: Pick<File, 'name' | 'type'>, accept: string): boolean {
  const given = type.split(';')[0]?.trim().toLowerCase() ?? ''
  return accept.split(',').some((part) => {
    const wanted = part.trim().toLowerCase()
    if (wanted === '*/*') return true
    if (wanted.startsWith('.')) return name.toLowerCase().endsWith(wanted)
    if (given === '') return /^(?:image|video|audio)\//.test(wanted) && !name.includes('.')
    if (wanted.endsWith('/*')) return given.startsWith(wanted.slice(0, -1))
    return given === wanted
  })
}
