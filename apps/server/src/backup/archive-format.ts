import { createHash } from 'node:crypto'
import * as z from 'zod/mini'

/*
 * An archive is a line that names the format, then frames: one byte for the kind, four for the length, the payload. The
 * last frame contains the digest of everything before it, so that every changed, missing or added byte is detected.
 */

const firstLine = Buffer.from('pult-backup 1\n')
const frameKinds = { header: 1, part: 2, data: 3, partEnd: 4, end: 5, piece: 6 } as const
const frameHeadLength = 5
/** A longer frame is treated as damage. */
const payloadMax = 16 * 1024 ** 2
const dataMax = 1024 ** 2

const headerSchema = z.object({
  createdAt: z.string(),
  /** Version of Pult. */
  version: z.string(),
  postgres: z.string(),
  /** Schema version of the job queue; null before its first start. */
  jobs: z.nullable(z.number()),
  /** Names of the migrations, in their order. */
  migrations: z.array(z.string()),
  /** Proves which secret belongs to the data. */
  keyCheck: z.string(),
  /** The secret; null in an archive that is not encrypted. */
  secret: z.nullable(z.string()),
})
export type ArchiveHeader = z.infer<typeof headerSchema>

const partSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('table'), schema: z.string(), name: z.string(), columns: z.array(z.string()) }),
  z.object({ kind: z.literal('sequences') }),
  z.object({ kind: z.literal('files') }),
  z.object({ kind: z.literal('extensions') }),
])
export type PartHead = z.infer<typeof partSchema>

/** Rows are null for a part that is not a table. */
const partEndSchema = z.object({ rows: z.nullable(z.number()), bytes: z.number(), sha256: z.string() })
export type PartEnd = z.infer<typeof partEndSchema>

const pieceSchema = z.object({
  /** The name of the file that contains the rows, compressed. */
  stored: z.string().check(z.regex(/^[0-9a-f]{64}\.rows(\.[0-9a-f]{16}\.age)?$/)),
  /** The digest of the rows as text. */
  sha256: z.string(),
  /** The private key of the file as base64url; null in an archive that is not encrypted. */
  key: z.nullable(z.string()),
})
/** Rows of a table that are stored beside the archive, once for all archives. */
export type Piece = z.infer<typeof pieceSchema>

export interface PartToWrite {
  head: PartHead
  content: AsyncIterable<Buffer | { piece: Piece; text: Buffer }>
  /** Called after the content has ended. */
  rows?: () => number
}

export type ArchiveEvent =
  | { kind: 'header'; header: ArchiveHeader }
  | { kind: 'part'; head: PartHead }
  | { kind: 'data'; chunk: Buffer }
  | ({ kind: 'partEnd' } & PartEnd)

/** The archive is damaged, or the file is not an archive. */
export class BrokenArchive extends Error {
  override readonly name = 'BrokenArchive'
}

export async function* writeArchive(
  header: ArchiveHeader,
  parts: AsyncIterable<PartToWrite>,
): AsyncGenerator<Buffer> {
  const whole = createHash('sha256')
  const hashed = (bytes: Buffer) => {
    whole.update(bytes)
    return bytes
  }
  const frame = (kind: keyof typeof frameKinds, payload: Buffer) => hashed(framed(kind, payload))
  const json = (value: unknown) => Buffer.from(JSON.stringify(value))

  yield hashed(firstLine)
  yield frame('header', json(header))
  for await (const { head, content, rows } of parts) {
    yield frame('part', json(head))
    const digest = createHash('sha256')
    let bytes = 0
    for await (const chunk of content) {
      const { piece, text } = Buffer.isBuffer(chunk) ? { piece: undefined, text: chunk } : chunk
      digest.update(text)
      bytes += text.length
      if (piece !== undefined) yield frame('piece', json(piece))
      else
        for (let at = 0; at < text.length; at += dataMax) yield frame('data', text.subarray(at, at + dataMax))
    }
    const end: PartEnd = { rows: rows?.() ?? null, bytes, sha256: digest.digest('hex') }
    yield frame('partEnd', json(end))
  }
  yield framed('end', whole.digest())
}

function framed(kind: keyof typeof frameKinds, payload: Buffer): Buffer {
  const bytes = Buffer.allocUnsafe(frameHeadLength + payload.length)
  bytes.writeUInt8(frameKinds[kind], 0)
  bytes.writeUInt32BE(payload.length, 1)
  payload.copy(bytes, frameHeadLength)
  return bytes
}

/**
 * Reads and checks an archive. Throws a {@link BrokenArchive} at the first byte that has changed.
 *
 * @param readPiece Returns the rows of a piece. Without it, they are left out and not checked.
 */
export async function* readArchive(
  source: AsyncIterable<Uint8Array>,
  readPiece?: (piece: Piece) => AsyncIterable<Uint8Array>,
): AsyncGenerator<ArchiveEvent> {
  const input = createInput(source)
  const whole = createHash('sha256')
  const take = async (length: number) => {
    const bytes = await input.take(length)
    whole.update(bytes)
    return bytes
  }
  if (!(await take(firstLine.length)).equals(firstLine))
    throw new BrokenArchive('it is not an archive of Pult')

  let isHeaderRead = false
  let part: { digest: ReturnType<typeof createHash>; bytes: number; isWhole: boolean } | undefined
  for (;;) {
    const before = whole.copy()
    const head = await take(frameHeadLength)
    const kind = head.readUInt8(0)
    const length = head.readUInt32BE(1)
    if (length > payloadMax) throw new BrokenArchive('a frame has an impossible length')
    const payload = await take(length)

    if (kind === frameKinds.header && !isHeaderRead) {
      isHeaderRead = true
      yield { kind: 'header', header: parsed(headerSchema, payload) }
    } else if (kind === frameKinds.part && isHeaderRead && part === undefined) {
      part = { digest: createHash('sha256'), bytes: 0, isWhole: true }
      yield { kind: 'part', head: parsed(partSchema, payload) }
    } else if (kind === frameKinds.data && part !== undefined) {
      part.digest.update(payload)
      part.bytes += length
      yield { kind: 'data', chunk: payload }
    } else if (kind === frameKinds.piece && part !== undefined) {
      const piece = parsed(pieceSchema, payload)
      if (readPiece === undefined) part.isWhole = false
      else
        for await (const { buffer, byteOffset, byteLength } of readPiece(piece)) {
          const chunk = Buffer.from(buffer, byteOffset, byteLength)
          part.digest.update(chunk)
          part.bytes += byteLength
          yield { kind: 'data', chunk }
        }
    } else if (kind === frameKinds.partEnd && part !== undefined) {
      const end = parsed(partEndSchema, payload)
      if (part.isWhole && (end.bytes !== part.bytes || end.sha256 !== part.digest.digest('hex')))
        throw new BrokenArchive('a part has changed')
      part = undefined
      yield { kind: 'partEnd', ...end }
    } else if (kind === frameKinds.end && isHeaderRead && part === undefined) {
      if (!before.digest().equals(payload)) throw new BrokenArchive('its digest does not match')
      if (!(await input.isAtEnd())) throw new BrokenArchive('data follows its end')
      return
    } else throw new BrokenArchive('its parts are out of order')
  }
}

function parsed<Schema extends z.ZodMiniType>(schema: Schema, payload: Buffer): z.infer<Schema> {
  try {
    return schema.parse(JSON.parse(payload.toString('utf8')))
  } catch (cause) {
    throw new BrokenArchive('its metadata cannot be read', { cause })
  }
}

/** Reads exact lengths from chunks of any length. */
function createInput(source: AsyncIterable<Uint8Array>) {
  const chunks = source[Symbol.asyncIterator]()
  let held: Buffer[] = []
  let size = 0

  async function fill(length: number): Promise<boolean> {
    while (size < length) {
      const next = await chunks.next()
      if (next.done === true) return false
      const { buffer, byteOffset, byteLength } = next.value
      held.push(Buffer.from(buffer, byteOffset, byteLength))
      size += byteLength
    }
    return true
  }

  return {
    async take(length: number): Promise<Buffer> {
      if (!(await fill(length))) throw new BrokenArchive('its end is missing')
      const all = held.length === 1 && held[0] !== undefined ? held[0] : Buffer.concat(held)
      held = [all.subarray(length)]
      size -= length
      return all.subarray(0, length)
    },
    isAtEnd: async () => !(await fill(1)),
  }
}
