import { type Endpoint, projectHeader } from '@pult/contract'
import type { AnyCall, Call } from './call.ts'

/** Returns the function that calls an app's own service for a project: see {@link useBackend}. */
export function backendOf(call: Call, appId: string, projectId: string | null): Call {
  const callService: AnyCall = (endpoint, input) =>
    (call as AnyCall)(ofBackend(endpoint, appId), {
      ...input,
      ...(projectId !== null && { headers: { [projectHeader]: projectId } }),
    })
  return callService as Call
}

/** Returns the endpoint of an app's own service as the server proxies it. */
export const ofBackend = <E extends Endpoint>(endpoint: E, appId: string): E => ({
  ...endpoint,
  path: `/apps/${appId}${endpoint.path}`,
})
