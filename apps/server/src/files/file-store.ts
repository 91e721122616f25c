import type { Readable } from 'node:stream'
import type { Transaction } from 'kysely'
import type { Database } from '#platform/database/schema.ts'
import type { Caller } from '#platform/http/route.ts'

/** A file in the form that other rooms use. */
export interface FileRecord {
  id: string
  /** The name by which its uploader refers to it. */
  filename: string
  /** Null for a personal file. */
  projectId: string | null
  /** The uploader; null if the account was deleted or a task made the file. */
  personId: string | null
  name: string
  contentType: string
  size: number
  /** In hexadecimal; null for a file that did not pass through this server. */
  sha256: string | null
  /** For pictures. */
  width: number | null
  height: number | null
}

/** File operations for other rooms. */
export interface Files {
  /**
   * Claims an upload of a project (or, without a project, of a person) as part of a record: permanently, or for
   * `lifetime` milliseconds. Throws UPLOAD_INCOMPLETE if bytes are missing or the upload belongs to another project.
   */
  claim(
    trx: Transaction<Database>,
    upload: { filename: string; projectId: string | null; personId: string | null; lifetime?: number },
  ): Promise<FileRecord>
  /**
   * Stores a file that the server makes. Throws DISK_FULL and PROJECT_FULL; then, and when the signal aborts, no file
   * remains. Readers: `project` means all users who may see the project, `person` means that person and root.
   */
  keep(
    file: {
      projectId: string | null
      personId: string | null
      readers: 'project' | 'person'
      name: string
      contentType: string
      /**
       * Milliseconds. To keep the file, call `setLifetime` in the transaction of the record that uses it. A crash
       * before that leaves no permanent file.
       */
      lifetime: number
      width?: number
      height?: number
    },
    content: Readable,
    signal?: AbortSignal,
  ): Promise<FileRecord>
  /** Sets the remaining lifetime in milliseconds; null keeps the files permanently. */
  setLifetime(trx: Transaction<Database>, fileIds: readonly string[], lifetime: number | null): Promise<void>
  /** Returns the bytes, or those from `start` to `end`, both included. Throws NOT_FOUND. */
  open(fileId: string, range?: { start: number; end: number }): Promise<Readable>
  /** `within` is the transaction of the caller. */
  find(fileId: string, within?: Transaction<Database>): Promise<FileRecord | undefined>
  /**
   * Returns an address that needs no token, and works as long as the caller's session and right to see the file.
   * `inline` is for pictures and other types that a page may show.
   */
  link(
    caller: Pick<Caller, 'sessionId'>,
    file: Pick<FileRecord, 'id' | 'contentType'>,
    options: { lifetime: number; inline: boolean },
  ): string
  /** Returns download links by file id. Omits deleted files and files that the caller may not read. */
  linksFor(
    caller: Caller,
    fileIds: readonly string[],
    /** Minimum lifetime in milliseconds. */
    lifetime: number,
  ): Promise<ReadonlyMap<string, string>>
  /** Releases files: a job deletes their bytes after the commit. */
  release(trx: Transaction<Database>, fileIds: readonly string[]): Promise<void>
  /** Hides files from all users and releases them after 10 minutes, unless `restore` is called first (DEC-20). */
  withhold(trx: Transaction<Database>, fileIds: readonly string[]): Promise<void>
  restore(trx: Transaction<Database>, fileIds: readonly string[]): Promise<void>
  /** Releases the files that still have a lifetime. Waits for transactions that are about to keep them. */
  releaseTemporary(trx: Transaction<Database>, fileIds: readonly string[]): Promise<void>
}
