import * as z from 'zod/mini'
import { credentials } from './account/credentials.ts'
import { endpoint } from './endpoint.ts'
import { fragment } from './extensions/fragment.ts'
import { project } from './projects.ts'
import { settings } from './settings.ts'

export const startEndpoints = {
  read: endpoint('GET', '/start', {
    summary:
      'Everything that a console reads when it starts. `project` is the one asked for if the caller sees it, else their first.',
    query: z.strictObject({
      /** An id. Any other text counts as unknown: the browser's storage and the address may hold anything. */
      project: z.optional(z.string()),
    }),
    reply: z.object({
      credentials,
      settings,
      /** Null when the caller sees no project. */
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
