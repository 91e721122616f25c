import type { Readable } from 'node:stream'

/*
 * Where the bytes of files are. Names are made by the server, 32 hexadecimal digits, and nothing else becomes part of a
 * path or a key.
 */

export interface ByteRange {
  start: number
  /** Included. */
  end: number
}

/** What is known of bytes that have been written. */
export interface WrittenFile {
  size: number
  sha256: Buffer | null
}

export interface WriteOptions {
  contentType: string
  /** Bytes after which `tooLong` is thrown. */
  most: number
  tooLong: () => Error
  signal?: AbortSignal | undefined
}

/** Throws DISK_FULL when there is no space, and FileMissing for what is not there. */
export interface FileDriver {
  /** Writes a file whole or not at all. */
  write(name: string, content: Readable, options: WriteOptions): Promise<WrittenFile>
  read(name: string, range?: ByteRange): Promise<Readable>
  /** Of a file that is not there it does nothing. */
  remove(name: string): Promise<void>
  /** The names of all that has lain here for longer than that many milliseconds, in portions. */
  olderThan(age: number): AsyncGenerator<string[]>
  /** Bytes that fit in; undefined when nobody knows. */
  freeSpace(): Promise<number | undefined>
  /** How clients bring bytes: through this server into parts, or to the store itself. */
  uploads: PartStore | DirectUploads
}

/** Bytes that arrive here, and may arrive in several goes. */
export interface PartStore {
  kind: 'parts'
  /** Goes on after so many bytes of what has arrived; what lies behind them is cut off. */
  open(name: string, offset: number): Promise<Part>
  remove(name: string): Promise<void>
}

export interface Part {
  /** Where it grows. */
  path: string
  /** Bytes that were given to it. */
  position(): number
  /**
   * Resolves when the next portion may come. What goes wrong with this one is thrown by whatever is called next. With
   * `isLastUse` nobody else has the chunks, and they are gone once they are written.
   */
  write(chunks: readonly Buffer[], options?: { isLastUse?: boolean }): Promise<void>
  /** The first bytes. */
  head(length: number): Promise<Buffer>
  /** What has been written stays, also after a power cut. */
  sync(): Promise<void>
  /** The same of all of it, and what it is. */
  finish(): Promise<WrittenFile>
  /** Makes a file of it, once it is finished. */
  keep(): Promise<void>
  /** Once for every part. */
  close(): Promise<void>
}

/** A store elsewhere, to which clients send their bytes and from which they read. */
export interface DirectUploads {
  kind: 'direct'
  /** Of the store, for the console's content security policy. */
  origin: string
  /** Bytes that one PUT may bring. */
  most: number
  /** An address for a PUT of exactly this type and length. */
  addressToPut(
    name: string,
    file: { contentType: string; size: number },
    seconds: number,
  ): Promise<{ url: string; headers: Record<string, string> }>
  /** What has come there; undefined when nothing has. */
  arrived(name: string): Promise<ArrivedUpload | undefined>
  /** An address from which a file is read as it is said there. */
  addressToGet(
    name: string,
    answer: { contentType: string; disposition: string },
    seconds: number,
  ): Promise<string>
}

/** Bytes as they were when they were found: what somebody puts in their place later is not kept. */
export interface ArrivedUpload {
  size: number
  head(length: number): Promise<Buffer>
  /** With a path on this machine under which all of it is meanwhile. */
  withPath<Result>(look: (path: string) => Promise<Result>): Promise<Result>
  /** Makes a file of it. */
  keep(): Promise<void>
  remove(): Promise<void>
}

/** The bytes of a file are not where they should be. */
export class FileMissing extends Error {
  override readonly name = 'FileMissing'
}
