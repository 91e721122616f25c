import type { AppManifest, Credentials, Endpoint, Project, StoredFile } from '@pult/contract'
import { createContext, use } from 'react'
import type { PageAction } from './actions/action.ts'
import type { Call, CallArguments } from './call.ts'

/*
 * What the console gives its pages and the apps. It puts a ConsoleHost around everything and an AppHost around each app;
 * the hooks of the SDK read them. Not for extensions themselves, which use the hooks.
 */

export { type AnyCall, type AnyInput, type Call, type CallArguments, type CallInput, callOf } from './call.ts'
export { type LabelledHotkey, labelledHotkeys, pressedKeys, sameKeys } from './hotkeys.ts'
export { oneAtATime, readAgain } from './read-again.ts'

/** A short message at the edge of the console, which leaves by itself. */
export interface Notification {
  title: string
  text?: string | undefined
  /** @default 'info', with an error 'danger' */
  tone?: 'info' | 'success' | 'warning' | 'danger'
  /** What was thrown. Its message becomes the text; the end of the session is left to the login to say. */
  error?: unknown
}

export interface UploadOptions {
  /** A media type: `application/gzip`. */
  contentType: string
  /** Told how much has been sent, from 0 to 1. */
  onProgress?: (share: number) => void
  signal?: AbortSignal
}

/** One file on its way to the server. */
export interface FileSender {
  /**
   * Sends it; once more, goes on where it broke off, or begins anew. Answers the file when the server has looked at it.
   *
   * @throws as calls do, or the signal's reason.
   */
  send: (options: Omit<UploadOptions, 'contentType'>) => Promise<StoredFile>
}

/** What a topic of the contract tells. */
export type TopicNews =
  | { kind: 'event'; name: string; data: unknown }
  /** The topic was opened just now, or an event is missing: what it is about has to be read again. */
  | { kind: 'gap' }
  /** The topic is not there for this person, or not any more. Nothing comes until there is a new connection. */
  | { kind: 'ended' }

/** What was typed when a session ended, until the same person is back. */
export interface DraftKeeper {
  /** Undefined when nothing was kept. */
  find: (name: string) => unknown
  /** From now on, the end of the session keeps what `read` answers. Returns how to stop. */
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
  /** Takes a place in the title of the browser's tab, inside of all taken before; what it answers shows a text there. */
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

export interface AppHost extends ConsoleHost {
  app: AppManifest
  /** The active project; null in a root app. */
  project: Project | null
  /** Reads the active project again. */
  refreshProject: () => Promise<void>
  /** Sends a file to a path of the API. */
  upload: (path: string, file: Blob, options: UploadOptions) => Promise<unknown>
  /** Saves what a call answers as a file. */
  download: <E extends Endpoint>(endpoint: E, ...input: CallArguments<E>) => Promise<void>
  /** Whether the person has a role in the project: `reports`, or `reports:export` of one of its parts. */
  hasRole: (role: string) => boolean
  /** The app's own address, to which its links are relative. */
  basePath: string
}

const HostContext = createContext<ConsoleHost | AppHost | null>(null)

export const ConsoleHostProvider = HostContext.Provider
export const AppHostProvider = HostContext.Provider

/** The same where there need not be one. */
export const useConsoleHostIfAny = (): ConsoleHost | null => use(HostContext)

/** What the console gives every page. */
export function useConsoleHost(): ConsoleHost {
  const host = use(HostContext)
  if (host === null) throw new Error('The hooks of @pult/sdk work inside the console')
  return host
}

/** What the console gives the app around this component. */
export function useAppHost(): AppHost {
  const host = use(HostContext)
  if (host === null || !('app' in host))
    throw new Error('The hooks of @pult/sdk work inside an app that the console shows')
  return host
}
