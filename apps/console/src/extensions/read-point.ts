import type { ReadContext } from '@pult/sdk'
import { api } from '#platform/api.ts'
import { LoadingError } from '#platform/loading-error.ts'
import { queryClient } from '#platform/query-client.ts'
import { activeProjectQuery } from '../projects/projects.queries.ts'
import { texts } from './extensions.texts.ts'
import { loadModule } from './load-extension.ts'
import { type App, isRootApp } from './registry.ts'

/** Timeout of a card, a navigation entry or a search provider of an extension. Milliseconds. */
const pointTimeout = 3000

/** Loads the module of an app's extension point and returns its default export. */
export async function loadPoint<Module>(
  load: (() => Promise<{ default: Module }>) | undefined,
  id: string,
): Promise<Module> {
  if (load === undefined) throw new LoadingError(texts.pointNotRegistered(id), false)
  const { default: module } = await loadModule(load)
  if (module === undefined) throw new LoadingError(texts.pointNotExported(id), false)
  return module
}

/** Runs an extension's code with a time limit, and aborts its calls at the limit or with the signal. */
export function withTimeout<Result>(
  app: App,
  outer: AbortSignal,
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
  return Promise.race([read({ ...placeOf(app), subject, call: api, signal }), aborted])
}

/** The project that an app's extension points read. */
export const placeOf = (app: App): Pick<ReadContext, 'project'> => ({
  project: isRootApp(app) ? null : (queryClient.getQueryData(activeProjectQuery.queryKey) ?? null),
})
