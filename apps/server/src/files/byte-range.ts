import type { ByteRange } from '#platform/files/file-driver.ts'

/**
 * Returns the range that a `range` header requests (RFC 9110 14.2). Returns undefined for the whole file, which is
 * also the answer to multiple ranges and to an invalid header.
 */
export function byteRange(header: string | undefined, size: number): ByteRange | 'not there' | undefined {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined
  if (first === '') {
    // A suffix range: the last bytes of the file.
    const length = Number(last)
    return length === 0 || size === 0 ? 'not there' : { start: Math.max(0, size - length), end: size - 1 }
  }
  const start = Number(first)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && Number(last) < start) return undefined
  return start >= size ? 'not there' : { start, end }
}
