import { publicPlace } from '#platform/public-url.ts'
import { queryClient } from '#platform/query-client.ts'
import { connection, openRealtime } from '#platform/realtime.ts'
import { readFragments, safeMode } from '../extensions/fragments.ts'
import { inLoadingOrder, loadLater } from '../extensions/late-entries.ts'
import { type LoadedExtension, loadEntry, prefetchEntry, startApps } from '../extensions/load-extension.ts'
import { activeProjectQuery } from '../projects/projects.queries.ts'
import { texts } from './app-steps.texts.ts'
import type { BootRun, StepWarning } from './boot.ts'
import { readStart } from './read-start.ts'
import { startUnattended } from './unattended-start.ts'
import { clearMark, countUnfinishedStarts, finishStart, markStart } from './unfinished-start.ts'

/** The console works without its live connection. After this time the start continues without it. Milliseconds. */
const socketTimeout = 4000

/** Longest wait for an extension during the start. Its apps appear when it has loaded. Milliseconds. */
const extensionTimeout = 4000

/** `isStartRead`: {@link readStart} has been called for this run already. */
export async function runAppSteps(run: BootRun, { isStartRead }: { isStartRead: boolean }): Promise<void> {
  openRealtime()
  // All requests run in parallel, although the steps are shown one after the other.
  let reading: Promise<unknown> | undefined = isStartRead ? Promise.resolve() : readStart()
  const unfinished = countUnfinishedStarts()
  if (unfinished > 0 && !safeMode.get()) await offerSafeMode(run, unfinished)
  markStart(unfinished)
  void reading.then(prefetchEntries).catch(() => {})
  await run.step(texts.connectingSocket, connectSocket)
  await run.step(texts.loadingProjects, async () => {
    const current = reading ?? readStart()
    // After a failure, Retry sends a new request.
    reading = undefined
    await current
    await queryClient.query({ ...activeProjectQuery, staleTime: 'static', retry: false })
  })
  const fragments = await run.step(texts.prepareFragments, () => readFragments())
  const { first, late } = inLoadingOrder(fragments, openedApp())
  const entries = first.map(loadEntry)
  await run.step(texts.registerExtensions, () => register(entries))
  await run.step(texts.loadingApps, () => loadApps(entries))
  loadLater(late)
  finishStart()
}

/**
 * Offers safe mode: an app that blocks the page in a restored window would block every start (DEC-24). Without input the
 * console starts, in safe mode if this is the second time.
 */
function offerSafeMode(run: BootRun, unfinished: number): Promise<void> {
  const isSafe = unfinished > 1
  const check = async () => {
    if (countUnfinishedStarts() === 0) return
    clearMark()
    throw new Error(texts.lastStartUnfinished)
  }
  return run.step(texts.lastStart, check, {
    label: texts.startSafely,
    choose: () => safeMode.set(true),
    whileWaiting: ({ retry, choose, show }, signal) =>
      startUnattended(
        isSafe ? choose : retry,
        (seconds) => show(seconds === null ? null : texts.startsIn(seconds, isSafe)),
        signal,
      ),
  })
}

async function prefetchEntries(): Promise<void> {
  inLoadingOrder(await readFragments(), openedApp()).first.forEach(prefetchEntry)
}

/** The app of an address below `/app`. */
const openedApp = () => /^\/app\/([^/]+)/.exec(location.pathname)?.[1]

async function connectSocket(): Promise<StepWarning> {
  openRealtime()
  return (await becomesReady(socketTimeout)) ? {} : { warning: texts.socketLater }
}

function becomesReady(timeout: number): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (ready: boolean) => {
      stop()
      clearTimeout(timer)
      resolve(ready)
    }
    const stop = connection.subscribe(() => {
      if (connection.get() === 'ready') settle(true)
      // The server refuses live connections from other addresses.
      else if (connection.get() === 'offline' && publicPlace !== null) settle(false)
    })
    const timer = setTimeout(() => settle(false), timeout)
    if (connection.get() === 'ready') settle(true)
  })
}

/** A failed extension causes a warning. */
async function register(entries: readonly Promise<LoadedExtension>[]): Promise<StepWarning> {
  const broken: string[] = []
  const loading = entries.map(async (entry) => {
    const { fragment, extension } = await entry
    if (extension === null) broken.push(fragment.label)
  })
  await Promise.race([Promise.all(loading), delay(extensionTimeout)])
  return warningOf(broken)
}

/** Apps of extensions that have not loaded yet appear later. */
async function loadApps(entries: readonly Promise<LoadedExtension>[]): Promise<StepWarning> {
  const broken: string[] = []
  const starting = entries.map(async (entry) => {
    const loaded = await entry
    if (!startApps(loaded) && loaded.extension !== null) broken.push(loaded.fragment.label)
  })
  // Loaded extensions, usually all of them, settle before any timer.
  await Promise.race([Promise.all(starting), delay(0)])
  return warningOf(broken)
}

const warningOf = (broken: string[]): StepWarning =>
  broken.length > 0 ? { warning: texts.notLoaded(broken) } : {}

const delay = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))
