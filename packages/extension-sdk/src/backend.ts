import { projectHeader } from '@pult/contract'
import type { AnyCall, Call } from './call.ts'

/** Returns the function that calls an app's own service for a project: see {@link useBackend}. */
export function backendOf(call: Call, appId: string, projectId: string | null): Call {
  const callService: AnyCall = (endpoint, input) =>
    (call as AnyCall)(
      { ...endpoint, path: `/apps/${appId}${endpoint.path}` },
      { ...input, ...(projectId !== null && { headers: { [projectHeader]: projectId } }) },
    )
  return callService as Call
}
