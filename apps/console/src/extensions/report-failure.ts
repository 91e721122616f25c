import { extensionFailureEndpoints, type Fragment } from '@pult/contract'
import { ApiError } from '@pult/sdk/api-error'
import { api } from '#platform/api.ts'
import { LoadingError } from '#platform/loading-error.ts'
import { newerExtensions } from './registry.ts'

/** Failures that one page reports at most. */
const reportedMost = 50
const messageMost = 300

const reported = new Set<string>()

/** Reports a failure of an extension's code, once for each part and page, because otherwise only this user sees it. */
export function reportFailure({ id, version }: Fragment, part: string, error: unknown): void {
  // The code of this page may be gone from the server.
  if (!isFaultOfCode(error) || newerExtensions.get().has(id)) return
  const key = `${id} ${version} ${part}`
  if (reported.has(key) || reported.size >= reportedMost) return
  reported.add(key)
  const message = (error instanceof Error ? error.message : String(error)).slice(0, messageMost)
  api(extensionFailureEndpoints.report, {
    params: { name: id },
    body: { version, part, message },
    background: true,
  }).catch(() => {})
}

/** Refusals of the server, missing networks and aborted reads are no faults of the code. */
const isFaultOfCode = (error: unknown): boolean =>
  !(error instanceof ApiError) &&
  !(error instanceof LoadingError && error.canRetry) &&
  !(error instanceof DOMException && error.name === 'AbortError')
