import type { Fragment } from '@pult/contract'
import type { AppRegistration, Extension, ExtensionAction } from '@pult/sdk'
import { LoadingError } from '#platform/loading-error.ts'
import { usableAction } from '#platform/usable-values.ts'
import { texts } from './extensions.texts.ts'
import { type ExtensionState, findExtension, newerExtensions, showExtension } from './registry.ts'
import { reportFailure } from './report-failure.ts'

/** Timeout of a code fetch. Milliseconds. */
const loadTimeout = 120_000

/** A loading extension: its code and then its apps. Neither promise rejects, because the apps show errors. */
export interface LoadedExtension {
  fragment: Fragment
  /** Null when the code cannot be loaded. */
  extension: Extension | null
}

/** Loads the entry of an extension. A failure does not affect other extensions. */
export async function loadEntry(fragment: Fragment): Promise<LoadedExtension> {
  showExtension(fragment, { status: 'loading' })
  try {
    return { fragment, extension: await importEntry(fragment) }
  } catch (error) {
    showBroken(fragment, error)
    return { fragment, extension: null }
  }
}

/** Prefetches an extension's code. `loadEntry` reports errors later. */
export function prefetchEntry(fragment: Fragment): void {
  importEntry(fragment).catch(() => {})
}

/** Lets an extension register its apps. Returns whether all of them can be opened. */
export function startApps({ fragment, extension }: LoadedExtension): boolean {
  if (extension === null) return false
  const registered = new Map<string, AppRegistration>()
  const actions = new Map<string, ExtensionAction>()
  try {
    extension.register({
      registerApp: (app) => {
        check(app, registered)
        registered.set(app.id, app)
      },
      registerAction: (action) => {
        checkAction(action, actions)
        actions.set(action.id, usableAction(action))
      },
    })
  } catch (error) {
    showBroken(fragment, error)
    return false
  }
  if ([...actions.values()].some(({ shortcut }) => shortcut !== undefined))
    void import('./action-keys.ts').then(({ listenForActions }) => listenForActions())
  showOutcome(fragment, { status: 'ready', registered, actions: [...actions.values()] })
  return fragment.apps.every(({ id }) => registered.has(id))
}

function showBroken(fragment: Fragment, error: unknown): void {
  // The server knows its own refusals.
  if (fragment.problem === undefined && isKnownToDocument(fragment.entry))
    reportFailure(fragment, 'entry', error)
  const canRetry = error instanceof LoadingError && error.canRetry
  const reason = error instanceof Error ? error.message : String(error)
  showOutcome(fragment, { status: 'broken', reason, canRetry })
}

/** The user may have lost or gained apps while the code was loading. */
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

/**
 * Browsers run only scripts whose digest is in the import map, and accept no later map. Development builds have no
 * digests.
 */
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

/** Loads a module and rejects after 120 s. */
async function loadModule<Module>(load: () => Promise<Module>): Promise<Module> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new LoadingError(texts.tookTooLong, true)), loadTimeout)
  })
  try {
    return await Promise.race([load(), late])
  } catch (error) {
    throw isNotFetched(error) ? new LoadingError(texts.notFetched, true) : error
  } finally {
    clearTimeout(timer)
  }
}

/** Loads a module of an extension that runs. After an update the server no longer has it, so only a reload helps. */
export async function loadCode<Module>(
  { id, label }: Fragment,
  load: () => Promise<Module>,
): Promise<Module> {
  try {
    return await loadModule(load)
  } catch (error) {
    const isGone = error instanceof LoadingError && error.canRetry && newerExtensions.get().has(id)
    throw isGone ? new LoadingError(texts.updatedSince(label), false) : error
  }
}

/** Browsers throw a bare TypeError for a missing script, a lost network and a wrong digest. */
const isNotFetched = (error: unknown) =>
  error instanceof TypeError &&
  /dynamically imported module|Importing a module script failed/.test(error.message)
