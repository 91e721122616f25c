import type { Readable } from 'node:stream'

/*
 * All backups of an installation are in one place: archives/<time>-<id>.pult, each with a list of the files that it
 * needs, and files/<first two characters>/<name>-<digest>, or <name>.rows for rows of tables. Both never change, so each
 * is stored once.
 */

export type Place = 'archives' | 'files'

/** Size and digest of the stored bytes. */
export interface Written {
  size: number
  sha256: string
}

/** A folder or a bucket. */
export interface BackupStore {
  /** The path of the folder, or the address s3://bucket/prefix. */
  location: string
  /** Creates the place and removes the remains of interrupted backups. */
  prepare(): Promise<void>
  /** Yields the names in ascending order, so that two lists can be compared while they are read. */
  list(place: Place): AsyncIterable<string>
  /** Returns undefined for an unknown name. */
  sizeOf(place: Place, name: string): Promise<number | undefined>
  /** Returns when a name was written, by the clock of the store; undefined for an unknown name. */
  writtenAt(place: Place, name: string): Promise<Date | undefined>
  /** Throws {@link MissingInBackup} for an unknown name. */
  read(place: Place, name: string): Promise<Readable>
  /** The name exists only after the content is complete and durable. Throws if the disk's reserve would be used. */
  write(place: Place, name: string, content: Readable): Promise<Written>
  remove(place: Place, name: string): Promise<void>
  /** Returns the path or address for messages to the operator. */
  pathOf(place: Place, name: string): string
}

export class MissingInBackup extends Error {
  override readonly name = 'MissingInBackup'
  constructor(path: string) {
    super(`${path} does not exist`)
  }
}

/** Returns whether an error means that stored bytes are lost, and not that the store cannot be asked at present. */
export const isLost = (error: unknown): boolean =>
  error instanceof MissingInBackup || (error instanceof Error && 'code' in error && error.code === 'EIO')

export const unfinished = '.unfinished-'

/** Returns the folder of a name. Listing one folder with a million files would need too much memory. */
export const shelfOf = (place: Place, name: string): string =>
  place === 'files' ? `files/${name.slice(0, 2)}` : 'archives'
