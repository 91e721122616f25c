import * as z from 'zod/mini'
import { id, instant, pageOf } from './collection.ts'
import { endpoint } from './endpoint.ts'
import { limits } from './limits.ts'

/** One thing that happened. Nothing changes or deletes it. */
export const auditRow = z.object({
  _id: id,
  at: instant,
  /** `room.verb`: `grant.added`, `login.password`. */
  event: z.string(),
  result: z.enum(['success', 'failure']),
  /** Who did it; null for the installation itself, or when nobody was signed in. */
  actor: z.nullable(z.object({ _id: id, name: z.string() })),
  /** What it was done to: an id or an address. */
  target: z.nullable(z.string()),
  project: z.nullable(id),
  address: z.nullable(z.string()),
  detail: z.record(z.string(), z.unknown()),
})
export type AuditRow = z.infer<typeof auditRow>

const auditQuery = z.strictObject({
  after: z.optional(id),
  limit: z.optional(z.string().check(z.regex(/^(?:[1-9]\d?|1\d\d|200)$/))),
  /** `event:grant result:failure`, and words that occur in an address or a target. */
  search: z.optional(z.string().check(z.maxLength(limits.searchMax))),
  /** From this instant on, and before that one. */
  from: z.optional(z.iso.datetime()),
  until: z.optional(z.iso.datetime()),
})

export const auditEndpoints = {
  list: endpoint('GET', '/apps/root/audit', {
    summary: 'What happened in the installation, the newest first.',
    query: auditQuery,
    reply: pageOf(auditRow),
    errors: ['UNAUTHENTICATED', 'FORBIDDEN'],
  }),
  ofProject: endpoint('GET', '/projects/:projectId/audit', {
    summary: 'What happened in a project, the newest first. For its owner and root.',
    query: auditQuery,
    reply: pageOf(auditRow),
    errors: ['UNAUTHENTICATED', 'FORBIDDEN', 'NOT_FOUND'],
  }),
}

/** The same rows as a file: `GET {path}/export?format=csv|jsonl` with the list's filters, streamed. */
export const auditExportFormats = ['csv', 'jsonl'] as const
