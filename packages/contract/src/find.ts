import * as z from 'zod/mini'
import { id } from './collection.ts'
import { endpoint } from './endpoint.ts'
import { limits } from './limits.ts'
import { searchText } from './text.ts'

const thing = z.object({
  kind: z.enum(['edge', 'program', 'medium', 'note', 'task', 'person']),
  /** Id of the record; `{edge}/{instance}` for a program. */
  id: z.string(),
  label: z.string(),
  /** Text that explains the match or its context: an excerpt of a note, the tags of a medium, a program's edge. */
  detail: z.nullable(z.string()),
  /**
   * State of an edge (`online`, `trouble`, `offline`, `enrolling` or `revoked`) or task, or type of a medium; null for
   * other kinds.
   */
  state: z.nullable(z.string()),
  /** Why an edge is in trouble: the use of its nearly full disk in percent, or null, and its number of stopped programs. */
  trouble: z.optional(z.object({ disk: z.nullable(z.number()), stopped: z.number() })),
  project: z.object({ _id: id, label: z.string() }),
})
export type Thing = z.infer<typeof thing>
export type ThingKind = Thing['kind']

export const findEndpoints = {
  find: endpoint('GET', '/find', {
    summary:
      'Finds records of the caller’s projects that contain all words, the given project’s first; without words, the newest records of that project.',
    query: z.strictObject({
      project: z.optional(id),
      q: z.optional(searchText(limits.searchMax)),
    }),
    reply: z.object({
      items: z.array(thing),
      /** True if a kind of record is missing because its search timed out. */
      isPartial: z.boolean(),
    }),
    errors: ['UNAUTHENTICATED'],
  }),
}
