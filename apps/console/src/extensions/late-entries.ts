import type { Fragment } from '@pult/contract'
import { loadEntry, startApps } from './load-extension.ts'
import { findExtension, showExtension } from './registry.ts'

/** As many connections as a browser has to one server without HTTP/2: so many entries cost one round trip. */
const awaitedEntries = 6

/** Fewer than that, so that what the person does meanwhile does not queue behind them. */
const loadedAtOnce = 3

interface LoadingOrder {
  /** The start waits for these. */
  first: Fragment[]
  /** Their apps are shown at once as well; their code comes when there is time, or when one is opened. */
  late: Fragment[]
}

/** However many extensions there are, the start takes no longer; what was opened by its address comes first. */
export function inLoadingOrder(
  fragments: readonly Fragment[],
  openedAppId: string | undefined,
): LoadingOrder {
  // Nothing is loaded of what is known to be broken, so that it always has its place in the start's lines.
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

/** Shows the apps of these extensions, and loads their code once the page has nothing else to do. */
export function loadLater(fragments: readonly Fragment[]): void {
  for (const fragment of fragments) {
    waiting.add(fragment.id)
    showExtension(fragment, { status: 'loading' })
  }
  for (let line = 0; line < loadedAtOnce; line += 1) whenIdle(loadNext)
}

/** Somebody wants to see an app of it now. */
export function hasten(id: string): void {
  if (waiting.has(id)) void load(id)
}

async function loadNext(): Promise<void> {
  const [id] = waiting
  if (id === undefined) return
  await load(id)
  whenIdle(loadNext)
}

/** Meanwhile there may be none of its apps for the person any more, or others. */
async function load(id: string): Promise<void> {
  waiting.delete(id)
  const known = findExtension(id)
  if (known !== undefined) startApps(await loadEntry(known.fragment))
}

/** Safari has no idle callbacks; a moment after the start's last frame is near enough. */
function whenIdle(work: () => Promise<void>): void {
  const run = () => void work()
  if ('requestIdleCallback' in globalThis) requestIdleCallback(run, { timeout: 1000 })
  else setTimeout(run, 200)
}
