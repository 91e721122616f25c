import { type BodyOf, matchesSearch, type Project, parseSearch, projectEndpoints } from '@pult/contract'
import { useRepeatableKey } from '@pult/sdk/resource'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '#platform/api.ts'
import { type SearchedList, useSearchedList } from '#platform/searched-list/searched-list.ts'

/** The fields that the server's search covers as well. */
const searchKeys = ['label', 'org', 'customer', 'private']

const projectList: SearchedList<Project> = {
  queryKey: ['projects', 'list'],
  fetchPage: (query, call) => api(projectEndpoints.list, { ...call, query }),
  matches: ({ label, org, orgLabel, meta: { customer } }, search) =>
    matchesSearch(parseSearch(search, searchKeys), {
      text: [label, orgLabel ?? '', customer],
      fields: { label, org: orgLabel, customer, private: org === null },
    }),
}

/** The projects that the user may see, the default one first, page by page. */
export const useProjectList = (search: string) => useSearchedList(projectList, search)

function useChange<Input, Result>(change: (input: Input) => Promise<Result>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['projects'] }),
  })
}

export function useCreateProject() {
  const keyOf = useRepeatableKey()
  return useChange((body: BodyOf<typeof projectEndpoints.create>) =>
    api(projectEndpoints.create, { body, idempotencyKey: keyOf(body) }),
  )
}

export const useSetDefaultProject = () =>
  useChange((projectId: string) => api(projectEndpoints.setDefault, { params: { projectId } }))
