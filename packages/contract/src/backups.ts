import * as z from 'zod/mini'
import { instant } from './collection.ts'
import { endpoint } from './endpoint.ts'

export const backupErrors = {
  BACKUP_RUNS: { status: 409, message: 'A backup is already running. Try again when it has finished' },
  BACKUP_NOT_RESTORABLE: { status: 409, message: 'This backup cannot be restored here' },
  BACKUP_KEY_WRONG: { status: 400, message: 'This private key does not decrypt the backup' },
  BACKUP_NOT_SET_UP: {
    status: 409,
    message: 'Backups are not set up. Set BACKUP_FOLDER and BACKUP_RECIPIENT',
  },
} as const

/** A stored backup. */
export const archive = z.object({
  name: z.string(),
  createdAt: instant,
  /** Bytes, without the files and pieces of rows, which archives share. */
  size: z.number(),
  isEncrypted: z.boolean(),
  /** When a drill restored this archive; null before that. */
  provenAt: z.nullable(instant),
})

const progress = z.object({
  step: z.enum(['tables', 'files', 'verify', 'restore', 'compare']),
  /** Progress in the unit of the step, such as tables or files. */
  done: z.number(),
  total: z.number(),
})

const failure = z.object({ at: instant, reason: z.string() })

const backups = z.object({
  /** The folder or s3://bucket/prefix; null if none is set. */
  place: z.nullable(z.string()),
  /** Whether the public key for encryption is set. The server makes only encrypted backups. */
  hasKey: z.boolean(),
  schedule: z.enum(['off', 'hourly', 'daily', 'weekly']),
  /** The next scheduled backup. */
  next: z.nullable(instant),
  /** Which backups a drill restores: none, each, or one a day or week. */
  drill: z.enum(['off', 'each', 'daily', 'weekly']),
  running: z.nullable(z.object({ startedAt: instant, progress: z.nullable(progress) })),
  /** Why the last backup of this server failed; null after a success. */
  failure: z.nullable(failure),
  /** Number of files whose content was missing during the last backup. */
  missing: z.number(),
  /** The last successful drill. */
  provenAt: z.nullable(instant),
  /** Why the last drill failed; null after a success. */
  drillFailure: z.nullable(failure),
  /** Newest first. */
  archives: z.array(archive),
  /** Why the place cannot be read; null if it can. */
  trouble: z.nullable(z.string()),
})
export type Backups = z.infer<typeof backups>

export const backupEndpoints = {
  read: endpoint('GET', '/apps/root/backups', {
    summary: 'Returns the archives, the schedule and the latest results, for root.',
    reply: backups,
    errors: ['UNAUTHENTICATED', 'FORBIDDEN'],
  }),
  start: endpoint('POST', '/apps/root/backups', {
    summary: 'Starts a backup and its restore drill, and returns the running backup.',
    reply: backups,
    errors: ['UNAUTHENTICATED', 'FORBIDDEN', 'RECENT_SIGN_IN_NEEDED', 'BACKUP_RUNS', 'BACKUP_NOT_SET_UP'],
  }),
}
