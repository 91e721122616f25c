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
  if (fragment !== undefined) startApps(await loadEntry(fragment))
}
