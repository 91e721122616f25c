import * as z from 'zod/mini'
import { id } from './collection.ts'
import { endpoint } from './endpoint.ts'
import { limits } from './limits.ts'
import { nameText, storedName } from './text.ts'

/* Tags and places of edges, which users set, and the facets that filter a fleet (decision record 157). */

/** Excludes commas, which separate the tags of a filter. */
export const edgeTag = nameText(limits.edgeTagMax).check(z.regex(/^[^,]*$/, 'Must not contain a comma'))

/** The tags of one edge. Duplicates count once. */
export const edgeTags = z.array(edgeTag).check(z.maxLength(limits.edgeTagsMax))

/** Tags as edges have them, even with hidden characters of an earlier release. */
export const storedEdgeTags = z.array(storedName(limits.edgeTagMax)).check(z.maxLength(limits.edgeTagsMax))

/** Location of an edge, as free text. */
export const edgePlace = nameText(limits.labelMax)

const counted = z.array(z.object({ value: z.string(), count: z.number() }))

const edgeFacets = z.object({
  /** Each value with its number of edges, most frequent first; at most 200 values of each kind. */
  tags: counted,
  places: counted,
  /** Versions of the agents. */
  versions: counted,
})
export type EdgeFacets = z.infer<typeof edgeFacets>

const seen = ['UNAUTHENTICATED', 'NOT_FOUND', 'FORBIDDEN'] as const

/** Reading the facets needs the role `edges` of the project, changing tags `edges:manage`. */
export const edgeTagEndpoints = {
  facets: endpoint('GET', '/projects/:projectId/edge-facets', {
    summary: 'Returns the tags, places and versions of a project’s edges, with the number of edges of each.',
    reply: edgeFacets,
    errors: [...seen],
  }),
  change: endpoint('POST', '/projects/:projectId/edge-tags', {
    summary: 'Adds tags to several edges and removes others, for all of the edges or for none.',
    body: z.strictObject({
      edges: z.array(id).check(z.minLength(1), z.maxLength(limits.edgesAtOnceMax)),
      add: z.optional(edgeTags),
      /** Also tags of earlier releases, as they are stored. */
      remove: z.optional(storedEdgeTags),
    }),
    /** Number of edges whose tags have changed. */
    reply: z.object({ changed: z.number() }),
    errors: [...seen, 'TOO_MANY_TAGS'],
  }),
}
