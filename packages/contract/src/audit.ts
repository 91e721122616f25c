import * as z from 'zod/mini'
import { id, instant, pageOf, pageQuery } from './collection.ts'
import { endpoint } from './endpoint.ts'
import { limits } from './limits.ts'

/** One thing that happened. Nothing changes or deletes it. */
const auditRow = z.object({
  _id: id,
  at: instant,
  /** `room.verb`: `grant.added`, `login.password`. */
  event: z.string(),
  result: z.enum(['success', 'failure']),
  /** The acting account; null for the installation itself and for callers who were not signed in. */
  actor: z.nullable(z.object({ _id: id, name: z.string() })),
  /** The affected record or address. */
  target: z.nullable(z.string()),
  project: z.nullable(id),
  address: z.nullable(z.string()),
  detail: z.record(z.string(), z.unknown()),
})
export type AuditRow = z.infer<typeof auditRow>

const filter = {
  /** `event:grant result:failure actor:ada target:…`, and words that occur in an address, a name or a target. */
  search: z.optional(z.string().check(z.maxLength(limits.auditSearchMax))),
  /** From this instant on, and before that one. */
  from: z.optional(z.iso.datetime()),
  until: z.optional(z.iso.datetime()),
} as const

/** By time: `-at` is the newest first. */
const auditSort = z.enum(['-at', 'at'])
export type AuditSort = z.infer<typeof auditSort>

const auditQuery = z.strictObject({ ...pageQuery.shape, ...filter, sort: z.optional(auditSort) })
const exportQuery = z.strictObject({ ...filter, format: z.enum(['csv', 'jsonl']) })

/** The file's text. It is sent as it is read from the database, with its content type and as an attachment. */
const exported = z.string()

const ofRoot = ['UNAUTHENTICATED', 'FORBIDDEN'] as const
const ofProject = [...ofRoot, 'NOT_FOUND'] as const

export const auditEndpoints = {
  list: endpoint('GET', '/apps/root/audit', {
    summary: 'What happened in the installation, the newest first unless sorted otherwise.',
    query: auditQuery,
    reply: pageOf(auditRow),
    errors: [...ofRoot],
  }),
  export: endpoint('GET', '/apps/root/audit/export', {
    summary: 'The same rows as a file: CSV (RFC 4180) or JSON lines.',
    query: exportQuery,
    reply: exported,
    errors: [...ofRoot, 'RECENT_SIGN_IN_NEEDED'],
  }),
  ofProject: endpoint('GET', '/projects/:projectId/audit', {
    summary: 'What happened in a project, the newest first unless sorted otherwise. For its owner and root.',
    query: auditQuery,
    reply: pageOf(auditRow),
    errors: [...ofProject],
  }),
  exportOfProject: endpoint('GET', '/projects/:projectId/audit/export', {
    summary: 'The same rows as a file: CSV (RFC 4180) or JSON lines.',
    query: exportQuery,
    reply: exported,
    errors: [...ofProject, 'RECENT_SIGN_IN_NEEDED'],
  }),
}
