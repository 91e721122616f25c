import type { Fragment } from '@pult/contract'
import { loadEntry, startApps } from './load-extension.ts'
import { findExtension, showExtension } from './registry.ts'

/** Browsers open this many connections to a server without HTTP/2, so these entries cost one round trip. */
const awaitedEntries = 6

/** Lower than the browser's limit of connections, so that user requests do not queue behind these. */
const parallelLoads = 3

interface LoadingOrder {
  /** Extensions for which the start waits. */
  first: Fragment[]
  /** Their apps appear immediately. Their code loads when the browser is idle or an app is opened. */
  late: Fragment[]
}

/** Limits the number of extensions that delay the start. The one that the URL opens comes first. */
export function inLoadingOrder(
  fragments: readonly Fragment[],
  openedAppId: string | undefined,
): LoadingOrder {
  // Known broken extensions load nothing, so the start always lists them.
  const rank = (fragment: Fragment) => {
    if (fragment.problem !== undefined) return Number.NEGATIVE_INFINITY
    if (fragment.apps.some(({ id }) => id === openedAppId)) return -Number.MAX_VALUE
    return Math.min(...fragment.apps.map(({ priority }) => priority))
  }
  const ordered = fragments.toSorted((a, b) => rank(a) - rank(b))
  const broken = ordered.filter(({ problem }) => problem !== undefined).length
  const count = broken + awaitedEntries
  return { first: ordered.slice(0, count), late: ordered.slice(count) }
}

const waiting = new Set<string>()

/** Shows the apps of these extensions immediately, and loads their code when the page is idle. */
export function loadLater(fragments: readonly Fragment[]): void {
  for (const fragment of fragments) {
    waiting.add(fragment.id)
    showExtension(fragment, { status: 'loading' })
  }
  for (let slot = 0; slot < parallelLoads; slot += 1) whenIdle(loadNext)
}

/** Loads an extension immediately because the user opens one of its apps. */
export function loadNow(id: string): void {
  if (waiting.has(id)) void load(id)
}

async function loadNext(): Promise<void> {
  const [id] = waiting
  if (id === undefined) return
  await load(id)
  whenIdle(loadNext)
}

/** The user's accessible apps may change while the code loads. */
async function load(id: string): Promise<void> {
  waiting.delete(id)
  const known = findExtension(id)
  if (known !== undefined) startApps(await loadEntry(known.fragment))
}

/** Runs the work when the browser is idle; in Safari, which has no idle callbacks, after 200 ms. */
function whenIdle(work: () => Promise<void>): void {
  const run = () => void work()
  if ('requestIdleCallback' in globalThis) requestIdleCallback(run, { timeout: 1000 })
  else setTimeout(run, 200)
}
