import { type Endpoint, edgeEndpoints, mediaEndpoints, projectEndpoints, type z } from '@pult/contract'
import type { SearchedList } from '#platform/searched-list/searched-list.ts'

/** A record that can be chosen. */
export interface Choice {
  _id: string
  label: string
}

/** The records of a choice, page by page. */
export interface Choices extends SearchedList<Choice> {
  /** The call that reads the chosen record, which can be on any page. */
  one: Endpoint<string, Endpoint['query'], Endpoint['body'], z.ZodMiniType<Choice>>
  /** The parameter of that call for the id. */
  idParam: string
}

const limit = '200'

/** The projects that the user may see, the default one first. */
export const projectChoices: Choices = {
  endpoint: projectEndpoints.list,
  input: { query: { limit } },
  one: projectEndpoints.read,
  idParam: 'projectId',
}

export const edgeChoices = (projectId: string): Choices => ({
  endpoint: edgeEndpoints.list,
  input: { params: { projectId }, query: { limit } },
  one: edgeEndpoints.read,
  idParam: 'edgeId',
})

export const pictureChoices = (projectId: string): Choices => ({
  endpoint: mediaEndpoints.list,
  input: { params: { projectId }, query: { kind: 'image', limit } },
  one: mediaEndpoints.read,
  idParam: 'itemId',
})
