import type { Fragment } from '@pult/contract'
import { oneAtATime } from '@pult/sdk/host'
import { notify } from '#platform/notify.ts'
import { isWorthRepeating } from '#platform/query-client.ts'
import { subscribe } from '#platform/realtime.ts'
import { texts } from './extensions.texts.ts'
import { areFragmentsReadSince, readFragments } from './fragments.ts'
import { loadEntry, startApps } from './load-extension.ts'
import { findExtension, isAnyToRetry, keepExtensions, newerExtensions, showExtension } from './registry.ts'

/** Milliseconds after a read that failed. */
const repeatAfter = 5000

/** Topics whose events change the user's apps: extensions, the project's products, the user's roles. */
const topics = ['extensions', 'projects', 'me']

/**
 * Adds new apps and removes lost ones on events of the server. Running code stays until a reload, and failed fetches
 * are retried. Returns a function that stops it.
 */
export function followExtensions(): () => void {
  let timer = 0
  const follow = oneAtATime(async () => {
    clearTimeout(timer)
    try {
      adopt(await readFragments({ isStale: true }))
    } catch (error) {
      // No other event may follow, so the page would miss the change.
      if (isWorthRepeating(error)) timer = window.setTimeout(follow, repeatAfter)
    }
  })
  const stops = topics.map((topic) =>
    subscribe(topic, (news) => {
      const isKnown = news.kind === 'gap' && areFragmentsReadSince(news.at) && !isAnyToRetry()
      if (news.kind !== 'ended' && !isKnown) follow()
    }),
  )
  return () => {
    clearTimeout(timer)
    for (const stop of stops) stop()
  }
}

function adopt(fragments: readonly Fragment[]): void {
  keepExtensions(fragments.map(({ id }) => id))
  for (const fragment of fragments) {
    const known = findExtension(fragment.id)
    if (known === undefined) void loadEntry(fragment).then(startApps)
    else if (known.state.status === 'broken' && known.state.canRetry) void loadEntry(fragment).then(startApps)
    else if (known.fragment.entry === fragment.entry) {
      showExtension(fragment, known.state)
      forgetNewer(fragment.id)
    } else offerReload(fragment, known.fragment)
  }
}

function offerReload(newer: Fragment, { version }: Fragment): void {
  newerExtensions.set(new Set([...newerExtensions.get(), newer.id]))
  if (newer.version !== version)
    notify.info(texts.newerInstalled(newer.label, newer.version), texts.reloadToUse)
}

/** Root has switched back to the version of this page. */
function forgetNewer(extensionId: string): void {
  const newer = newerExtensions.get()
  if (newer.has(extensionId)) newerExtensions.set(new Set([...newer].filter((id) => id !== extensionId)))
}
