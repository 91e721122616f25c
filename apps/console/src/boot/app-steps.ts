import { readAhead } from '#platform/head-start.ts'
import { isLocale } from '#platform/locale.ts'
import { queryClient } from '#platform/query-client.ts'
import { connection, openRealtime } from '#platform/realtime.ts'
import { storage } from '#platform/storage.ts'
import { readFragments } from '../extensions/fragments.ts'
import { inLoadingOrder, loadLater } from '../extensions/late-entries.ts'
import { type LoadedExtension, loadEntry, prefetchEntry, startApps } from '../extensions/load-extension.ts'
import { activeProjectQuery } from '../projects/projects.queries.ts'
import { followLanguage } from '../settings/language/account-language.ts'
import { texts } from './app-steps.texts.ts'
import type { BootRun, StepWarning } from './boot.ts'

/** A console without its live connection still works; after this long the start goes on without it. */
const socketPatience = 4000

/** An extension that is slower than that appears when it is there. */
const extensionPatience = 4000

/** Starts what the steps wait for, so that it runs side by side although the steps are shown one after the other. */
export function prefetchApp(): void {
  openRealtime()
  void readFragments()
    .then((fragments) => inLoadingOrder(fragments, openedApp()).first.forEach(prefetchEntry))
    .catch(() => {})
}

/**
 * In a browser that was told no language, as the account says, where that came with the token: nobody is to begin something
 * on a page that loads anew a moment later.
 */
export async function followLanguageAhead(): Promise<void> {
  const { language } = (readAhead('/api/me/settings') ?? {}) as { language?: unknown }
  if (storage.locale.read() !== null || !isLocale(language)) return
  await followLanguage(language)
}

export async function runAppSteps(run: BootRun): Promise<void> {
  prefetchApp()
  await run.step(texts.connectingSocket, connectSocket)
  await run.step(texts.loadingProjects, loadProjects)
  const fragments = await run.step(texts.prepareFragments, () => readFragments())
  const { first, late } = inLoadingOrder(fragments, openedApp())
  const entries = first.map(loadEntry)
  await run.step(texts.registerExtensions, () => register(entries))
  await run.step(texts.loadingApps, () => loadApps(entries))
  loadLater(late)
}

/** Of an address below `/app`. */
const openedApp = () => /^\/app\/([^/]+)/.exec(location.pathname)?.[1]

async function connectSocket(): Promise<StepWarning> {
  openRealtime()
  return (await becomesReady(socketPatience)) ? {} : { warning: texts.socketLater }
}

function becomesReady(patience: number): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (ready: boolean) => {
      stop()
      clearTimeout(timer)
      resolve(ready)
    }
    const stop = connection.subscribe(() => connection.get() === 'ready' && settle(true))
    const timer = setTimeout(() => settle(false), patience)
    if (connection.get() === 'ready') settle(true)
  })
}

/** A failure shows in the step's line at once, and whoever sees it decides about another try. */
const loadProjects = () => queryClient.query({ ...activeProjectQuery, staleTime: 'static', retry: false })

/** Each on its own: one that does not load is a warning, and one that takes long is not waited for. */
async function register(entries: readonly Promise<LoadedExtension>[]): Promise<StepWarning> {
  const broken: string[] = []
  const loading = entries.map(async (entry) => {
    const { fragment, extension } = await entry
    if (extension === null) broken.push(fragment.label)
  })
  await Promise.race([Promise.all(loading), delay(extensionPatience)])
  return warningOf(broken)
}

/** The apps of extensions that are not there yet appear when they are. */
async function loadApps(entries: readonly Promise<LoadedExtension>[]): Promise<StepWarning> {
  const broken: string[] = []
  const starting = entries.map(async (entry) => {
    const loaded = await entry
    if (!startApps(loaded) && loaded.extension !== null) broken.push(loaded.fragment.label)
  })
  // Those that have arrived, most often all, are through before any timer.
  await Promise.race([Promise.all(starting), delay(0)])
  return warningOf(broken)
}

const warningOf = (broken: string[]): StepWarning =>
  broken.length > 0 ? { warning: texts.notLoaded(broken) } : {}

const delay = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))
