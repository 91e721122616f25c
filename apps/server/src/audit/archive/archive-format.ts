import { createHash } from 'node:crypto'
import { pipeline, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { explain } from '#platform/app-error.ts'
import { FileMissing } from '#platform/files/file-driver.ts'

/*
 * A file of the archive consists of compressed JSON lines. The first line names the digest of the previous file. Every
 * further line starts with a hash of its content and of the previous hash, so that each line fixes all lines before it.
 * The last line contains the number of entries, and its hash is the digest of the file.
 */

export interface ArchiveHeader {
  number: number
  /** Digest of the previous file; null in the first file. */
  previous: string | null
}

export interface ArchiveSummary extends ArchiveHeader {
  entries: number
  digest: string
}

/** The archive was changed after it was written. The message names the place. */
export class ArchiveBroken extends Error {
  override readonly name = 'ArchiveBroken'
}

const kind = 'pult-audit-archive'
const hashOf = (...parts: string[]) => createHash('sha256').update(parts.join('\n')).digest('hex')

export function createArchiveWriter({ number, previous }: ArchiveHeader) {
  const head = JSON.stringify({ kind, version: 1, number, previous })
  let hash = hashOf(head)
  let entries = 0

  const line = (name: 'entry' | 'end', content: string) => {
    hash = hashOf(hash, content)
    return `{"hash":"${hash}","${name}":${content}}\n`
  }
  return {
    head: `${head}\n`,
    /** Returns the line of an entry, which is given as one line of JSON. */
    add(entry: string): string {
      entries += 1
      return line('entry', entry)
    },
    end: () => line('end', JSON.stringify({ entries })),
    summary: (): ArchiveSummary => ({ number, previous, entries, digest: hash }),
  }
}

/** With `s`, because entries may contain the line separators of Unicode. */
const linePattern = /^\{"hash":"([0-9a-f]{64})","(entry|end)":(.+)\}$/s

/**
 * Reads a whole file and proves that it is complete and unchanged. Throws ArchiveBroken if not, and passes on errors of
 * the file store.
 */
export async function verifyArchiveFile(content: Readable): Promise<ArchiveSummary> {
  let header: ArchiveHeader | undefined
  let hash = ''
  let entries = 0
  let isEnded = false
  let lines = 0
  const broken = (what: string) => new ArchiveBroken(`line ${lines}: ${what}`)
  for await (const line of linesOf(content, () => lines)) {
    lines += 1
    if (header === undefined) {
      header = readHeader(line)
      hash = hashOf(line)
      continue
    }
    if (isEnded) throw broken('a line was added after the end')
    const [, found, name, text] = linePattern.exec(line) ?? []
    if (text === undefined) throw broken('this is not a line of an archive')
    hash = hashOf(hash, text)
    if (hash !== found)
      throw broken('this line was changed or moved, or the line before it was changed, moved or removed')
    if (name === 'entry') {
      entries += 1
    } else {
      isEnded = true
      if (text !== JSON.stringify({ entries })) throw broken('the number of entries is wrong')
    }
  }
  if (header === undefined) throw new ArchiveBroken('it is empty')
  if (!isEnded) throw new ArchiveBroken(`it ends after line ${lines}: the rest is missing`)
  return { ...header, entries, digest: hash }
}

function readHeader(line: string): ArchiveHeader {
  try {
    const header = JSON.parse(line) as { kind?: unknown; version?: unknown } & ArchiveHeader
    if (header.kind === kind && header.version === 1) return header
  } catch {
    // The error below covers invalid JSON as well.
  }
  throw new ArchiveBroken('line 1: this is not the header of an audit archive')
}

/** Yields the lines without their ends. Omits a last line without an end, because it is incomplete. */
async function* linesOf(content: Readable, read: () => number): AsyncGenerator<string> {
  const text = createGunzip()
  pipeline(content, text, () => {})
  text.setEncoding('utf8')
  let rest = ''
  try {
    for await (const chunk of text as AsyncIterable<string>) {
      const pieces = (rest + chunk).split('\n')
      rest = pieces.pop() ?? ''
      yield* pieces
    }
  } catch (error) {
    // An error of the file store, which does not show whether the bytes changed.
    if (!(error as NodeJS.ErrnoException).code?.startsWith('Z_')) throw error
    throw new ArchiveBroken(`after line ${read()}: the rest cannot be read (${(error as Error).message})`)
  }
}

/** A file of the archive to verify. `known` are the values in the database, if there is one. */
export interface FileToVerify {
  name: string
  open: () => Promise<Readable>
  known?: Omit<ArchiveSummary, 'previous'>
}

export interface Verified {
  files: number
  entries: number
  /** Digest of the newest file; null without files. */
  digest: string | null
  /** The places at which the archive was changed, in order. */
  breaks: string[]
}

/**
 * Verifies all files, and that each continues the previous one. Continues after a break, so that it finds all of them.
 * Throws if a file cannot be read, because the archive may still be unchanged.
 */
export async function verifyArchive(files: readonly FileToVerify[]): Promise<Verified> {
  const found: (ArchiveSummary & { name: string })[] = []
  const breaks: string[] = []
  const unread = new Set<number>()
  for (const { name, open, known } of files) {
    try {
      const summary = await verifyArchiveFile(await open())
      found.push({ ...summary, name })
      if (known !== undefined && (known.number !== summary.number || known.digest !== summary.digest))
        breaks.push(`${name} differs from the file that the database knows: its digest is ${summary.digest}`)
    } catch (error) {
      if (!(error instanceof ArchiveBroken || error instanceof FileMissing))
        throw new Error(`${name} could not be read: ${explain(error)}`, { cause: error })
      breaks.push(`${name}, ${error instanceof FileMissing ? 'it is missing' : error.message}`)
      if (known !== undefined) unread.add(known.number)
    }
  }
  found.sort((a, b) => a.number - b.number)
  let before: (typeof found)[number] | undefined
  for (const file of found) {
    const expected = (before?.number ?? 0) + 1
    if (file.number < expected) breaks.push(`${file.name} repeats number ${file.number}`)
    for (let number = expected; number < file.number; number += 1)
      if (!unread.has(number)) breaks.push(`number ${number} is missing or could not be read`)
    if (file.number === expected && file.previous !== (before?.digest ?? null))
      breaks.push(`${file.name} does not continue ${before?.name ?? 'nothing: an earlier file is missing'}`)
    before = file
  }
  return {
    files: found.length,
    entries: found.reduce((sum, { entries }) => sum + entries, 0),
    digest: before?.digest ?? null,
    breaks,
  }
}
