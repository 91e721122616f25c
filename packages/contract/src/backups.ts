import * as z from 'zod/mini'
import { instant } from './collection.ts'
import { endpoint } from './endpoint.ts'

export const backupErrors = {
  BACKUP_RUNS: { status: 409, message: 'A backup is being made' },
  BACKUP_NOT_RESTORABLE: { status: 409, message: 'This backup cannot be restored here' },
  BACKUP_KEY_WRONG: { status: 400, message: 'This private key does not open the backup' },
  BACKUP_NOT_SET_UP: {
    status: 409,
    message: 'Backups are not set up: the settings BACKUP_FOLDER and BACKUP_RECIPIENT are needed',
  },
} as const

/** A backup in its place. */
export const archive = z.object({
  name: z.string(),
  createdAt: instant,
  /** In bytes, without the files, which archives share. */
  size: z.number(),
  isEncrypted: z.boolean(),
  /** When it was restored on trial; null if it was not. */
  provenAt: z.nullable(instant),
})

const progress = z.object({
  step: z.enum(['tables', 'files', 'verify', 'restore', 'compare']),
  /** Each step counts in a unit of its own. */
  done: z.number(),
  total: z.number(),
})

const failure = z.object({ at: instant, reason: z.string() })

const backups = z.object({
  /** The folder or s3://bucket/prefix; null without one. */
  place: z.nullable(z.string()),
  /** The public key that backups are encrypted to is set. The server makes no others. */
  hasKey: z.boolean(),
  schedule: z.enum(['off', 'daily', 'weekly']),
  /** The next scheduled backup. */
  next: z.nullable(instant),
  /** Whether each scheduled backup is restored on trial, one a week, or none. */
  drill: z.enum(['off', 'each', 'weekly']),
  running: z.nullable(z.object({ startedAt: instant, progress: z.nullable(progress) })),
  /** Why the last backup of this server failed; null after a success. */
  failure: z.nullable(failure),
  /** Files whose bytes were gone when the last backup was made. */
  missing: z.number(),
  /** The last successful drill. */
  provenAt: z.nullable(instant),
  /** Why the last drill failed; null after a success. */
  drillFailure: z.nullable(failure),
  /** Newest first. */
  archives: z.array(archive),
  /** Why the place cannot be read. */
  trouble: z.nullable(z.string()),
})
export type Backups = z.infer<typeof backups>

export const backupEndpoints = {
  read: endpoint('GET', '/apps/root/backups', {
    summary: 'The archives, the schedule and the last results, for the page of root.',
    reply: backups,
    errors: ['UNAUTHENTICATED', 'FORBIDDEN'],
  }),
  start: endpoint('POST', '/apps/root/backups', {
    summary: 'Begins a backup and a restore drill of it. The reply names the running backup.',
    reply: backups,
    errors: ['UNAUTHENTICATED', 'FORBIDDEN', 'RECENT_SIGN_IN_NEEDED', 'BACKUP_RUNS', 'BACKUP_NOT_SET_UP'],
  }),
}
