import type { StoredFile } from '@pult/contract'
import { useEffect, useRef, useState } from 'react'
import { ApiError, messageOf } from '../api-error.ts'
import { type FileSender, useConsoleHost } from '../host.ts'
import { isCancelled } from '../is-cancelled.ts'
import { useTexts } from '../texts.ts'
import { isAcceptedType } from './accepted-types.ts'
import { uploadTexts } from './upload.texts.ts'

/** Progress of the chosen files, which are uploaded one after the other. */
export type UploadState =
  | { kind: 'idle' }
  /** `percent` of this file, 0 to 100. */
  | { kind: 'uploading'; name: string; percent: number }
  /** All bytes have been sent. The server checks the file, then `onUploaded` runs. */
  | { kind: 'processing'; name: string }

/** A file whose upload failed. */
export interface FailedUpload {
  /** Identifies the upload within its component. */
  id: number
  name: string
  /** The reason, for users. */
  message: string
}

export interface FileUploadOptions {
  /** Media types and endings as an `<input type="file">` takes them. @default 'image/*' */
  accept?: string | undefined
  /** Accepts several files together. @default false */
  multiple?: boolean | undefined
  /** Id of the project that owns the files and whose quota they use. @default none: the user owns them */
  project?: string | undefined
  /**
   * Called for each received file. The file is deleted after a day unless a call uses its `filename`. An error thrown
   * here counts as a failed upload.
   */
  onUploaded: (file: StoredFile, source: File) => unknown
}

export interface FileUploadControl {
  state: UploadState
  /** Number of files that wait for the current upload. */
  waiting: number
  failed: readonly FailedUpload[]
  /** Uploads files from any source. Files of other types are added to `failed`. */
  start: (files: Iterable<File>) => void
  /** Aborts the current upload and drops the waiting ones. */
  abort: () => void
  /** Retries the failed uploads; bytes that have arrived are not sent again. */
  retry: () => void
  /** Set if at least one failed upload can be retried. */
  canRetry: boolean
  /** Clears the failed uploads. */
  dismiss: () => void
}

interface Item {
  file: File
  sender: FileSender
  /** The uploaded file, if the upload succeeded but `onUploaded` failed; null otherwise. */
  stored: StoredFile | null
}

/** `item` is null if a retry would fail again. */
type Failure = FailedUpload & { item: Item | null }

/** The server or a proxy rejects a file of this size. */
const isTooLarge = (error: unknown) => error instanceof ApiError && error.status === 413

/**
 * Uploads files one after the other and reports the progress. `FileUpload` of `@pult/sdk/ui` is built on it.
 *
 * @example const { state, start } = useFileUpload({ accept: 'text/csv', onUploaded: ({ filename }) => setFile(filename) })
 */
export function useFileUpload(options: FileUploadOptions): FileUploadControl {
  const { accept = 'image/*', multiple = false, project } = options
  const { sendFile } = useConsoleHost()
  const texts = useTexts(uploadTexts)
  const [state, setState] = useState<UploadState>({ kind: 'idle' })
  const [waiting, setWaiting] = useState(0)
  const [failures, setFailures] = useState<readonly Failure[]>([])
  const latest = useRef(options.onUploaded)
  useEffect(() => {
    latest.current = options.onUploaded
  })
  const queue = useRef<Item[]>([])
  const lastId = useRef(0)
  const nextId = () => (lastId.current += 1)
  const giveUp = useRef<AbortController | null>(null)
  useEffect(() => () => giveUp.current?.abort(), [])

  async function bring(item: Item, signal: AbortSignal): Promise<void> {
    const { name } = item.file
    if (item.stored === null) {
      setState({ kind: 'uploading', name, percent: 0 })
      item.stored = await item.sender.send({
        signal,
        onProgress: (share) => {
          const percent = Math.floor(share * 100)
          if (!signal.aborted)
            setState(share < 1 ? { kind: 'uploading', name, percent } : { kind: 'processing', name })
        },
      })
    }
    setState({ kind: 'processing', name })
    await latest.current(item.stored, item.file)
  }

  async function run(): Promise<void> {
    if (giveUp.current !== null) return
    const controller = new AbortController()
    giveUp.current = controller
    const { signal } = controller
    for (let item = queue.current.shift(); item !== undefined; item = queue.current.shift()) {
      setWaiting(queue.current.length)
      try {
        await bring(item, signal)
      } catch (error) {
        if (signal.aborted) break
        const retried = isTooLarge(error) ? null : item
        const failure = { id: nextId(), name: item.file.name, message: messageOf(error), item: retried }
        if (!isCancelled(error)) setFailures((before) => [...before, failure])
      }
      if (signal.aborted) break
    }
    if (giveUp.current === controller) {
      giveUp.current = null
      setState({ kind: 'idle' })
      setWaiting(0)
    }
  }

  function add(items: readonly Item[]): void {
    if (items.length === 0) return
    queue.current.push(...items)
    setWaiting(queue.current.length)
    void run()
  }

  return {
    state,
    waiting,
    failed: failures,
    canRetry: failures.some(({ item }) => item !== null),
    start(files) {
      const chosen = [...files].slice(0, multiple ? undefined : 1)
      const [taken, others] = [[] as File[], [] as File[]]
      for (const file of chosen) (isAcceptedType(file, accept) ? taken : others).push(file)
      setFailures(others.map(({ name }) => ({ id: nextId(), name, message: texts.notAccepted, item: null })))
      add(taken.map((file) => ({ file, sender: sendFile(file, { project: project ?? null }), stored: null })))
    },
    abort() {
      queue.current = []
      giveUp.current?.abort()
      giveUp.current = null
      setState({ kind: 'idle' })
      setWaiting(0)
    },
    retry() {
      setFailures([])
      add(failures.flatMap(({ item }) => (item === null ? [] : [item])))
    },
    dismiss: () => setFailures([]),
  }
}
