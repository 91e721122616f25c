import * as z from 'zod/mini'
import { credentials } from './account/credentials.ts'
import { endpoint } from './endpoint.ts'
import { fragment } from './extensions/fragment.ts'
import { project } from './projects.ts'
import { settings } from './settings.ts'

export const startEndpoints = {
  read: endpoint('GET', '/start', {
    summary:
      'Returns all data that a starting console reads; `project` is the requested project if the caller sees it, otherwise the caller’s first.',
    query: z.strictObject({
      /** Id of a project. Any other text counts as unknown, because browser storage and URLs can contain any text. */
      project: z.optional(z.string()),
    }),
    reply: z.object({
      credentials,
      settings,
      /** Null if the caller sees no project. */
      project: z.nullable(project),
      /** Extensions to load for the project. */
      fragments: z.array(fragment),
      /** Extensions with root apps; empty unless the caller is root. */
      rootFragments: z.array(fragment),
    }),
    errors: ['UNAUTHENTICATED'],
  }),
}
export type Start = z.infer<typeof startEndpoints.read.reply>
