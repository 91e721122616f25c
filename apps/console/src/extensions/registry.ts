import type { Fragment } from '@pult/contract'
import type { AppRegistration } from '@pult/sdk'
import { createStore } from '#platform/store.ts'

export type AppManifest = Fragment['apps'][number]

/** An app as the console knows it. */
export interface App {
  manifest: AppManifest
  /** Of the extension that brings it. */
  extension: Pick<Fragment, 'id' | 'version' | 'label' | 'styles' | 'integrity'>
  state:
    | { status: 'loading' }
    | { status: 'ready'; loader: AppRegistration['loader'] }
    /** `canRetry` where trying again without a reload may help. */
    | { status: 'broken'; reason: string; canRetry: boolean }
}

/** The apps of the active project and, for root, the root apps: in the order in which they are shown. */
export const apps = createStore<readonly App[]>([])

export const isRootApp = ({ manifest }: App): boolean => manifest.productSku === 'root'

/** Lower priorities come first, then the label decides. */
const inOrder = (a: App, b: App) =>
  a.manifest.priority - b.manifest.priority || a.manifest.label.localeCompare(b.manifest.label)

export const findApp = (shown: readonly App[], appId: string): App | undefined =>
  shown.find(({ manifest }) => manifest.id === appId)

/** Shows the apps of a fragment, in place of what was shown of it before. */
export function showApps(fragment: Fragment, stateOf: (app: AppManifest) => App['state']): void {
  const { id, version, label, styles, integrity } = fragment
  const others = apps.get().filter(({ extension }) => extension.id !== id)
  const own = fragment.apps.map((manifest) => ({
    manifest,
    extension: { id, version, label, styles, integrity },
    state: stateOf(manifest),
  }))
  apps.set([...others, ...own].toSorted(inOrder))
}
