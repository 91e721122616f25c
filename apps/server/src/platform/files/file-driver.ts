import type { Readable } from 'node:stream'
import type { Space } from '../places/space.ts'

/*
 * Stores the bytes of files. The server creates their names, 32 hexadecimal digits; no other text becomes part of a
 * path or key.
 */

export interface ByteRange {
  start: number
  /** Inclusive. */
  end: number
}

/** Facts about written bytes. */
export interface WrittenFile {
  size: number
  sha256: Buffer | null
}

export interface WriteOptions {
  contentType: string
  /** Throws `tooLong` after this many bytes. */
  most: number
  tooLong: () => Error
  signal?: AbortSignal | undefined
}

/** Throws DISK_FULL without space, FileMissing for missing files, and BUSY while the store does not answer. */
export interface FileDriver {
  /** Writes a file completely or not at all. */
  write(name: string, content: Readable, options: WriteOptions): Promise<WrittenFile>
  read(name: string, range?: ByteRange): Promise<Readable>
  /** Also deletes what has arrived of an unfinished upload. Does nothing for a missing file. */
  remove(name: string): Promise<void>
  /** Yields the names of files that are older than `age` milliseconds, in batches. */
  olderThan(age: number): AsyncGenerator<string[]>
  /**
   * Returns an id that all nodes with this store see, and creates it when the store is new. Rejects for a folder that is
   * not the known one.
   */
  identify(): Promise<string>
  /**
   * Rejects with the reason while files cannot be read, written and deleted, or the folder is not the known one. A
   * bucket is proven at most every 10 min. With `isReading` it writes nothing, and so proves less: a command may run as
   * another user than the server.
   */
  check(options?: { isReading?: boolean }): Promise<void>
  /** The space of the disk; undefined if unknown. With `isReading`, it does not create the folder. */
  space(options?: { isReading?: boolean }): Promise<Space | undefined>
  /** How clients upload: through this server into parts, or directly to the store. */
  uploads: PartStore | DirectUploads
}

/** Uploads through this server, which can be resumed. */
export interface PartStore {
  kind: 'parts'
  /**
   * Continues after this many received bytes and truncates the rest. The caller must hold the upload's ticket: a part
   * that was already kept becomes a part again.
   */
  open(name: string, offset: number): Promise<Part>
  remove(name: string): Promise<void>
}

export interface Part {
  /** Returns the number of bytes passed to it. */
  position(): number
  /**
   * Resolves when the next portion may be written. The next call throws an error of this portion. With `isLastUse`, the
   * memory of the chunks is freed after the write.
   */
  write(chunks: readonly Buffer[], options?: { isLastUse?: boolean }): Promise<void>
  /** Returns at most `length` bytes; fewer at the end of what has arrived. */
  read(start: number, length: number): Promise<Buffer>
  /** Provides the path of its file on this machine during `read`. Call it before `keep`. */
  withPath<Result>(read: (path: string) => Promise<Result>): Promise<Result>
  /** Syncs the written bytes, so that they survive a power cut. */
  sync(): Promise<void>
  /** Syncs the whole file and returns its facts. */
  finish(): Promise<WrittenFile>
  /** Moves the part durably to the final name of its file. Call it after `finish`. */
  keep(): Promise<void>
  /** Must be called once for each part. */
  close(): Promise<void>
}

/** An external store with which clients exchange bytes directly. */
export interface DirectUploads {
  kind: 'direct'
  /** The origin of the store, for the console's content security policy. */
  origin: string
  /** The maximum number of bytes of one PUT. */
  most: number
  /** Returns an address for a PUT of exactly this type and length. */
  addressToPut(
    name: string,
    file: { contentType: string; size: number },
    seconds: number,
  ): Promise<{ url: string; headers: Record<string, string> }>
  /** Uploads of larger files, which can be resumed. */
  parts: DirectParts
  /** Returns the uploaded object; undefined if none exists. */
  arrived(name: string): Promise<ArrivedUpload | undefined>
  /** Returns an address from which a file can be read with the given headers. */
  addressToGet(
    name: string,
    answer: { contentType: string; disposition: string },
    seconds: number,
  ): Promise<string>
}

/** Uploads in numbered parts, which the store joins to the uploaded object. */
export interface DirectParts {
  /** The number of bytes of each part but the last. */
  bytes: number
  /** Returns the store's id of a new upload; undefined if the store takes no parts or its key may not use them. */
  begin(name: string, contentType: string): Promise<string | undefined>
  /** Returns the parts that have arrived; undefined for an upload that was joined or aborted. */
  list(name: string, id: string): Promise<ArrivedPart[] | undefined>
  /** Returns an address for a PUT of exactly this part. */
  addressToPut(
    name: string,
    id: string,
    part: { number: number; size: number },
    seconds: number,
  ): Promise<string>
  /** Does nothing if the parts were joined before and only the reply was lost. */
  join(name: string, id: string, parts: readonly ArrivedPart[]): Promise<void>
  /** Deletes the parts. Does nothing for an upload that was joined or aborted. */
  abort(name: string, id: string): Promise<void>
}

export interface ArrivedPart {
  /** From 1. */
  number: number
  size: number
  etag: string
}

/** A snapshot of the uploaded bytes: later replacements are not used. */
export interface ArrivedUpload {
  size: number
  /** Returns at most `length` bytes; fewer at the end. */
  read(start: number, length: number): Promise<Buffer>
  /** Provides a local path of the whole file during `read`. */
  withPath<Result>(read: (path: string) => Promise<Result>): Promise<Result>
  /** Copies it to its final name. Repeatable until it is removed. */
  keep(): Promise<void>
  remove(): Promise<void>
}

/** The bytes of a file are missing. */
export class FileMissing extends Error {
  override readonly name = 'FileMissing'
}
