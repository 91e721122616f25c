import type { Readable } from 'node:stream'

/*
 * The place of all backups of an installation: archives/<time>-<id>.pult, beside each a list of the files that it needs,
 * and files/<first two characters>/<name>-<digest>. Files never change, so each is stored once.
 */

export type Place = 'archives' | 'files'

/** What was written, as it is in the store. */
export interface Written {
  size: number
  sha256: string
}

/** A folder or a bucket. */
export interface BackupStore {
  /** The folder or the address s3://bucket/prefix. */
  location: string
  /** Creates the place and removes what interrupted backups have left. */
  prepare(): Promise<void>
  /** Yields the names in their order, so that two lists can be compared while they are read. */
  list(place: Place): AsyncIterable<string>
  /** Returns undefined if there is no such name. */
  sizeOf(place: Place, name: string): Promise<number | undefined>
  /** Throws {@link MissingInBackup}. */
  read(place: Place, name: string): Promise<Readable>
  /** The name exists only after the content is complete and durable. Throws if the disk's reserve would be used. */
  write(place: Place, name: string, content: Readable): Promise<Written>
  remove(place: Place, name: string): Promise<void>
  /** For the operator. */
  pathOf(place: Place, name: string): string
}

export class MissingInBackup extends Error {
  override readonly name = 'MissingInBackup'
  constructor(path: string) {
    super(`${path} does not exist`)
  }
}

export const unfinished = '.unfinished-'

/** One folder with a million names could not be listed in little memory. */
export const shelfOf = (place: Place, name: string): string =>
  place === 'files' ? `files/${name.slice(0, 2)}` : 'archives'
