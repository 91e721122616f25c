import * as z from 'zod/mini'
import { id, instant, pageOf, pageQuery } from './collection.ts'
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

const filter = {
  /** `event:grant result:failure actor:ada target:…`, and words that occur in an address, a name or a target. */
  search: z.optional(z.string().check(z.maxLength(limits.searchMax))),
  /** From this instant on, and before that one. */
  from: z.optional(z.iso.datetime()),
  until: z.optional(z.iso.datetime()),
} as const

const auditQuery = z.strictObject({ ...pageQuery.shape, ...filter })
const exportQuery = z.strictObject({ ...filter, format: z.enum(['csv', 'jsonl']) })

/** The file's text. It is sent as it is read from the database, with its content type and as an attachment. */
const exported = z.string()

const ofRoot = ['UNAUTHENTICATED', 'FORBIDDEN'] as const
const ofProject = [...ofRoot, 'NOT_FOUND'] as const

export const auditEndpoints = {
  list: endpoint('GET', '/apps/root/audit', {
    summary: 'What happened in the installation, the newest first.',
    query: auditQuery,
    reply: pageOf(auditRow),
    errors: [...ofRoot],
  }),
  export: endpoint('GET', '/apps/root/audit/export', {
    summary: 'The same rows as a file: CSV (RFC 4180) or JSON lines.',
    query: exportQuery,
    reply: exported,
    errors: [...ofRoot],
  }),
  ofProject: endpoint('GET', '/projects/:projectId/audit', {
    summary: 'What happened in a project, the newest first. For its owner and root.',
    query: auditQuery,
    reply: pageOf(auditRow),
    errors: [...ofProject],
  }),
  exportOfProject: endpoint('GET', '/projects/:projectId/audit/export', {
    summary: 'The same rows as a file: CSV (RFC 4180) or JSON lines.',
    query: exportQuery,
    reply: exported,
    errors: [...ofProject],
  }),
}
