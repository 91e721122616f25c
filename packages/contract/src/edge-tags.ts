import * as z from 'zod/mini'
import { id } from './collection.ts'
import { endpoint } from './endpoint.ts'
import { limits } from './limits.ts'

/* Tags and places of edges, which users set, and the values by which a fleet can be filtered (decision record 157). */

/** Without commas, which separate the tags of a filter. */
const edgeTag = z
  .string()
  .check(z.trim(), z.minLength(1), z.maxLength(limits.edgeTagMax), z.regex(/^[^\p{Cc},]*$/u))

/** The tags of one edge. Repeated ones count once. */
export const edgeTags = z.array(edgeTag).check(z.maxLength(limits.edgeTagsMax))

/** Where an edge stands, in the words of its users. */
export const edgePlace = z
  .string()
  .check(z.trim(), z.minLength(1), z.maxLength(limits.labelMax), z.regex(/^\P{Cc}*$/u))

const counted = z.array(z.object({ value: z.string(), count: z.number() }))

const edgeFacets = z.object({
  /** Each with the number of edges that have it, most first; at most 200 of each kind. */
  tags: counted,
  places: counted,
  /** Versions of the agents. */
  versions: counted,
})
export type EdgeFacets = z.infer<typeof edgeFacets>

const seen = ['UNAUTHENTICATED', 'NOT_FOUND', 'FORBIDDEN'] as const

/** To see the facets needs the role `edges` of the project, to change tags `edges:manage`. */
export const edgeTagEndpoints = {
  facets: endpoint('GET', '/projects/:projectId/edge-facets', {
    summary: 'The tags, places and versions of the edges of a project, with the number of edges of each.',
    reply: edgeFacets,
    errors: [...seen],
  }),
  change: endpoint('POST', '/projects/:projectId/edge-tags', {
    summary: 'Adds tags to several edges and removes others, of all of them or of none.',
    body: z.strictObject({
      edges: z.array(id).check(z.minLength(1), z.maxLength(limits.edgesAtOnceMax)),
      add: z.optional(edgeTags),
      remove: z.optional(edgeTags),
    }),
    /** Edges whose tags are others now. */
    reply: z.object({ changed: z.number() }),
    errors: [...seen, 'TOO_MANY_TAGS'],
  }),
}
