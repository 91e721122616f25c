import * as z from 'zod/mini'
import { id, instant, lastChange, revision } from './collection.ts'
import { storedEdgeTags } from './edge-tags.ts'
import { fleetState } from './home.ts'
import { label } from './label.ts'
import { limits } from './limits.ts'
import { resource } from './resource.ts'
import { searchText, storedName } from './text.ts'

/**
 * Rule that selects the edges of a group. All given parts must match. An empty part counts as omitted, and a rule
 * without parts matches all edges. Tags and places that neither an edge nor the stored rule has follow the rules for new
 * ones.
 */
const edgeRule = z.strictObject({
  /** Edges with all of these tags. */
  allTags: z.optional(storedEdgeTags),
  /** Edges with at least one of these tags. */
  anyTags: z.optional(storedEdgeTags),
  places: z.optional(z.array(storedName(limits.labelMax)).check(z.maxLength(limits.edgeRuleMax))),
  /** Versions of the agent. */
  versions: z.optional(z.array(searchText(50)).check(z.maxLength(limits.edgeRuleMax))),
  states: z.optional(z.array(fleetState).check(z.maxLength(limits.edgeRuleMax))),
})
export type EdgeRule = z.infer<typeof edgeRule>

const edgeGroup = z.object({
  _id: id,
  label: z.string(),
  rule: z.object({
    ...edgeRule.shape,
    // As stored, even by a release with other rules for text.
    allTags: z.optional(z.array(z.string())),
    anyTags: z.optional(z.array(z.string())),
    places: z.optional(z.array(z.string())),
    versions: z.optional(z.array(z.string())),
  }),
  /** Number of edges of the project that match now. */
  count: z.number(),
  /** Whether no edge, some edges or all edges match. */
  matches: z.enum(['nothing', 'some', 'everything']),
  createdAt: instant,
  revision,
  ...lastChange,
})
export type EdgeGroup = z.infer<typeof edgeGroup>

/**
 * Saved groups of the edges of a project, by label. A group is a rule, so edges join and leave it automatically.
 * Reading groups needs the role `edges` of the project, changing them `edges:manage`. Changes are published on
 * `/projects/{id}/edges`.
 */
export const edgeGroupEndpoints = resource('/projects/:projectId/edge-groups', {
  name: 'group of edges',
  item: edgeGroup,
  input: z.strictObject({ label, rule: edgeRule }),
  change: z.strictObject({ label: z.optional(label), rule: z.optional(edgeRule) }),
  errors: ['TOO_MANY_EDGE_GROUPS'],
  proved: ['update'],
})
