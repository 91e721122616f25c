import * as z from 'zod/mini'
import { done, instant, lastChange, listOf, revision } from './collection.ts'
import { endpoint } from './endpoint.ts'

/*
 * Key-value storage on the server for apps without a service of their own, separate for each app and project. Every
 * user who may open the app in the project can read and write all values.
 */

export const storeErrors = {
  STORE_FULL: { status: 409, message: 'This app has used up its storage in this project' },
} as const

/** Letters, digits and `. _ : -`, at most 100. */
const key = z.string().check(z.regex(/^[\w.:-]{1,100}$/, 'Must be letters, digits and . _ : -'))

const storeEntry = z.object({
  key,
  /** Any JSON. */
  value: z.unknown(),
  createdAt: instant,
  revision,
  ...lastChange,
})
export type StoreEntry = z.infer<typeof storeEntry>

const seen = ['UNAUTHENTICATED', 'NOT_FOUND'] as const

/** Changes are published on the topic `/projects/{id}/apps/{appId}/store`, with the key as the record's id. */
export const storeEndpoints = {
  list: endpoint('GET', '/projects/:projectId/apps/:app/store', {
    summary: 'What an app keeps in a project, by key.',
    query: z.strictObject({ prefix: z.optional(key) }),
    reply: listOf(storeEntry),
    errors: [...seen],
  }),
  read: endpoint('GET', '/projects/:projectId/apps/:app/store/:key', {
    summary: 'One value.',
    reply: storeEntry,
    errors: [...seen],
  }),
  write: endpoint('PUT', '/projects/:projectId/apps/:app/store/:key', {
    summary:
      'Keeps a value under a key. If-Match makes sure that nobody else has changed it; 0 that there is none yet.',
    body: z.strictObject({ value: z.unknown() }),
    reply: storeEntry,
    errors: [...seen, 'REVISION_CONFLICT', 'STORE_FULL'],
  }),
  remove: endpoint('DELETE', '/projects/:projectId/apps/:app/store/:key', {
    summary: 'Forgets a value.',
    reply: done,
    errors: [...seen],
  }),
}
