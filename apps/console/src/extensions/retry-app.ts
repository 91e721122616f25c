import { openDocument } from '#platform/storage.ts'
import { readFragments } from './fragments.ts'
import { loadEntry, startApps } from './load-extension.ts'
import type { App } from './registry.ts'

/** Loads the extension of an app again if that can succeed. Code that ran and failed needs a reload. */
export function retryApp({ extension }: App, canRetry: boolean): void {
  if (canRetry) void reload(extension.id).catch(reportError)
  else openDocument()
}

async function reload(id: string): Promise<void> {
  const fragments = await readFragments({ isStale: true })
  const fragment = fragments.find((other) => other.id === id)
  if (fragment === undefined) return
  const loaded = await loadEntry(fragment)
  // Many browsers cache a failed module fetch for the lifetime of the page.
  if (loaded.extension === null && (await canBeFetched(fragment.entry))) openDocument()
  else startApps(loaded)
}

const canBeFetched = (address: string) =>
  fetch(address, { redirect: 'manual' }).then(
    ({ ok }) => ok,
    () => false,
  )
