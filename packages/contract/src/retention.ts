import * as z from 'zod/mini'
import { done, instant } from './collection.ts'
import { endpoint } from './endpoint.ts'

/** For how many days records are kept: the default, and the limits of the setting. */
export const retentionDays = {
  /** Then the archive contains the entries. */
  audit: { default: 730, least: 30, most: 3650 },
  /** Sent mails and mails that were given up, without their content. */
  mails: { default: 30, least: 7, most: 365 },
  /** From the time at which an ended task was archived. */
  tasks: { default: 90, least: 7, most: 3650 },
  /** From the end of the session. */
  sessions: { default: 30, least: 1, most: 365 },
  /** Each sample of the edges' values. */
  edgeSamples: { default: 1, least: 1, most: 7 },
  /** One point a minute. */
  edgeMinutes: { default: 30, least: 7, most: 90 },
  /** One point a quarter of an hour, and the outages. */
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
  /** Estimated above 100,000. */
  rows: count,
  /** Bytes of the tables with their indexes. */
  size: bytes,
  /** The oldest record. */
  oldest: z.nullable(instant),
  /** Bytes that are added on a day, measured over the last seven days. */
  growth: bytes,
  /** Bytes of the records that are expected in 30 days: what is added until then, without what is deleted. */
  forecast: bytes,
  days: z.nullable(count),
})
export type Retained = z.infer<typeof part>

export const retentionEndpoints = {
  read: endpoint('GET', '/apps/root/retention', {
    summary: 'How much the installation keeps of what grows, and for how long.',
    reply: z.object({
      parts: z.array(part),
      /** The archive of audit entries. */
      archive: z.object({ files: count, entries: count, size: bytes, oldest: z.nullable(instant) }),
    }),
    errors: ['UNAUTHENTICATED', 'FORBIDDEN'],
  }),
  change: endpoint('PUT', '/apps/root/retention', {
    summary: 'Sets for how many days parts are kept. The clean-up deletes what is older within the hour.',
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
