import { hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { createSecrets } from '#platform/secrets.ts'
import type { Piece } from './archive-format.ts'
import { hasRows, type ListedFile } from './backup-folder.ts'
import type { BackupStore } from './backup-store.ts'
import { compressed } from './compression.ts'
import { encrypted, keyFrom, suffixFor } from './encryption.ts'

/*
 * The rows of a large table are stored in pieces, each once for all archives. The content decides where a piece ends,
 * so that added, changed and deleted rows leave the pieces before and after them as they are.
 */

const shortest = 1024 ** 2
const longest = 4 * 1024 ** 2
/** Bytes after `shortest` in which one row, on average, ends a piece. */
const usual = 1024 ** 2
const newline = 10

interface Split {
  text: Buffer
  /** False for the rest, which no row ends. */
  isPiece: boolean
}

/** Divides the rows of a table, one a line, in the same way for chunks of any length. */
export async function* splitRows(rows: AsyncIterable<Buffer>): AsyncGenerator<Split> {
  let held: Buffer[] = []
  let size = 0
  let row = { size: 0, crc: 0 }
  for await (const chunk of rows) {
    let start = 0
    for (let at = 0; at < chunk.length; ) {
      const found = chunk.indexOf(newline, at)
      const end = Math.min(found === -1 ? chunk.length : found + 1, at + longest - size)
      const isRow = end === found + 1
      row.crc = crc32(chunk.subarray(at, end), row.crc)
      row.size += end - at
      size += end - at
      at = end
      // In proportion to its size, so that short and long rows make pieces of the same size.
      const isLast = isRow && row.crc < row.size * (2 ** 32 / usual)
      if (isRow) row = { size: 0, crc: 0 }
      if (size < longest && (size < shortest || !isLast)) continue
      held.push(chunk.subarray(start, end))
      yield { text: Buffer.concat(held), isPiece: true }
      held = []
      size = 0
      start = end
    }
    held.push(chunk.subarray(start))
  }
  yield { text: Buffer.concat(held), isPiece: false }
}

interface PieceStoreParts {
  store: BackupStore
  /** The secret of the installation. */
  secret: string
  /** Without a recipient, the pieces are not encrypted. */
  recipient: string | undefined
  /** The files that the newest archive needs. */
  former: AsyncIterable<ListedFile>
  /** Returns whether a stored piece can be used again; without it, each can. */
  isWhole?: (piece: ListedFile) => Promise<boolean>
}

/**
 * Stores the rows of one backup. Each piece has its own key, which derives from its rows and the secret, and which the
 * archive contains. So a restore drill can read the pieces of earlier backups, and the secret alone opens none.
 */
export async function createPieceStore({ store, secret, recipient, former, isWhole }: PieceStoreParts) {
  const secrets = createSecrets(secret)
  const recipients = recipient === undefined ? [] : [recipient]
  /** Only the signed list proves that this installation has stored a piece: others may write to the place. */
  const known = new Map<string, ListedFile>()
  for await (const file of former) if (hasRows(file.stored)) known.set(file.stored, file)
  const needed = new Map<string, ListedFile>()

  async function find(stored: string): Promise<ListedFile | undefined> {
    const file = known.get(stored)
    // A power cut of a network storage leaves empty files.
    if (file === undefined || ((await store.sizeOf('files', stored)) ?? 0) === 0) return undefined
    return (await isWhole?.(file)) === false ? undefined : file
  }

  async function write({ stored, key }: Piece, text: Buffer): Promise<ListedFile> {
    const own = key === null ? [] : [(await keyFrom(key)).recipient]
    const content = await encrypted(compressed(Readable.from([text])), [...recipients, ...own])
    return { stored, sha256: (await store.write('files', stored, content)).sha256 }
  }

  async function keep(text: Buffer): Promise<Piece> {
    const sha256 = hash('sha256', text)
    // Not the digest itself: it would identify known rows and, with the secret, open the piece.
    const name = Buffer.from(secrets.mac('backup rows', sha256), 'base64url').toString('hex')
    const stored = `${name}.rows${suffixFor(recipient)}`
    const key = recipient === undefined ? null : secrets.mac('backup rows key', sha256)
    const piece = { stored, sha256, key }
    if (!needed.has(stored)) needed.set(stored, (await find(stored)) ?? (await write(piece, text)))
    return piece
  }

  return {
    /** Stores the pieces of a table. Yields them and the rest of its rows in their order. */
    async *divide(rows: AsyncIterable<Buffer>): AsyncGenerator<Buffer | { piece: Piece; text: Buffer }> {
      for await (const { text, isPiece } of splitRows(rows))
        yield isPiece ? { piece: await keep(text), text } : text
    },

    /** Returns the pieces of all tables, ordered by name. */
    needed: (): ListedFile[] => [...needed.values()].toSorted((a, b) => (a.stored < b.stored ? -1 : 1)),
  }
}
export type PieceStore = Awaited<ReturnType<typeof createPieceStore>>
