import { gzipSync } from 'node:zlib'

export interface ArchivedFile {
  /** Relative to the archive's root, with forward slashes. */
  path: string
  content: Uint8Array
  /** Sets the executable bits. */
  isExecutable?: boolean
}

const blockSize = 512
/**
 * Fixed time of all files, so that the same files yield the same bytes. npm uses it too, as some tools reject older
 * times.
 */
const modified = Date.UTC(1985, 9, 26, 8, 15) / 1000

/** Packs the files into a `.tgz`, ordered by path. The same files yield the same bytes on every machine. */
export function archiveOf(files: readonly ArchivedFile[]): Buffer {
  const blocks = files
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
    .flatMap((file) => [headerOf(file), file.content, Buffer.alloc(padding(file.content.length))])
  const archive = gzipSync(Buffer.concat([...blocks, Buffer.alloc(2 * blockSize)]), { level: 9 })
  // "Unknown" in the gzip header, so that the archive does not reveal the operating system.
  archive[9] = 255
  return archive
}

const padding = (size: number) => (blockSize - (size % blockSize)) % blockSize

/** Returns a POSIX.1-1988 (ustar) header. Its two fields hold a path of up to 255 characters. */
function headerOf({ path, content, isExecutable = false }: ArchivedFile): Buffer {
  const header = Buffer.alloc(blockSize)
  const { name, prefix } = split(path)
  header.write(name, 0)
  header.write(octal(isExecutable ? 0o755 : 0o644, 8), 100)
  header.write(octal(0, 8), 108)
  header.write(octal(0, 8), 116)
  header.write(octal(content.length, 12), 124)
  header.write(octal(modified, 12), 136)
  // The checksum is computed while its field contains spaces.
  header.write(' '.repeat(8), 148)
  header.write('0', 156)
  header.write('ustar\u000000', 257)
  header.write(prefix, 345)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return header
}

const octal = (value: number, size: number) => `${value.toString(8).padStart(size - 1, '0')}\0`

function split(path: string): { name: string; prefix: string } {
  if (Buffer.byteLength(path) <= 100) return { name: path, prefix: '' }
  const slash = path.indexOf('/', path.length - 101)
  if (slash < 0 || slash > 155 || Buffer.byteLength(path) !== path.length)
    throw new Error(`${path} is too long for a path in an archive`)
  return { name: path.slice(slash + 1), prefix: path.slice(0, slash) }
}
