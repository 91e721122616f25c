import { useApi, useProject } from '@pult/sdk'
import { type BodyOf, taskTokenEndpoints } from '@pult/sdk/api'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

const keyOf = (projectId: string) => ['project-details', projectId, 'task-tokens']

/** The project's task tokens, and the kinds of tasks that a token can cover. */
export function useTaskTokens() {
  const call = useApi()
  const { _id: projectId, products } = useProject()
  return useQuery({
    queryKey: [...keyOf(projectId), products],
    queryFn: ({ signal }) => call(taskTokenEndpoints.list, { params: { projectId }, signal }),
  })
}

function useTokenChange<Input, Result>(change: (projectId: string, input: Input) => Promise<Result>) {
  const { _id } = useProject()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (input: Input) => change(_id, input),
    onSettled: () => queryClient.invalidateQueries({ queryKey: keyOf(_id) }),
  })
}

export function useCreateToken() {
  const call = useApi()
  return useTokenChange((projectId, body: BodyOf<typeof taskTokenEndpoints.create>) =>
    call(taskTokenEndpoints.create, { params: { projectId }, body }),
  )
}

export function useRevokeToken() {
  const call = useApi()
  return useTokenChange((projectId, tokenId: string) =>
    call(taskTokenEndpoints.revoke, { params: { projectId, tokenId } }),
  )
}
