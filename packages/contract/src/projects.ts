import * as z from 'zod/mini'
import { id, listOf } from './collection.ts'
import { endpoint } from './endpoint.ts'
import { defaultConsoleColor } from './limits.ts'

export const project = z.object({
  _id: id,
  label: z.string(),
  /** The organisation's id; null for a private project. */
  org: z.nullable(id),
  /** The owner's user id. */
  owner: id,
  config: z.object({
    /** A CSS colour `#rgb` or `#rrggbb`. */
    consoleColor: z._default(z.string(), defaultConsoleColor),
  }),
})
export type Project = z.infer<typeof project>

export const projectEndpoints = {
  list: endpoint('GET', '/projects', {
    summary: 'The projects that the caller may see.',
    reply: listOf(project),
    errors: ['UNAUTHENTICATED'],
  }),
}
