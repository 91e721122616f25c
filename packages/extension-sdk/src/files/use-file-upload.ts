import type { StoredFile } from '@pult/contract'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { ApiError, messageOf } from '../api-error.ts'
import { type AppHost, type FileSender, type UnfinishedUpload, useConsoleHost } from '../host.ts'
import { isCancelled } from '../is-cancelled.ts'
import { useTexts } from '../texts.ts'
import { isAcceptedType } from './accepted-types.ts'
import { isFinalRefusal } from './final-refusal.ts'
import { createRateMeter } from './transfer-rate.ts'
import { uploadTexts } from './upload.texts.ts'

/** Progress of the chosen files, which are uploaded one after the other. */
export type UploadState =
  | { kind: 'idle' }
  /** `percent` of this file, 0 to 100. */
  | ({ kind: 'uploading'; name: string; percent: number } & UploadPosition & UploadProgressDetails)
  /** All bytes have been sent. The server checks the file, then `onUploaded` runs. */
  | ({ kind: 'processing'; name: string } & UploadPosition)

/** Which of the chosen files is uploaded. */
export interface UploadPosition {
  /** Number of this file, from 1. */
  position?: number
  /** Number of files that are uploaded together. */
  count?: number
}

/** Measured progress of one file. */
export interface UploadProgressDetails {
  /** Bytes sent. */
  sent?: number
  /** Bytes of the file. */
  size?: number
  /** Bytes per second, over the last seconds; null while unknown. */
  rate?: number | null
  /** Seconds until all bytes are sent; null while unknown. */
  remaining?: number | null
  /** Set while the upload waits for the server. It continues automatically. */
  isWaiting?: boolean
}

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
   * Distinguishes this place from others of the app that accept the same types: interrupted uploads are listed where they
   * began.
   */
  place?: string | undefined
  /**
   * Called for each received file. The file is deleted after a day unless a call uses its `filename`. An error thrown
   * here counts as a failed upload. Called again if its call could not reach the server, so give that call an
   * `idempotencyKey`: the `filename`.
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
  /** Uploads of an earlier page that continue when the user chooses the same files again here. */
  unfinished: readonly UnfinishedUpload[]
  /** Discards one of `unfinished`, by its `id`. */
  discard: (id: string) => void
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

/** Milliseconds between two updates of the measured progress. */
const shownEvery = 500

/**
 * Uploads files one after the other and reports the progress. `FileUpload` of `@pult/sdk/ui` is built on it.
 *
 * @example const { state, start } = useFileUpload({ accept: 'text/csv', onUploaded: ({ filename }) => setFile(filename) })
 */
export function useFileUpload(options: FileUploadOptions): FileUploadControl {
  const { accept = 'image/*', multiple = false, project = null } = options
  const host = useConsoleHost()
  const { sendFile, holdUnsavedInput, unfinishedUploads } = host
  const place = `${'app' in host ? (host as AppHost).app.id : ''} ${options.place ?? accept}`
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
  const current = useRef<Item | null>(null)
  /** Files of this run that have ended. */
  const ended = useRef(0)
  const letLeave = useRef<(() => void) | null>(null)
  const hold = () => {
    letLeave.current ??= holdUnsavedInput('upload')
  }
  const release = () => {
    letLeave.current?.()
    letLeave.current = null
  }
  useEffect(
    () => () => {
      giveUp.current?.abort()
      letLeave.current?.()
    },
    [],
  )
  const all = useSyncExternalStore(unfinishedUploads.subscribe, unfinishedUploads.get)
  const unfinished = all.filter(
    (upload) =>
      upload.project === project &&
      upload.place === place &&
      // A failed upload is listed there, with its reason.
      !failures.some(({ name, item }) => name === upload.name && item?.file.size === upload.size),
  )

  const positionNow = () => ({
    position: ended.current + 1,
    count: ended.current + 1 + queue.current.length,
  })

  async function send({ file, sender }: Item, signal: AbortSignal): Promise<StoredFile> {
    const { name, size } = file
    const meter = createRateMeter()
    let [share, shownAt] = [0, 0]
    let isWaiting = false
    let hasBegun = false
    const show = () => {
      if (signal.aborted) return
      shownAt = performance.now()
      if (share >= 1) return setState({ kind: 'processing', name, ...positionNow() })
      const sent = Math.floor(share * size)
      const rate = isWaiting ? null : meter.add(sent)
      const remaining = rate === null || rate <= 0 ? null : (size - sent) / rate
      const percent = Math.floor(share * 100)
      const measured = { percent, sent, size, rate, remaining, isWaiting }
      setState({ kind: 'uploading', name, ...measured, ...positionNow() })
    }
    show()
    // Shows a transfer that stands still, which sends no progress.
    const showing = setInterval(show, 2 * shownEvery)
    try {
      return await sender.send({
        signal,
        onProgress: (next) => {
          const isEnd = next >= 1 && share < 1
          share = next
          // A resumed upload begins with the bytes that have arrived before.
          if (!hasBegun) meter.reset()
          hasBegun = true
          if (isEnd || performance.now() - shownAt >= shownEvery) show()
        },
        onWaiting: (next) => {
          if (next === isWaiting) return
          isWaiting = next
          meter.reset()
          show()
        },
      })
    } finally {
      clearInterval(showing)
    }
  }

  async function bring(item: Item, signal: AbortSignal): Promise<void> {
    const { name } = item.file
    item.stored ??= await send(item, signal)
    if (signal.aborted) return
    const process = () => {
      setState({ kind: 'processing', name, ...positionNow() })
      // The app may open another page.
      if (queue.current.length === 0) release()
    }
    const wait = () => {
      hold()
      setState({ kind: 'uploading', name, percent: 100, isWaiting: true, ...positionNow() })
    }
    process()
    const { stored } = item
    try {
      await item.sender.deliver(() => latest.current(stored, item.file), {
        signal,
        onWaiting: (isWaiting) => (isWaiting ? wait() : process()),
      })
    } catch (error) {
      // The stored file has expired, so a retry must send it again.
      if (error instanceof ApiError && error.code === 'UPLOAD_INCOMPLETE') item.stored = null
      throw error
    }
  }

  async function run(): Promise<void> {
    if (giveUp.current !== null) return
    const controller = new AbortController()
    giveUp.current = controller
    ended.current = 0
    hold()
    const { signal } = controller
    for (let item = queue.current.shift(); item !== undefined; item = queue.current.shift()) {
      setWaiting(queue.current.length)
      current.current = item
      try {
        await bring(item, signal)
      } catch (error) {
        if (signal.aborted) break
        const retried = isFinalRefusal(error) ? null : item
        const failure = { id: nextId(), name: item.file.name, message: messageOf(error), item: retried }
        if (!isCancelled(error)) setFailures((before) => [...before, failure])
      }
      if (signal.aborted) break
      ended.current += 1
    }
    if (giveUp.current === controller) {
      release()
      current.current = null
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
      add(taken.map((file) => ({ file, sender: sendFile(file, { project, place }), stored: null })))
    },
    unfinished,
    discard: unfinishedUploads.discard,
    abort() {
      giveUp.current?.abort()
      giveUp.current = null
      for (const item of [current.current, ...queue.current]) item?.sender.forget()
      queue.current = []
      release()
      setState({ kind: 'idle' })
      setWaiting(0)
    },
    retry() {
      setFailures([])
      add(failures.flatMap(({ item }) => (item === null ? [] : [item])))
    },
    dismiss() {
      for (const { item } of failures) item?.sender.forget()
      setFailures([])
    },
  }
}
