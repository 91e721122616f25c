import type { Fragment } from '@pult/contract'
import type { AppRegistration, Extension, ExtensionAction } from '@pult/sdk'
import { texts } from './extensions.texts.ts'
import { type ExtensionState, findExtension, showExtension } from './registry.ts'

/** How long code may take to arrive. Milliseconds. */
export const loadingPatience = 120_000

/** Whether trying again may help: what was not fetched is fetched again, what ran and failed stays as it is. */
export class LoadingError extends Error {
  readonly canRetry: boolean
  constructor(message: string, canRetry: boolean) {
    super(message)
    this.canRetry = canRetry
  }
}

/** An extension on its way: its code, and then its apps. Neither ever throws: the apps show what went wrong. */
export interface LoadedExtension {
  fragment: Fragment
  /** Null when it cannot be had. */
  extension: Extension | null
}

/** Loads the entry of an extension. One that cannot be loaded is no reason for another not to be there. */
export async function loadEntry(fragment: Fragment): Promise<LoadedExtension> {
  showExtension(fragment, { status: 'loading' })
  try {
    return { fragment, extension: await importEntry(fragment) }
  } catch (error) {
    showBroken(fragment, error)
    return { fragment, extension: null }
  }
}

/** Its code is on its way before its turn has come; what is wrong with it shows then. */
export function prefetchEntry(fragment: Fragment): void {
  importEntry(fragment).catch(() => {})
}

const preloadedMost = 12
let isPreloading = false

/**
 * Has the browser fetch entries that the document names anyway, without running them: whose they are is known when
 * somebody has signed in. Those of a build with the SDK's settings are called so; others are fetched then.
 */
export function preloadEntries(): void {
  if (isPreloading) return
  isPreloading = true
  const entries = Object.keys(knownScripts ?? {}).filter((path) =>
    /^\/extensions\/.+\/entry[-\w]*\.js$/.test(path),
  )
  for (const href of entries.slice(0, preloadedMost))
    document.head.append(
      Object.assign(document.createElement('link'), { rel: 'modulepreload', href, crossOrigin: '' }),
    )
}

/** Has an extension register its apps. Answers whether all of them can be opened. */
export function startApps({ fragment, extension }: LoadedExtension): boolean {
  if (extension === null) return false
  const loaders = new Map<string, AppRegistration['loader']>()
  const actions = new Map<string, ExtensionAction>()
  try {
    extension.register({
      registerApp: (app) => {
        check(app, loaders)
        loaders.set(app.id, app.loader)
      },
      registerAction: (action) => {
        checkAction(action, actions)
        actions.set(action.id, action)
      },
    })
  } catch (error) {
    showBroken(fragment, error)
    return false
  }
  if ([...actions.values()].some(({ shortcut }) => shortcut !== undefined))
    void import('./action-keys.ts').then(({ listenForActions }) => listenForActions())
  showOutcome(fragment, { status: 'ready', loaders, actions: [...actions.values()] })
  return fragment.apps.every(({ id }) => loaders.has(id))
}

function showBroken(fragment: Fragment, error: unknown): void {
  const canRetry = error instanceof LoadingError && error.canRetry
  const reason = error instanceof Error ? error.message : String(error)
  showOutcome(fragment, { status: 'broken', reason, canRetry })
}

/** While the code was on its way the person may have lost its apps, or may open others of them. */
function showOutcome({ id }: Fragment, state: ExtensionState): void {
  const known = findExtension(id)
  if (known !== undefined) showExtension(known.fragment, state)
}

async function importEntry({ entry, problem }: Fragment): Promise<Extension> {
  if (problem !== undefined) throw new LoadingError(problem, false)
  if (!isKnownToDocument(entry)) throw new LoadingError(texts.installedLater, false)
  const loaded = await loadModule<{ default?: Extension }>(() => import(/* @vite-ignore */ entry))
  if (typeof loaded.default?.register !== 'function') throw new LoadingError(texts.noExtension, false)
  return loaded.default
}

/** Browsers run what the import map has a digest of, and take no map that comes later. While developing there are none. */
const { integrity: knownScripts } = JSON.parse(
  document.querySelector('script[type=importmap]')?.textContent ?? '{}',
) as { integrity?: Record<string, string> }

const isKnownToDocument = (path: string) => knownScripts === undefined || path in knownScripts

function check({ id, loader }: Partial<AppRegistration>, registered: ReadonlyMap<string, unknown>): void {
  if (typeof id !== 'string' || id === '') throw new LoadingError(texts.missing('id'), false)
  if (typeof loader !== 'function') throw new LoadingError(texts.missing(`loader (${id})`), false)
  if (registered.has(id)) throw new LoadingError(texts.registeredTwice(id), false)
}

function checkAction(
  { id, label, run }: Partial<ExtensionAction>,
  registered: ReadonlyMap<string, unknown>,
): void {
  if (typeof id !== 'string' || id === '') throw new LoadingError(texts.missingOfAction('id'), false)
  if (typeof label !== 'string' || label === '')
    throw new LoadingError(texts.missingOfAction(`label (${id})`), false)
  if (typeof run !== 'function') throw new LoadingError(texts.missingOfAction(`run (${id})`), false)
  if (registered.has(id)) throw new LoadingError(texts.actionRegisteredTwice(id), false)
}

/** Code that has not arrived after 120 s does not come any more. */
export async function loadModule<Module>(load: () => Promise<Module>): Promise<Module> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new LoadingError(texts.tookTooLong, true)), loadingPatience)
  })
  try {
    return await Promise.race([load(), late])
  } catch (error) {
    throw isNotFetched(error) ? new LoadingError(texts.notFetched, true) : error
  } finally {
    clearTimeout(timer)
  }
}

/** What browsers throw when a script is missing, the network is away or its digest is another: a bare TypeError. */
const isNotFetched = (error: unknown) =>
  error instanceof TypeError &&
  /dynamically imported module|Importing a module script failed/.test(error.message)
