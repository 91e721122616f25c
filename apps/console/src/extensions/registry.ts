import type { Fragment } from '@pult/contract'
import type { AppRegistration, ExtensionAction } from '@pult/sdk'
import { compareNames } from '@pult/ui'
import { createStore } from '#platform/store.ts'
import { texts } from './extensions.texts.ts'

export type AppManifest = Fragment['apps'][number]
export type Tab = NonNullable<AppManifest['tabs']>[number]

/** The loading state of an extension's code. */
export type ExtensionState =
  | { status: 'loading' }
  /** Its apps by id, and its actions. */
  | {
      status: 'ready'
      registered: ReadonlyMap<string, AppRegistration>
      actions: readonly ExtensionAction[]
    }
  /** `canRetry` if a retry without a reload can succeed. */
  | { status: 'broken'; reason: string; canRetry: boolean }

/** An app in the console's registry. */
export interface App {
  manifest: AppManifest
  /** The extension that contains the app. */
  extension: Fragment
  state: ExtensionState
}

interface KnownExtension {
  fragment: Fragment
  state: ExtensionState
}

const extensions = new Map<string, KnownExtension>()

/** The ids of extensions of which the server has a newer version than this page: the code of this page's is gone. */
export const newerExtensions = createStore<ReadonlySet<string>>(new Set())

/** The apps of the active project and, for root, the root apps, in display order. */
export const apps = createStore<readonly App[]>([])

export const isRootApp = ({ manifest }: App): boolean => manifest.productSku === 'root'

export const findApp = (shown: readonly App[], appId: string): App | undefined =>
  shown.find(({ manifest }) => manifest.id === appId)

/** Returns the extension's registration of an app; undefined while its code loads. */
export const registrationOf = ({ manifest, state }: App): AppRegistration | undefined =>
  state.status === 'ready' ? state.registered.get(manifest.id) : undefined

export const findExtension = (id: string): KnownExtension | undefined => extensions.get(id)

/** Returns whether the code of an extension could not be loaded, and a retry can succeed. */
export const isAnyToRetry = (): boolean =>
  [...extensions.values()].some(({ state }) => state.status === 'broken' && state.canRetry)

/** The actions of running extensions, available without an open app. */
export const extensionActions = (): readonly { fragment: Fragment; action: ExtensionAction }[] =>
  [...extensions.values()].flatMap(({ fragment, state }) =>
    state.status === 'ready' ? state.actions.map((action) => ({ fragment, action })) : [],
  )

/** Shows the apps of an extension and replaces its previous entries. */
export function showExtension(fragment: Fragment, state: ExtensionState): void {
  extensions.set(fragment.id, { fragment, state })
  showApps()
}

/** Removes all extensions that the user can no longer access. */
export function keepExtensions(ids: readonly string[]): void {
  for (const id of extensions.keys()) if (!ids.includes(id)) extensions.delete(id)
  showApps()
}

let isShowing = false

/** Coalesces changes of the same microtask into one sort, because at the start every extension changes. */
function showApps(): void {
  if (isShowing) return
  isShowing = true
  queueMicrotask(() => {
    isShowing = false
    const all = [...extensions.values()].flatMap(({ fragment, state }) =>
      fragment.apps.map((manifest) => ({ manifest, extension: fragment, state: stateOf(manifest, state) })),
    )
    apps.set(all.toSorted(inOrder))
  })
}

/** An app that the extension does not register cannot be opened, even if the manifest lists it. */
function stateOf({ id }: AppManifest, state: ExtensionState): ExtensionState {
  if (state.status !== 'ready' || state.registered.has(id)) return state
  return { status: 'broken', reason: texts.notRegistered, canRetry: false }
}

/** Lower priorities come first, then the label decides. */
const inOrder = (a: App, b: App) =>
  a.manifest.priority - b.manifest.priority || compareNames(a.manifest.label, b.manifest.label)
