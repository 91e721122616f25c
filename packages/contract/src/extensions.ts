import * as z from 'zod/mini'
import { id } from './collection.ts'
import { endpoint } from './endpoint.ts'

/** What the console needs to load an extension: what it is and where its code is, before the code runs. */
export const fragment = z.object({
  id: z.string(),
  version: z.string(),
  /** Path of the ES module whose default export registers the apps. */
  entry: z.string(),
})
export type Fragment = z.infer<typeof fragment>

export const extensionEndpoints = {
  probe: endpoint('GET', '/probe', {
    summary:
      'The fragments that the caller may load: for a project those of its apps, without one those of root apps.',
    query: z.strictObject({ project: z.optional(id) }),
    reply: z.array(fragment),
    errors: ['UNAUTHENTICATED'],
  }),
}
