import { edgeEndpoints, mediaEndpoints, projectEndpoints } from '@pult/contract'
import { api } from '#platform/api.ts'
import type { callOf } from '#platform/query-client.ts'
import type { SearchedList } from '#platform/searched-list/searched-list.ts'

/** A record that can be chosen. */
export interface Choice {
  _id: string
  label: string
}

/** The records of a choice, page by page. */
export interface Choices extends SearchedList<Choice> {
  /** Reads the chosen record, which can be on any page. */
  readOne: (id: string, call: ReturnType<typeof callOf>) => Promise<Choice>
}

const limit = '200'

/** The projects that the user may see, the default one first. */
export const projectChoices: Choices = {
  queryKey: ['projects', 'choices'],
  fetchPage: (query, call) => api(projectEndpoints.list, { ...call, query: { ...query, limit } }),
  readOne: (projectId, call) => api(projectEndpoints.read, { ...call, params: { projectId } }),
}

export const edgeChoices = (projectId: string): Choices => ({
  queryKey: ['stream-decks', 'edge choices', projectId],
  fetchPage: (query, call) =>
    api(edgeEndpoints.list, { ...call, params: { projectId }, query: { ...query, limit } }),
  readOne: (edgeId, call) => api(edgeEndpoints.read, { ...call, params: { projectId, edgeId } }),
})

export const pictureChoices = (projectId: string): Choices => ({
  queryKey: ['stream-decks', 'picture choices', projectId],
  fetchPage: (query, call) =>
    api(mediaEndpoints.list, { ...call, params: { projectId }, query: { ...query, kind: 'image', limit } }),
  readOne: (itemId, call) => api(mediaEndpoints.read, { ...call, params: { projectId, itemId } }),
})
