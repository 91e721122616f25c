import type { Fragment } from '@pult/contract'
import type { ReadContext } from '@pult/sdk'
import { backendOf, boundCall } from '@pult/sdk/host'
import { api } from '#platform/api.ts'
import { LoadingError } from '#platform/loading-error.ts'
import { queryClient } from '#platform/query-client.ts'
import { activeProjectQuery } from '../projects/projects.queries.ts'
import { texts } from './extensions.texts.ts'
import { loadCode } from './load-extension.ts'
import { type App, isRootApp } from './registry.ts'
import { reportFailure } from './report-failure.ts'

/** Timeout of a card, a navigation entry or a search provider of an extension. Milliseconds. */
const pointTimeout = 3000

/** Loads the module of an app's extension point and returns its default export. */
export async function loadPoint<Module>(
  load: (() => Promise<{ default: Module }>) | undefined,
  id: string,
  extension: Fragment,
): Promise<Module> {
  try {
    if (load === undefined) throw new LoadingError(texts.pointNotRegistered(id), false)
    const { default: module } = await loadCode(extension, load)
    if (!isModule(module)) throw new LoadingError(texts.pointNotExported(id), false)
    return module
  } catch (error) {
    reportFailure(extension, id, error)
    throw error
  }
}

/** A value of another type would break the page around the point. */
const isModule = (value: unknown): boolean =>
  typeof value === 'function' || (typeof value === 'object' && value !== null)

interface Reading {
  signal: AbortSignal
  /** Set for calls that do not count as use of the session. */
  background: boolean
}

/**
 * Runs an extension's code with a time limit, and aborts its calls at the limit or with the signal. Its calls are bound
 * to both, so this also holds for code that does not hand them on.
 */
export function withTimeout<Result>(
  app: App,
  { signal: outer, background }: Reading,
  read: (context: ReadContext) => Promise<Result>,
  subject: string | null = null,
): Promise<Result> {
  const limit = AbortSignal.timeout(pointTimeout)
  const signal = AbortSignal.any([outer, limit])
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () =>
      reject(
        limit.aborted ? new LoadingError(texts.noAnswer, true) : new DOMException('Aborted', 'AbortError'),
      ),
    )
  })
  const { project } = placeOf(app)
  const call = boundCall(api, { signal, background })
  const backend = backendOf(call, app.manifest.id, project?._id ?? null)
  const reading = Promise.race([read({ project, subject, call, backend, signal }), aborted])
  return reading.catch((error: unknown) => {
    reportFailure(app.extension, app.manifest.id, error)
    // Code can throw any value, which a page could not show.
    throw error instanceof Error ? error : new Error(String(error))
  })
}

/** The project that an app's extension points read. */
export const placeOf = (app: App): Pick<ReadContext, 'project'> => ({
  project: isRootApp(app) ? null : (queryClient.getQueryData(activeProjectQuery.queryKey) ?? null),
})
