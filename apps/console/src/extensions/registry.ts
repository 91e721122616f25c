import type { Fragment } from '@pult/contract'
import type { AppRegistration, ExtensionAction } from '@pult/sdk'
import { createStore } from '#platform/store.ts'
import { texts } from './extensions.texts.ts'

export type AppManifest = Fragment['apps'][number]
export type Tab = NonNullable<AppManifest['tabs']>[number]

/** How far the code of an extension has come. */
export type ExtensionState =
  | { status: 'loading' }
  /** Its apps with how each is loaded, and its actions. */
  | {
      status: 'ready'
      loaders: ReadonlyMap<string, AppRegistration['loader']>
      actions: readonly ExtensionAction[]
    }
  /** `canRetry` where trying again without a reload may help. */
  | { status: 'broken'; reason: string; canRetry: boolean }

/** An app as the console knows it. */
export interface App {
  manifest: AppManifest
  /** The extension that brings it. */
  extension: Fragment
  state: ExtensionState
}

interface KnownExtension {
  fragment: Fragment
  state: ExtensionState
}

const extensions = new Map<string, KnownExtension>()

/** The apps of the active project and, for root, the root apps: in the order in which they are shown. */
export const apps = createStore<readonly App[]>([])

export const isRootApp = ({ manifest }: App): boolean => manifest.productSku === 'root'

export const findApp = (shown: readonly App[], appId: string): App | undefined =>
  shown.find(({ manifest }) => manifest.id === appId)

export const findExtension = (id: string): KnownExtension | undefined => extensions.get(id)

/** What the extensions that run can do without an app of theirs being open. */
export const extensionActions = (): readonly { fragment: Fragment; action: ExtensionAction }[] =>
  [...extensions.values()].flatMap(({ fragment, state }) =>
    state.status === 'ready' ? state.actions.map((action) => ({ fragment, action })) : [],
  )

/** Shows the apps of an extension, in place of what was shown of it before. */
export function showExtension(fragment: Fragment, state: ExtensionState): void {
  extensions.set(fragment.id, { fragment, state })
  showApps()
}

/** Only these extensions are there for the person any more. */
export function keepExtensions(ids: readonly string[]): void {
  for (const id of extensions.keys()) if (!ids.includes(id)) extensions.delete(id)
  showApps()
}

let isShowing = false

/** Once for all that change in the same moment: at the start every extension does, and each time all would be sorted. */
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

/** What an extension does not register cannot be opened, whatever its manifest says. */
function stateOf({ id }: AppManifest, state: ExtensionState): ExtensionState {
  if (state.status !== 'ready' || state.loaders.has(id)) return state
  return { status: 'broken', reason: texts.notRegistered, canRetry: false }
}

const labels = new Intl.Collator()

/** Lower priorities come first, then the label decides. */
const inOrder = (a: App, b: App) =>
  a.manifest.priority - b.manifest.priority || labels.compare(a.manifest.label, b.manifest.label)
