import type { Readable } from 'node:stream'
import type { Transaction } from 'kysely'
import type { Database } from '#platform/database/schema.ts'

/** A file as other rooms know it. */
export interface FileRecord {
  id: string
  /** Null for a file of a person's own. */
  projectId: string | null
  /** Who brought it; null when that person is gone, or a task made it. */
  personId: string | null
  name: string
  contentType: string
  size: number
  /** In hexadecimal; null for what never came through this server. */
  sha256: string | null
  /** Of pictures. */
  width: number | null
  height: number | null
}

/** What other rooms do with files. */
export interface Files {
  /**
   * Takes a file that was uploaded for a project (or for nobody but the person) as part of something, so that it is not
   * swept away, or not before its lifetime in milliseconds is over. Throws UPLOAD_INCOMPLETE when its bytes are not all
   * there or it is not this project's.
   */
  claim(
    trx: Transaction<Database>,
    upload: { filename: string; projectId: string | null; personId: string | null; lifetime?: number },
  ): Promise<FileRecord>
  /**
   * Keeps a file that the server makes. Throws DISK_FULL and PROJECT_FULL, and leaves nothing behind then or when the
   * signal fires. Who reads it: `project` everybody who sees the project, `person` that person and root alone.
   */
  keep(
    file: {
      projectId: string | null
      personId: string | null
      readers: 'project' | 'person'
      name: string
      contentType: string
      /**
       * Milliseconds. What is to stay is taken on by `setLifetime` in the transaction that says what it is for: of what
       * was kept just before a crash nothing stays for ever.
       */
      lifetime: number
      width?: number
      height?: number
    },
    content: Readable,
    signal?: AbortSignal,
  ): Promise<FileRecord>
  /** From now on; null for files that stay: for what takes on files that were kept for a while. */
  setLifetime(trx: Transaction<Database>, fileIds: readonly string[], lifetime: number | null): Promise<void>
  /** The bytes, or those from `start` to `end`, both included. Throws NOT_FOUND. */
  open(fileId: string, range?: { start: number; end: number }): Promise<Readable>
  find(fileId: string): Promise<FileRecord | undefined>
  /** An address that shows the file to whoever knows it. `inline` for pictures and the like that may be shown in a page. */
  link(file: FileRecord, options: { lifetime: number; inline: boolean }): string
  /** Gives a file up: its bytes go once the transaction has committed. */
  release(trx: Transaction<Database>, fileIds: readonly string[]): Promise<void>
}
