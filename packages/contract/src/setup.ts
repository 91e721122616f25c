import * as z from 'zod/mini'
import { archive } from './backups.ts'
import { instant } from './collection.ts'
import { endpoint } from './endpoint.ts'

/** The part of the set-up link after `/bift/`. */
const token = z.string().check(z.maxLength(200))

export const setupEndpoints = {
  read: endpoint('GET', '/setup', {
    summary:
      'Returns checks of the machine for the set-up page, which exists only while the installation has no root.',
    reply: z.object({
      /** Version of PostgreSQL. */
      database: z.string(),
      /** Data folder of the responding node. */
      folder: z.object({
        isWritable: z.boolean(),
        /** Free space in bytes; null if the system does not report it. */
        free: z.nullable(z.number()),
      }),
      /** Time of the last failed restore; null without one. Only the holder of the set-up link can read the reason. */
      restoreFailedAt: z.nullable(instant),
    }),
    errors: ['NOT_FOUND'],
  }),
  backups: endpoint('POST', '/setup/backups', {
    summary:
      'Returns the archives that the holder of the set-up link can restore, newest first, and the reason of the last failure.',
    body: z.object({ token }),
    reply: z.object({
      /** BACKUP_FOLDER: the folder or s3://bucket/prefix; null if it is not set. */
      place: z.nullable(z.string()),
      archives: z.array(archive),
      restoreFailure: z.nullable(z.object({ at: instant, reason: z.string() })),
    }),
    errors: ['NOT_FOUND', 'LINK_NOT_VALID', 'BACKUP_NOT_RESTORABLE'],
  }),
  restore: endpoint('POST', '/setup/restore', {
    summary:
      'Checks the private key, stops the server, restores the archive and starts the server again; after a failure, GET /setup returns its time and POST /setup/backups its reason.',
    body: z.object({
      token,
      /** The name of the archive. */
      archive: z.string().check(z.maxLength(200)),
      /** The private key, which the server does not store; empty for an unencrypted archive. */
      key: z.string().check(z.maxLength(10_000)),
    }),
    reply: z.object({}),
    errors: ['NOT_FOUND', 'LINK_NOT_VALID', 'BACKUP_NOT_RESTORABLE', 'BACKUP_KEY_WRONG'],
  }),
}
