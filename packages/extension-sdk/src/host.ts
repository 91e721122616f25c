import type {
  AppManifest,
  BodyOf,
  Credentials,
  Endpoint,
  ParamsOf,
  Project,
  QueryOf,
  ReplyOf,
} from '@pult/contract'
import { createContext, use } from 'react'

/*
 * What the console gives an app. The console puts it around each app that it shows; the hooks of the SDK read it. Not for
 * extensions themselves, which use the hooks.
 */

export type CallInput<E extends Endpoint> = {
  [Part in 'params' | 'query' | 'body']?: {
    params: ParamsOf<E>
    query: QueryOf<E>
    body: BodyOf<E>
  }[Part]
} & {
  /** The revision that a change was made from; a newer one on the server is refused as REVISION_CONFLICT. */
  revision?: number
  /** Of a create that may be sent again. */
  idempotencyKey?: string
  /** A poll: it does not count as use of the session. */
  background?: boolean
  signal?: AbortSignal
}

export interface UploadOptions {
  /** A media type: `application/gzip`. */
  contentType: string
  /** Told how much has been sent, from 0 to 1. */
  onProgress?: (share: number) => void
  signal?: AbortSignal
}

export interface Notification {
  title: string
  text?: string
  tone?: 'info' | 'success' | 'warning' | 'danger'
}

export interface AppHost {
  app: AppManifest
  /** The active project; null in a root app. */
  project: Project | null
  credentials: Credentials
  /** Calls a typed endpoint. Errors are `ApiError`s with a `code`. */
  call: <E extends Endpoint>(endpoint: E, input: CallInput<E>) => Promise<ReplyOf<E>>
  /** Sends a file to a path of the API. */
  upload: (path: string, file: Blob, options: UploadOptions) => Promise<unknown>
  /** Saves what a call answers as a file. */
  download: <E extends Endpoint>(endpoint: E, input: CallInput<E>) => Promise<void>
  /** Whether the person has a role in the project: `reports`, or `reports:export` of one of its parts. */
  hasRole: (role: string) => boolean
  notify: (notification: Notification) => void
  /** Adds to the title of the browser's tab; what is answered takes it back. */
  pushTitle: (title: string) => () => void
  /** The app's own address, to which its links are relative. */
  basePath: string
  locale: string
}

const AppHostContext = createContext<AppHost | null>(null)

export const AppHostProvider = AppHostContext.Provider

/** What the console gives the app around this component. */
export function useAppHost(): AppHost {
  const host = use(AppHostContext)
  if (host === null) throw new Error('The hooks of @pult/sdk work inside an app that the console shows')
  return host
}
