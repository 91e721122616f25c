import * as z from 'zod/mini'
import { done, instant, lastChange, listOf, revision } from './collection.ts'
import { endpoint } from './endpoint.ts'

/*
 * Key-value storage on the server for apps without their own service, separate for each app and project. Every user
 * who may open the app in the project can read and write all values. An app has at most 1,000 values in a project, and
 * all apps together 64 MiB.
 */

export const storeErrors = {
  STORE_FULL: {
    status: 409,
    message: 'This app has used up its storage in this project. Delete some of its data',
  },
} as const

/** Letters, digits and `. _ : -`, at most 100. Addresses cannot contain `.` and `..`. */
const key = z.string().check(z.regex(/^(?!\.{1,2}$)[\w.:-]{1,100}$/, 'Must be letters, digits and . _ : -'))

const storeEntry = z.object({
  key,
  /** Any JSON, at most 32 KiB. */
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
    summary: 'Lists the values that an app stores in a project, by key.',
    query: z.strictObject({ prefix: z.optional(key) }),
    reply: listOf(storeEntry),
    errors: [...seen],
  }),
  read: endpoint('GET', '/projects/:projectId/apps/:app/store/:key', {
    summary: 'Reads one value.',
    reply: storeEntry,
    errors: [...seen],
  }),
  write: endpoint('PUT', '/projects/:projectId/apps/:app/store/:key', {
    summary:
      'Stores a value under a key; If-Match with the revision detects concurrent changes, and 0 requires a new key.',
    body: z.strictObject({ value: z.unknown() }),
    reply: storeEntry,
    errors: [...seen, 'REVISION_CONFLICT', 'STORE_FULL'],
  }),
  remove: endpoint('DELETE', '/projects/:projectId/apps/:app/store/:key', {
    summary: 'Deletes a value.',
    reply: done,
    errors: [...seen],
  }),
}
