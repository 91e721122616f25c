import { type Endpoint, projectHeader } from '@pult/contract'
import { ofBackend } from '../backend.ts'
import type { AnyCall, Call } from '../call.ts'
import { type AppHost, useConsoleHost } from '../host.ts'

/**
 * Returns the function that calls the server, or the app's own service, with endpoints from `at`, which knows the
 * service's address.
 */
export function useCaller(isBackend: boolean): { call: Call; at: <E extends Endpoint>(endpoint: E) => E } {
  const host = useConsoleHost()
  if (!isBackend || !('app' in host)) return { call: host.call, at: (endpoint) => endpoint }
  const { app, project, call } = host as AppHost
  const headers: Record<string, string> = project === null ? {} : { [projectHeader]: project._id }
  const callService: AnyCall = (endpoint, input) => (call as AnyCall)(endpoint, { ...input, headers })
  return { call: callService as Call, at: (endpoint) => ofBackend(endpoint, app.id) }
}
