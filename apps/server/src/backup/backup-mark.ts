import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { type Kysely, sql } from 'kysely'
import type { Database } from '#platform/database/schema.ts'
import {
  filesPlace,
  notePlaceMark,
  readPlaceMarks,
  unlessTableIsMissing,
} from '#platform/places/place-marks.ts'
import { pult } from '#platform/program-name.ts'
import type { BackupFolder } from './backup-folder.ts'
import { type BackupStore, MissingInBackup } from './backup-store.ts'

/*
 * The first backup leaves a mark in its folder or bucket, and the database remembers it. A place without the remembered
 * mark, such as a folder whose share is not mounted, gets no backup: it would look like a new place, and the earlier
 * backups would be missed only when they are needed.
 */

/** Beside the archives, so that a copy of them contains it. */
const markName = 'place-id'
const markPattern = /^([0-9a-f-]{36}) (PULT-SIGNER-[0-9A-F]{32})$/

interface Mark {
  id: string
  /** The fingerprint of the installation. */
  signer: string
}

/** The mark in a place; null for a damaged one. */
async function readMark(store: BackupStore): Promise<Mark | null | undefined> {
  try {
    const [, id, signer] = markPattern.exec((await text(await store.read('archives', markName))).trim()) ?? []
    return id === undefined || signer === undefined ? null : { id, signer }
  } catch (error) {
    if (error instanceof MissingInBackup) return undefined
    throw error
  }
}

/** Returns whether a server of this installation has made a backup. Before the migration that adds them, none has. */
async function hasMadeBackups(db: Kysely<Database>): Promise<boolean> {
  const runs = db.selectFrom('backup_run').select('id').where('archive', 'is not', null).limit(1)
  return (await runs.execute().catch(unlessTableIsMissing))?.length === 1
}

interface Found {
  mark: Mark | null | undefined
  noted: string | undefined
  /** Why the place is not the one of the earlier backups. */
  trouble: string | undefined
}

/** Compares a place with what the installation knows of it. */
async function compare(target: BackupFolder, db: Kysely<Database>): Promise<Found> {
  const { store } = target
  const mark = await readMark(store)
  const marks = await readPlaceMarks(db)
  const noted = marks.get(store.location)
  const found = { mark, noted }
  if (noted !== undefined) {
    if (mark?.id === noted) return { ...found, trouble: undefined }
    const state =
      mark === undefined ? 'is missing' : mark === null ? 'is damaged' : 'is that of another place'
    return { ...found, trouble: lostPlace(store, `its mark ${store.pathOf('archives', markName)} ${state}`) }
  }
  // A backup in a place that was never used. Backups of earlier versions of Pult left no mark.
  const knowsOthers = [...marks.keys()].some((place) => place !== filesPlace)
  const isNew = mark != null || knowsOthers || (await target.list()).length > 0 || !(await hasMadeBackups(db))
  return { ...found, trouble: isNew ? undefined : lostPlace(store, 'it contains no backup') }
}

const lostPlace = ({ location }: BackupStore, reason: string) =>
  location.startsWith('s3://')
    ? `${location} is not the place of the earlier backups, because ${reason}. Correct BACKUP_FOLDER or the endpoint. If the place is new on purpose, run ${pult('backup --new-place')}`
    : `${location} is not the place of the earlier backups, because ${reason}: its disk or share is probably not mounted. Mount it. If the place is new on purpose, run ${pult('backup --new-place')}`

/** Returns why a place is not the one of the earlier backups; undefined if it is, or if there are none. */
export const findPlaceTrouble = async (
  target: BackupFolder,
  db: Kysely<Database>,
): Promise<string | undefined> => (await compare(target, db)).trouble

interface PlaceOptions {
  /** The fingerprint of this installation. */
  signer: string
  /** Accepts a place without the known mark. */
  isNewPlace: boolean
  /** PULT_URL; without it, the address of the last start counts. */
  publicUrl?: string | undefined
}

/** Returns the address of the original if this installation is a copy that has made no backup in this place. */
async function originalOf(
  db: Kysely<Database>,
  { location }: BackupStore,
  publicUrl: string | undefined,
): Promise<string | undefined> {
  // As JSON, because a database before its update lacks the columns.
  const found = await sql<{ original: string }>`
    select facts->>'public_url' as original from installation, to_jsonb(installation) facts
    where (facts->>'is_copy')::boolean and facts->>'public_url' is distinct from ${publicUrl ?? null}::text
      and facts->>'public_url' is not null
      and not exists (select from place_mark where place = ${location} and noted_at > '-infinity')`
    .execute(db)
    .catch(unlessTableIsMissing)
  return found?.rows[0]?.original
}

/**
 * Throws unless a place is the one of the earlier backups, or a new one. Returns a function that marks the place once it
 * contains a backup.
 */
export async function requirePlace(
  target: BackupFolder,
  db: Kysely<Database>,
  { signer, isNewPlace, publicUrl }: PlaceOptions,
): Promise<() => Promise<void>> {
  const { store } = target
  const { mark, noted, trouble } = await compare(target, db)
  if (mark != null && mark.signer !== signer)
    throw new Error(
      `${store.location} contains the backups of another installation, as its mark ${store.pathOf('archives', markName)} shows: give each installation its own folder or prefix`,
    )
  const original = await originalOf(db, store, publicUrl)
  // Its backups would count as those of the original, and push them out.
  if (original !== undefined && (mark != null || (await target.list()).length > 0))
    throw new Error(
      `this installation is a copy of ${original}, and ${store.location} has the backups of the original: set another BACKUP_FOLDER, or put it into service`,
    )
  if (trouble !== undefined && !isNewPlace) throw new Error(trouble)
  return async () => {
    const id = mark?.id ?? randomUUID()
    if (mark == null)
      await store.write('archives', markName, Readable.from([Buffer.from(`${id} ${signer}\n`)]))
    if (id !== noted) await notePlaceMark(db, store.location, id)
  }
}
