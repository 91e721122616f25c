import { readFragments } from './fragments.ts'
import { loadEntry, startApps } from './load-extension.ts'
import type { App } from './registry.ts'

/** Loads the extension of an app once more, where that may help; code that has run and failed needs a new page. */
export function retryApp({ extension }: App, canRetry: boolean): void {
  if (canRetry) void reload(extension.id).catch(reportError)
  else location.reload()
}

async function reload(id: string): Promise<void> {
  const fragments = await readFragments({ isStale: true })
  const fragment = fragments.find((other) => other.id === id)
  if (fragment === undefined) return
  const loaded = await loadEntry(fragment)
  // Many browsers remember for as long as the page lives that a module could not be fetched.
  if (loaded.extension === null && (await canBeFetched(fragment.entry))) location.reload()
  else startApps(loaded)
}

const canBeFetched = (address: string) =>
  fetch(address).then(
    ({ ok }) => ok,
    () => false,
  )
