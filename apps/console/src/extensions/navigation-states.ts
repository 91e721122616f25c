import type { NavigationDefinition } from '@pult/sdk'
import { afterBegin } from '#platform/after-begin.ts'
import { type NavigationState, navigationStates } from '#platform/navigation-states.ts'
import { session } from '#platform/session.ts'
import { subscribeUsable } from '#platform/usable-topic.ts'
import { mayOpenApp } from './app-access.ts'
import { loadNow } from './late-entries.ts'
import { loadPoint, placeOf, withTimeout } from './read-point.ts'
import { type App, apps, registrationOf } from './registry.ts'
import { usableState } from './usable-results.ts'

/** Minimum interval between two refetches after events. Milliseconds. */
const eventPause = 1000

/**
 * Polls the counts and states that apps report for their entries in the navigation. The entry of an app that fails or
 * does not respond has neither. Returns a function that stops it.
 */
export function followNavigationStates(): () => void {
  const followed = new Map<string, () => void>()
  const follow = () => {
    const current = session.get()
    const present =
      current.status === 'signed-in'
        ? apps
            .get()
            .filter((app) => app.manifest.navigation !== undefined && app.state.status !== 'broken')
            .filter((app) => mayOpenApp(app.manifest, current.credentials, placeOf(app).project))
        : []
    for (const [id, stop] of followed) {
      if (present.some(({ manifest }) => manifest.id === id)) continue
      stop()
      followed.delete(id)
      show(id, undefined)
    }
    for (const app of present) {
      if (registrationOf(app) === undefined) loadNow(app.extension.id)
      else if (!followed.has(app.manifest.id)) followed.set(app.manifest.id, followApp(app))
    }
  }
  follow()
  const unsubscribe = apps.subscribe(follow)
  return () => {
    unsubscribe()
    for (const stop of followed.values()) stop()
  }
}

function followApp(app: App): () => void {
  const { id, navigation } = app.manifest
  const ended = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  let dueAt = Number.POSITIVE_INFINITY
  let stopListening = () => {}

  const readIn = (pause: number, definition: NavigationDefinition) => {
    if (ended.signal.aborted || performance.now() + pause >= dueAt) return
    clearTimeout(timer)
    dueAt = performance.now() + pause
    timer = setTimeout(() => void read(definition), pause)
  }
  const read = async (definition: NavigationDefinition) => {
    dueAt = Number.POSITIVE_INFINITY
    // A hidden page needs no new counts.
    if (!document.hidden) {
      const how = { signal: ended.signal, background: true }
      const state = await withTimeout(app, how, async (context) =>
        usableState(await definition.read(context)),
      ).catch(() => undefined)
      if (ended.signal.aborted) return
      show(id, state)
    }
    readIn((navigation?.refresh ?? 60) * 1000, definition)
  }
  const start = async () => {
    const definition = await loadPoint(registrationOf(app)?.navigation, id, app.extension)
    if (ended.signal.aborted) return
    const topic = definition.topic?.(placeOf(app))
    const listener = afterBegin(() => readIn(eventPause, definition))
    if (topic !== undefined) stopListening = subscribeUsable(topic, listener)
    await read(definition)
  }
  start().catch(reportError)
  return () => {
    ended.abort()
    clearTimeout(timer)
    stopListening()
  }
}

function show(id: string, state: NavigationState | undefined): void {
  const states = new Map(navigationStates.get())
  if (state === undefined) states.delete(id)
  else states.set(id, state)
  navigationStates.set(states)
}
