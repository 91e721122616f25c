import type { AppManifest, Credentials, Endpoint, Project, StoredFile } from '@pult/contract'
import { type ComponentType, createContext, type ReactNode, use } from 'react'
import type { PageAction } from './actions/action.ts'
import type { Call, CallArguments } from './call.ts'
import type { TopicNews } from './data/topic-news.ts'
import type { Notification } from './notification.ts'

/*
 * The interface between the console and its pages and apps. The console provides a ConsoleHost to all pages and an
 * AppHost to each app. The SDK's hooks read them; extensions use only the hooks.
 */

export { backendOf } from './backend.ts'
export {
  type AnyCall,
  type AnyInput,
  boundCall,
  type Call,
  type CallArguments,
  type CallInput,
} from './call.ts'
export { type CallQuery, callQuery, type ReadInput, type ReadOptions, readingOf } from './data/call-query.ts'
export { followLive, type LiveOptions } from './data/live.ts'
export { isTouched, keyOf, type Touched } from './data/query-key.ts'
export { readTouched } from './data/read-again.ts'
export { isReadSinceOpening, noteMadeOf, noteRead } from './data/read-position.ts'
export { type Pause, type ReadTimes, readEvery, retryPause } from './data/retry-pause.ts'
export type { TopicNews } from './data/topic-news.ts'
export { fitText } from './decks/fit-text.ts'
export { isFinalRefusal } from './files/final-refusal.ts'
export { type LabelledHotkey, labelledHotkeys, pressedKeys, sameKeys } from './hotkeys.ts'
export { addressOf, fileLinkOf } from './media/file-link.ts'
export { oneAtATime, readAgain } from './read-again.ts'

export interface UploadOptions {
  /** A media type: `application/gzip`. */
  contentType: string
  /** Called with the share of bytes sent, from 0 to 1. */
  onProgress?: (share: number) => void
  signal?: AbortSignal
  /** Schema of the reply. Without it, the reply is returned unchecked, even that of a proxy. */
  reply?: Endpoint['reply']
}

export interface FileSenderOptions {
  /** Id of the project that owns the file; with null, the user owns it. */
  project: string | null
  /** Where the upload begins. It is offered there to be continued after a reload. */
  place?: string
}

/** One file on its way to the server. */
export interface FileSender {
  /**
   * Sends the file; a second call resumes or restarts the upload. Continues automatically after interruptions, also
   * those of an earlier page, and waits as long as the server cannot be reached. Returns the file after the server has checked it.
   *
   * @throws like calls, or the signal's reason. `FILE_UNREADABLE`: the file has changed or vanished on the user's disk.
   */
  send: (
    options: Omit<UploadOptions, 'contentType' | 'reply'> & {
      /** Called with true while the upload waits for the server, and with false when it continues. */
      onWaiting?: (isWaiting: boolean) => void
    },
  ) => Promise<StoredFile>
  /**
   * Makes the call that uses the stored file. Repeats it as long as the server cannot be reached, so an app does not need to
   * ask the user.
   *
   * @throws like the call, or the signal's reason
   */
  deliver: (
    call: () => unknown,
    options: {
      signal: AbortSignal
      /** Called with true while it waits for the server, and with false when it calls again. */
      onWaiting: (isWaiting: boolean) => void
    },
  ) => Promise<void>
  /** Discards an unfinished upload: it is not offered to be continued. */
  forget: () => void
}

/** An upload of an earlier page. It continues when the user chooses the same file again. */
export interface UnfinishedUpload {
  id: string
  /** Name of the file. */
  name: string
  /** Size of the file in bytes. */
  size: number
  /** Share that has been sent, 0 to 99. */
  percent: number
  /** Id of the project that owns it, or null. */
  project: string | null
  /** Where it began: see `FileSenderOptions`. */
  place: string
}

/** The interrupted uploads of the user in this browser. */
export interface UnfinishedUploads {
  /** Oldest first; the same array until it changes. */
  get: () => readonly UnfinishedUpload[]
  /** Returns a function that unsubscribes. */
  subscribe: (listener: () => void) => () => void
  discard: (id: string) => void
}

/** Keeps unsaved input when a session ends, until the same user signs in again. */
export interface DraftKeeper {
  /** Returns the stored draft, or undefined. */
  find: (name: string) => unknown
  /** Stores the result of `read` when the session ends. Returns a function that stops this. */
  keep: (name: string, read: () => unknown) => () => void
}

/** An action of an app that is on screen. */
export interface OfferedAction extends Omit<PageAction, 'role'> {
  /** Label of the app that offers it. */
  group: string
}

export interface ConsoleHost {
  credentials: Credentials
  /** Language as a BCP 47 tag. */
  locale: string
  call: Call
  notify: (notification: Notification) => void
  /** Prepares an upload without sending the file. */
  sendFile: (file: File, options: FileSenderOptions) => FileSender
  unfinishedUploads: UnfinishedUploads
  /** Reserves a part of the browser tab's title, inside all earlier parts. The returned function sets its text. */
  claimTitle: () => (title: string) => () => void
  /** Subscribes to a topic, across reconnects. Returns a function that unsubscribes. */
  subscribe: (topic: string, listener: (news: TopicNews) => void) => () => void
  /**
   * Makes leaving the page ask for confirmation until the returned function is called. The question names unsaved
   * changes, or a running upload.
   */
  holdUnsavedInput: (held?: 'input' | 'upload') => () => void
  drafts: DraftKeeper
  /**
   * Loads a page of the console as a new document; without a path, reloads the page. Keeps the session where the browser
   * stores no site data.
   */
  openDocument: (href?: string) => void
  /** Shows an action in the command palette until the returned function is called. */
  offerAction: (action: OfferedAction) => () => void
  /** The surrounding window: the `data-surface` of its element. Absent on the page. */
  surface?: string
}

export interface PageTabsProps {
  page: 'edge' | 'person'
  /** The id of the edge or person. */
  id: string
  /** The title of the tab with the page's own content. */
  label: string
  /** The page's own content, shown without tabs if no app adds one. */
  children: ReactNode
}

export interface PageCardsProps {
  place: 'edge' | 'organisation' | 'root'
  /** The id of the edge or organisation; null on root's page. */
  id: string | null
}

export interface PageActionsProps {
  /** The kind of the record, as in `on` of the manifest's actions. */
  kind: 'edge'
  record: { id: string; label: string }
}

export interface AskForAccessProps {
  /** The missing role: `reports`, or `reports:export` of one of its parts. */
  needs: string
  /** The operation that needs it, as the subject of a sentence: "Adding a report". */
  subject: string
}

export interface AppHost extends ConsoleHost {
  app: AppManifest
  /** The active project; null in a root app. */
  project: Project | null
  /** Refetches the active project. */
  refreshProject: () => Promise<void>
  /** Sends a file to a path of the API. */
  upload: (path: string, file: Blob, options: UploadOptions) => Promise<unknown>
  /** Saves the reply of a call as a file. */
  download: <E extends Endpoint>(endpoint: E, ...input: CallArguments<E>) => Promise<void>
  /** Returns whether the user has a role in the project: `reports`, or `reports:export` of one of its parts. */
  hasRole: (role: string) => boolean
  /** The app's own address, to which its links are relative. */
  basePath: string
  PageTabs: ComponentType<PageTabsProps>
  PageCards: ComponentType<PageCardsProps>
  PageActions: ComponentType<PageActionsProps>
  AskForAccess: ComponentType<AskForAccessProps>
}

const HostContext = createContext<ConsoleHost | AppHost | null>(null)

export const ConsoleHostProvider = HostContext.Provider
export const AppHostProvider = HostContext.Provider

/** Returns the surrounding host, or null outside the console. */
export const useConsoleHostIfAny = (): ConsoleHost | null => use(HostContext)

/** Returns the host that the console provides to every page. Throws outside the console. */
export function useConsoleHost(): ConsoleHost {
  const host = use(HostContext)
  if (host === null) throw new Error('The hooks of @pult/sdk work only inside the console')
  return host
}

/** Returns the host of the surrounding app. Throws outside an app. */
export function useAppHost(): AppHost {
  const host = use(HostContext)
  if (host === null || !('app' in host))
    throw new Error('The hooks of @pult/sdk work only inside an app of the console')
  return host
}
