import type { Fragment } from '@pult/contract'
import { oneAtATime } from '@pult/sdk/host'
import { notify } from '#platform/notify.ts'
import { subscribe } from '#platform/realtime.ts'
import { createStore } from '#platform/store.ts'
import { texts } from './extensions.texts.ts'
import { readFragments } from './fragments.ts'
import { loadEntry, startApps } from './load-extension.ts'
import { findExtension, keepExtensions, showExtension } from './registry.ts'

/** Extensions of which something newer is installed than this page runs. */
export const hasNewerExtensions = createStore(false)

/** What changes which apps are there: the extensions themselves, the project's products, and what the person may. */
const topics = ['extensions', 'projects', 'me']

/**
 * Keeps the apps as the server has them: new ones appear and lost ones go, and what runs stays as it is until a reload.
 * Returns how to stop.
 */
export function followExtensions(): () => void {
  const follow = oneAtATime(async () => adopt(await readFragments({ isStale: true })))
  const stops = topics.map((topic) => subscribe(topic, ({ kind }) => kind !== 'ended' && follow()))
  return () => {
    for (const stop of stops) stop()
  }
}

function adopt(fragments: readonly Fragment[]): void {
  keepExtensions(fragments.map(({ id }) => id))
  for (const fragment of fragments) {
    const known = findExtension(fragment.id)
    if (known === undefined) void loadEntry(fragment).then(startApps)
    else if (known.fragment.entry === fragment.entry) showExtension(fragment, known.state)
    else offerReload(fragment, known.fragment)
  }
}

function offerReload(newer: Fragment, { version }: Fragment): void {
  hasNewerExtensions.set(true)
  if (newer.version !== version)
    notify.info(texts.newerInstalled(newer.label, newer.version), texts.reloadToUse)
}
