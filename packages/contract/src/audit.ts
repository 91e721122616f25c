import * as z from 'zod/mini'
import { id, instant } from './collection.ts'
import { endpoint } from './endpoint.ts'
import { limits } from './limits.ts'
import { pageOf, pageQuery } from './pages.ts'
import { searchText } from './text.ts'

/** One entry of the append-only audit log. */
const auditRow = z.object({
  _id: id,
  at: instant,
  /** `room.verb`: `grant.added`, `login.password`. */
  event: z.string(),
  result: z.enum(['success', 'failure']),
  /** The acting account; null for the installation itself and for unauthenticated callers. */
  actor: z.nullable(
    z.object({
      _id: id,
      /** Of a deleted account, root sees the last name; otherwise it is empty. */
      name: z.string(),
      isDeleted: z.optional(z.boolean()),
    }),
  ),
  /** The affected record or address. */
  target: z.nullable(z.string()),
  project: z.nullable(id),
  address: z.nullable(z.string()),
  detail: z.record(z.string(), z.unknown()),
})
export type AuditRow = z.infer<typeof auditRow>

const filter = {
  /** `event:grant result:failure actor:ada target:…`, and words that must occur in an address, a name or a target. */
  search: z.optional(searchText(limits.auditSearchMax)),
  /** Entries at or after `from` and before `to`, in ISO 8601. */
  from: z.optional(z.iso.datetime()),
  until: z.optional(z.iso.datetime()),
} as const

/** By time: `-at` is the newest first. */
const auditSort = z.enum(['-at', 'at'])
export type AuditSort = z.infer<typeof auditSort>

const auditQuery = z.strictObject({ ...pageQuery.shape, ...filter, sort: z.optional(auditSort) })
const exportQuery = z.strictObject({ ...filter, format: z.enum(['csv', 'jsonl']) })

/** The file's text, streamed from the database as an attachment with its content type. */
const exported = z.string()

const ofRoot = ['UNAUTHENTICATED', 'FORBIDDEN'] as const
const ofProject = [...ofRoot, 'NOT_FOUND'] as const

export const auditEndpoints = {
  list: endpoint('GET', '/apps/root/audit', {
    summary: 'Lists the audit entries of the installation, newest first unless sorted otherwise.',
    query: auditQuery,
    reply: pageOf(auditRow),
    errors: [...ofRoot],
  }),
  export: endpoint('GET', '/apps/root/audit/export', {
    summary: 'Exports the matching audit entries of the installation as CSV (RFC 4180) or JSON lines.',
    query: exportQuery,
    reply: exported,
    replyTypes: ['text/csv', 'application/x-ndjson'],
    errors: [...ofRoot, 'RECENT_SIGN_IN_NEEDED'],
  }),
  ofProject: endpoint('GET', '/projects/:projectId/audit', {
    summary:
      'Lists the audit entries of a project for its owner and root, newest first unless sorted otherwise.',
    query: auditQuery,
    reply: pageOf(auditRow),
    errors: [...ofProject],
  }),
  exportOfProject: endpoint('GET', '/projects/:projectId/audit/export', {
    summary: 'Exports the matching audit entries of a project as CSV (RFC 4180) or JSON lines.',
    query: exportQuery,
    reply: exported,
    replyTypes: ['text/csv', 'application/x-ndjson'],
    errors: [...ofProject, 'RECENT_SIGN_IN_NEEDED'],
  }),
}
