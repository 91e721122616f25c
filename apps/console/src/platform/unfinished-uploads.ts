import { limits, uploadMost } from '@pult/contract'
import type { UnfinishedUpload } from '@pult/sdk/host'
import { session } from './session.ts'
import { storedText } from './storage.ts'
import { createStore } from './store.ts'

/*
 * Uploads that this browser has begun. After a reload they continue when the user chooses the same file again: browsers
 * do not pass files on to the next document.
 */

/** An upload that has an address, with the properties by which its file is recognised. */
export interface RememberedUpload {
  /** The `filename` of its ticket. */
  filename: string
  /** `_id` of the user. */
  person: string
  project: string | null
  /** Where the upload began. */
  place: string
  name: string
  /** Bytes. */
  size: number
  lastModified: number
  /** Digest of the file. */
  digest: string
  /** Bytes that have been sent. */
  sent: number
  /** Milliseconds since 1970. */
  begunAt: number
  /** Another tab uploads it until then, in milliseconds since 1970. 0 after the tab has closed. */
  activeUntil: number
}

/** Milliseconds until an upload counts as interrupted if its tab has crashed. */
const activeFor = 60_000
const renewal = 20_000

/**
 * JSON: the uploads that this browser has begun, until they are complete, for at most a day. Not in `storage`, which the
 * sign-in page loads.
 */
export const storedUploads = storedText('pult.unfinishedUploads')

/** Uploads of this document. */
const active = new Set<string>()
let renewing: ReturnType<typeof setInterval> | undefined

/** The interrupted uploads of the user, oldest first. */
export const interruptedUploads = createStore<readonly UnfinishedUpload[]>([])

const personId = () => {
  const now = session.get()
  return now.status === 'signed-in' ? now.credentials._id : null
}

/** Records of one browser. The server keeps at most `openUploadsMax` for each of its users. */
const rememberedMost = 2 * limits.openUploadsMax

/** Returns the records of the last day. Drops those that another release has written in another form. */
function read(): RememberedUpload[] {
  try {
    const stored = JSON.parse(storedUploads.read() ?? '[]') as unknown[]
    return stored
      .filter(isRemembered)
      .filter(({ begunAt }) => begunAt + uploadMost > Date.now())
      .slice(-rememberedMost)
  } catch {
    return []
  }
}

function isRemembered(value: unknown): value is RememberedUpload {
  const upload = { ...(value as RememberedUpload | null) }
  const { filename, person, project, place, name, digest, size, lastModified, sent, begunAt, activeUntil } =
    upload
  return (
    [filename, person, project ?? '', place, name, digest].every((one) => typeof one === 'string') &&
    [size, lastModified, sent, begunAt, activeUntil].every(Number.isFinite)
  )
}

function write(uploads: readonly RememberedUpload[]): void {
  storedUploads.write(uploads.length > 0 ? JSON.stringify(uploads) : null)
  showInterrupted()
}

/** Updates {@link interruptedUploads}. */
export function showInterrupted(): void {
  const person = personId()
  const found = read().filter(
    (upload) => upload.person === person && !active.has(upload.filename) && upload.activeUntil < Date.now(),
  )
  // Listeners compare arrays by identity.
  if (found.length === 0 && interruptedUploads.get().length === 0) return
  interruptedUploads.set(
    found.map(({ filename, name, size, sent, project, place }) => ({
      id: filename,
      name,
      size,
      percent: Math.min(99, Math.floor((sent / size) * 100)),
      project,
      place,
    })),
  )
}

function change(filenames: ReadonlySet<string>, values: Partial<RememberedUpload>): void {
  const uploads = read()
  if (uploads.some(({ filename }) => filenames.has(filename)))
    write(uploads.map((upload) => (filenames.has(upload.filename) ? { ...upload, ...values } : upload)))
}

/** Returns the interrupted uploads of files with these properties. */
export const findUnfinished = (file: File, project: string | null): RememberedUpload[] => {
  const person = personId()
  return read().filter(
    (upload) =>
      upload.person === person &&
      upload.project === project &&
      upload.name === file.name &&
      upload.size === file.size &&
      upload.lastModified === file.lastModified &&
      !active.has(upload.filename) &&
      upload.activeUntil < Date.now(),
  )
}

/** Remembers an upload that has begun here. Without a user, does nothing. */
export function rememberUpload(upload: Omit<RememberedUpload, 'person' | 'begunAt' | 'activeUntil'>): void {
  const person = personId()
  if (person === null) return
  const others = read().filter(({ filename }) => filename !== upload.filename)
  write([...others, { ...upload, person, begunAt: Date.now(), activeUntil: 0 }])
  holdUpload(upload.filename)
}

/** Marks an upload as running in this tab, so that no other tab offers to continue it. */
export function holdUpload(filename: string): void {
  active.add(filename)
  const renew = () => change(active, { activeUntil: Date.now() + activeFor })
  renew()
  renewing ??= setInterval(renew, renewal)
}

function stopRenewing(filename: string): void {
  active.delete(filename)
  if (active.size > 0) return
  clearInterval(renewing)
  renewing = undefined
}

/** Records the number of bytes that have been sent. */
export const recordSent = (filename: string, sent: number) => change(new Set([filename]), { sent })

/** Marks an upload as interrupted. */
export function releaseUpload(filename: string): void {
  stopRenewing(filename)
  change(new Set([filename]), { activeUntil: 0 })
}

/** Deletes what this browser knows about an upload. */
export function forgetUpload(filename: string): void {
  stopRenewing(filename)
  const uploads = read()
  const others = uploads.filter((upload) => upload.filename !== filename)
  if (others.length < uploads.length) write(others)
}

/** Deletes what this browser knows about all uploads, at a sign-out. */
export const forgetUploads = () => storedUploads.write(null)

addEventListener('pagehide', () => {
  if (active.size > 0) change(active, { activeUntil: 0 })
})
storedUploads.onChangeElsewhere(showInterrupted)
session.subscribe(showInterrupted)
