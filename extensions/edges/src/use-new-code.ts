import { isCancelled, useApi, useNotify, useProject } from '@pult/sdk'
import { type Edge, edgeEndpoints } from '@pult/sdk/api'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { NewCode } from './CommandDialog.tsx'
import { useReadAgain } from './edges.queries.ts'
import { texts } from './edges.texts.ts'

/** Creates a new code for an edge, which replaces the previous one, and keeps it for the dialog. */
export function useNewCode() {
  const call = useApi()
  const notify = useNotify()
  const readAgain = useReadAgain()
  const { _id: projectId } = useProject()
  const [made, setMade] = useState<NewCode | null>(null)
  const { mutate, isPending } = useMutation({
    mutationFn: ({ _id }: Edge) => call(edgeEndpoints.newCode, { params: { projectId, edgeId: _id } }),
    onSuccess: async (code, { _id, label }) => {
      // The cached edge predates the code.
      await readAgain()
      setMade({ ...code, edgeId: _id, label })
    },
    onError: (error) => {
      if (!isCancelled(error)) notify({ title: texts.newCodeFailed, error })
    },
  })
  return { made, create: mutate, isPending, close: () => setMade(null) }
}
