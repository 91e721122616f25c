import { useChange, useNotify, useProject } from '@pult/sdk'
import { type Edge, edgeEndpoints } from '@pult/sdk/api'
import { edgeData } from './edges.queries.ts'
import { texts } from './edges.texts.ts'

/** Creates a new code for an edge, which replaces the previous one, and keeps it for the dialog. */
export function useNewCode() {
  const notify = useNotify()
  const { _id: projectId } = useProject()
  const { mutate, isPending, data, variables, reset } = useChange(
    edgeEndpoints.newCode,
    ({ _id: edgeId }: Edge) => ({ params: { projectId, edgeId } }),
    {
      // The code appears after this read, because the cached edge predates it.
      touches: edgeData,
      onError: (error) => notify({ title: texts.newCodeFailed, error }),
      gcTime: 0,
    },
  )
  const made = data && variables ? { ...data, edgeId: variables._id, label: variables.label } : null
  return { made, create: mutate, isPending, close: reset }
}
