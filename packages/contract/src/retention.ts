import * as z from 'zod/mini'
import { done, instant } from './collection.ts'
import { endpoint } from './endpoint.ts'

/** Retention in days: the default and the limits of each setting. */
export const retentionDays = {
  /** Older entries move to the archive. */
  audit: { default: 730, least: 30, most: 3650 },
  /** Sent and failed mails, without their content. */
  mails: { default: 30, least: 7, most: 365 },
  /** Counted from the archiving of an ended task. */
  tasks: { default: 90, least: 7, most: 3650 },
  /** Counted from the end of the session. */
  sessions: { default: 30, least: 1, most: 365 },
  /** Samples of the edges' values. */
  edgeSamples: { default: 1, least: 1, most: 7 },
  /** One point per minute. */
  edgeMinutes: { default: 30, least: 7, most: 90 },
  /** One point per quarter of an hour, and the outages. */
  edgeQuarters: { default: 730, least: 90, most: 1095 },
} as const
export type RetentionPart = keyof typeof retentionDays

const days = (part: RetentionPart) => {
  const { least, most } = retentionDays[part]
  return z.optional(z.int().check(z.gte(least), z.lte(most)))
}

const count = z.number()
const bytes = z.number()

const part = z.object({
  /** `events` and `edge-reports` have no setting. */
  part: z.enum([
    'audit',
    'mails',
    'tasks',
    'sessions',
    'edgeSamples',
    'edgeMinutes',
    'edgeQuarters',
    'events',
    'edge-reports',
  ]),
  /** Number of records, estimated above 100,000. */
  rows: count,
  /** Size of the tables and their indexes, in bytes. */
  size: bytes,
  /** Time of the oldest record; null without records. */
  oldest: z.nullable(instant),
  /** Bytes added per day, averaged over the last seven days. */
  growth: bytes,
  /** Expected size in 30 days, in bytes: growth minus deletions. */
  forecast: bytes,
  days: z.nullable(count),
})
export type Retained = z.infer<typeof part>

export const retentionEndpoints = {
  read: endpoint('GET', '/apps/root/retention', {
    summary: 'Returns the size, growth and retention of the records that accumulate.',
    reply: z.object({
      parts: z.array(part),
      /** The archive of audit entries. */
      archive: z.object({ files: count, entries: count, size: bytes, oldest: z.nullable(instant) }),
    }),
    errors: ['UNAUTHENTICATED', 'FORBIDDEN'],
  }),
  change: endpoint('PUT', '/apps/root/retention', {
    summary: 'Sets the retention of parts in days; the clean-up job deletes older records within an hour.',
    body: z.strictObject({
      audit: days('audit'),
      mails: days('mails'),
      tasks: days('tasks'),
      sessions: days('sessions'),
      edgeSamples: days('edgeSamples'),
      edgeMinutes: days('edgeMinutes'),
      edgeQuarters: days('edgeQuarters'),
    }),
    reply: done,
    errors: ['UNAUTHENTICATED', 'FORBIDDEN', 'RECENT_SIGN_IN_NEEDED'],
  }),
}
