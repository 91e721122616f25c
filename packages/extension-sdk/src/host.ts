import type { AppManifest, Credentials, Endpoint, Project, StoredFile } from '@pult/contract'
import { type ComponentType, createContext, type ReactNode, use } from 'react'
import type { PageAction } from './actions/action.ts'
import type { Call, CallArguments } from './call.ts'
import type { Notification } from './notification.ts'

/*
 * The interface between the console and its pages and apps. The console renders a ConsoleHost around everything and
 * an AppHost around each app; the SDK's hooks read them. Extensions use the hooks instead.
 */

export { type AnyCall, type AnyInput, type Call, type CallArguments, type CallInput, callOf } from './call.ts'
export { type LabelledHotkey, labelledHotkeys, pressedKeys, sameKeys } from './hotkeys.ts'
export { oneAtATime, readAgain, refetchOn } from './read-again.ts'

export interface UploadOptions {
  /** A media type: `application/gzip`. */
  contentType: string
  /** Called with the sent share, from 0 to 1. */
  onProgress?: (share: number) => void
  signal?: AbortSignal
}

/** One file on its way to the server. */
export interface FileSender {
  /**
   * Sends the file; a second call resumes or restarts it. Returns the file when the server has checked it.
   *
   * @throws like calls, or the signal's reason.
   */
  send: (options: Omit<UploadOptions, 'contentType'>) => Promise<StoredFile>
}

/** News of a subscribed topic. */
export type TopicNews =
  | { kind: 'event'; name: string; data: unknown }
  /** The topic was just opened, or an event is missing: refetch its data. */
  | { kind: 'gap' }
  /** The topic does not exist for this user, or no longer. Nothing follows until there is a new connection. */
  | { kind: 'ended' }

/** Keeps unsaved input when a session ends, until the same user signs in again. */
export interface DraftKeeper {
  /** Undefined if nothing was kept. */
  find: (name: string) => unknown
  /** From now on, the end of the session stores the result of `read`. Returns a function that stops this. */
  keep: (name: string, read: () => unknown) => () => void
}

/** An action of an app that is on screen. */
export interface OfferedAction extends Omit<PageAction, 'role'> {
  /** What offers it. */
  group: string
}

export interface ConsoleHost {
  credentials: Credentials
  /** BCP 47. */
  locale: string
  call: Call
  notify: (notification: Notification) => void
  /** Nothing is sent yet. `project` is the one that the file is for; null for a file of one's own. */
  sendFile: (file: File, options: { project: string | null }) => FileSender
  /** Reserves a place in the title of the browser tab, inside all earlier ones; the returned function sets its text. */
  claimTitle: () => (title: string) => () => void
  /** Across reconnects, from now on. Returns how to stop listening. */
  subscribe: (topic: string, listener: (news: TopicNews) => void) => () => void
  /** Leaving the page asks first until the answered function is called. */
  holdUnsavedInput: () => () => void
  drafts: DraftKeeper
  /** Shows an action in the command palette until the answered function is called. */
  offerAction: (action: OfferedAction) => () => void
  /** The window that this is in, which is the `data-surface` of its element; absent on the page. */
  surface?: string
}

export interface PageTabsProps {
  page: 'edge' | 'person'
  /** The id of the edge or person. */
  id: string
  /** The title of the tab with the page's own content. */
  label: string
  /** The page's own content, which stands alone where no app adds a tab. */
  children: ReactNode
}

export interface PageCardsProps {
  place: 'edge' | 'organisation' | 'root'
  /** The id of the edge or organisation; null on root's page. */
  id: string | null
}

export interface AskForAccessProps {
  /** The missing role: `reports`, or `reports:export` of one of its parts. */
  needs: string
  /** What needs it, as the subject of a sentence: "Adding a report". */
  subject: string
}

export interface AppHost extends ConsoleHost {
  app: AppManifest
  /** The active project; null in a root app. */
  project: Project | null
  /** Reads the active project again. */
  refreshProject: () => Promise<void>
  /** Sends a file to a path of the API. */
  upload: (path: string, file: Blob, options: UploadOptions) => Promise<unknown>
  /** Saves the answer of a call as a file. */
  download: <E extends Endpoint>(endpoint: E, ...input: CallArguments<E>) => Promise<void>
  /** Whether the person has a role in the project: `reports`, or `reports:export` of one of its parts. */
  hasRole: (role: string) => boolean
  /** The app's own address, to which its links are relative. */
  basePath: string
  PageTabs: ComponentType<PageTabsProps>
  PageCards: ComponentType<PageCardsProps>
  AskForAccess: ComponentType<AskForAccessProps>
}

const HostContext = createContext<ConsoleHost | AppHost | null>(null)

export const ConsoleHostProvider = HostContext.Provider
export const AppHostProvider = HostContext.Provider

/** The same where there need not be one. */
export const useConsoleHostIfAny = (): ConsoleHost | null => use(HostContext)

/** What the console provides to every page. */
export function useConsoleHost(): ConsoleHost {
  const host = use(HostContext)
  if (host === null) throw new Error('The hooks of @pult/sdk work inside the console')
  return host
}

/** What the console provides to the surrounding app. */
export function useAppHost(): AppHost {
  const host = use(HostContext)
  if (host === null || !('app' in host))
    throw new Error('The hooks of @pult/sdk work inside an app that the console shows')
  return host
}
