import { fileLinkOf, retryPause } from '@pult/sdk/host'
import type { Query } from '@tanstack/react-query'
import { queryClient } from './query-client.ts'
import { serverIsAhead } from './server-clock.ts'

/** Pause between two looks at the links in milliseconds. Short, because timers stop while a computer sleeps. */
const lookEvery = 5000

/** Two clocks that differ by less count as equal, so that a link may expire this early or late. Milliseconds. */
const tolerance = 600_000

const serverNow = () => Date.now() + serverIsAhead.get()

/** Expiry by file id of the links in an answer. */
type Links = ReadonlyMap<string, number>

/** An answer is never changed, so it is searched once. */
const known = new WeakMap<object, Links>()

/**
 * Refetches the queries of rendered components before the signed links in their answers expire, and once after a
 * picture, video or sound could not be loaded by an expired link. Returns a function that ends this.
 */
export function followFileLinks(): () => void {
  const stop = new AbortController()
  const timer = setInterval(renewAll, lookEvery)
  document.addEventListener('visibilitychange', renewAll, { signal: stop.signal })
  // `error` does not bubble.
  document.addEventListener('error', renewFailed, { signal: stop.signal, capture: true })
  return () => {
    clearInterval(timer)
    stop.abort()
  }
}

function renewAll(): void {
  if (document.hidden) return
  for (const query of shownQueries()) if (isDue(query)) renew(query)
}

function renewFailed({ target }: Event): void {
  if (!(target instanceof HTMLImageElement || target instanceof HTMLMediaElement)) return
  const link = fileLinkOf(target.currentSrc || target.src)
  // A broken file would fail again.
  if (link === null || !isExpired(link.until)) return
  for (const query of shownQueries()) {
    const until = linksIn(query.state.data).get(link.fileId)
    // A later link is already there.
    if (until !== undefined && until <= link.until) renew(query)
  }
}

/** Returns whether a link may have expired, by clocks that may differ. */
export const isExpired = (until: number): boolean => until - serverNow() < tolerance

const shownQueries = () => queryClient.getQueryCache().findAll({ type: 'active', fetchStatus: 'idle' })

const renew = (query: Query) => void query.fetch().catch(() => {})

/** A link is renewed in the last quarter of its lifetime. A link that an answer contains already expired is final. */
function isDue({ state }: Query): boolean {
  if (state.status === 'error' && Date.now() - state.errorUpdatedAt < retryPause(state, false)) return false
  const ahead = serverIsAhead.get()
  return [...linksIn(state.data).values()].some((until) => {
    const lifetime = until - ahead - state.dataUpdatedAt
    return lifetime > 0 && until - ahead - Date.now() < lifetime / 4
  })
}

function linksIn(data: unknown): Links {
  if (typeof data !== 'object' || data === null) return noLinks
  const found = known.get(data)
  if (found !== undefined) return found
  const links = new Map<string, number>()
  collect(data, links)
  known.set(data, links)
  return links
}

const noLinks: Links = new Map()

function collect(value: unknown, links: Map<string, number>): void {
  if (typeof value === 'string') {
    const link = value.includes('/content?') ? fileLinkOf(value) : null
    if (link !== null) links.set(link.fileId, Math.min(link.until, links.get(link.fileId) ?? link.until))
  } else if (Array.isArray(value)) for (const item of value) collect(item, links)
  else if (value !== null && typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype)
    for (const item of Object.values(value)) collect(item, links)
}
