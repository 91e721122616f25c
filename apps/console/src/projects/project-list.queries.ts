import { type BodyOf, matchesSearch, type Project, parseSearch, projectEndpoints } from '@pult/contract'
import { useChange } from '@pult/sdk'
import { type SearchedList, useSearchedList } from '#platform/searched-list/searched-list.ts'
import { overviews } from './overview.queries.ts'

/** The fields that the server's search covers as well. */
const searchKeys = ['label', 'org', 'customer', 'private']

const projectList: SearchedList<Project> = {
  endpoint: projectEndpoints.list,
  input: {},
  matches: ({ label, org, orgLabel, meta: { customer } }, search) =>
    matchesSearch(parseSearch(search, searchKeys), {
      text: [label, orgLabel ?? '', customer],
      fields: { label, org: orgLabel, customer, private: org === null },
    }),
}

/** The projects that the user may see, the default one first, page by page. */
export const useProjectList = (search: string) => useSearchedList(projectList, search)

const touches = [projectEndpoints.list, projectEndpoints.read, ...overviews]

export const useCreateProject = () =>
  useChange(projectEndpoints.create, (body: BodyOf<typeof projectEndpoints.create>) => ({ body }), {
    touches,
  })

export const useSetDefaultProject = () =>
  useChange(projectEndpoints.setDefault, (projectId: string) => ({ params: { projectId } }), { touches })
