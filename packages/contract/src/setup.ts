import * as z from 'zod/mini'
import { archive } from './backups.ts'
import { instant } from './collection.ts'
import { endpoint } from './endpoint.ts'

/** The part of the set-up link after `/bift/`. */
const token = z.string().check(z.maxLength(200))

export const setupEndpoints = {
  read: endpoint('GET', '/setup', {
    summary:
      'Checks of the machine for the set-up page. It exists while the installation has no root, and not afterwards.',
    reply: z.object({
      /** The version of PostgreSQL. */
      database: z.string(),
      /** The data folder of the node that answers. */
      folder: z.object({
        isWritable: z.boolean(),
        /** Bytes that the server can still write; null if the system does not tell. */
        free: z.nullable(z.number()),
      }),
      /** When a restore from this page failed. Only the holder of the set-up link learns why. */
      restoreFailedAt: z.nullable(instant),
    }),
    errors: ['NOT_FOUND'],
  }),
  backups: endpoint('POST', '/setup/backups', {
    summary:
      'The archives that the holder of the set-up link can restore, newest first, and why the last restore failed.',
    body: z.object({ token }),
    reply: z.object({
      /** BACKUP_FOLDER: the folder or s3://bucket/prefix; null while it is not set. */
      place: z.nullable(z.string()),
      archives: z.array(archive),
      restoreFailure: z.nullable(z.object({ at: instant, reason: z.string() })),
    }),
    errors: ['NOT_FOUND', 'LINK_NOT_VALID', 'BACKUP_NOT_RESTORABLE'],
  }),
  restore: endpoint('POST', '/setup/restore', {
    summary:
      'Checks the private key, then stops the server, restores the archive, and starts it again. GET /setup says that it failed, and POST /setup/backups why.',
    body: z.object({
      token,
      /** The name of the archive. */
      archive: z.string().check(z.maxLength(200)),
      /** The private key; empty for an archive that is not encrypted. It is not stored. */
      key: z.string().check(z.maxLength(10_000)),
    }),
    reply: z.object({}),
    errors: ['NOT_FOUND', 'LINK_NOT_VALID', 'BACKUP_NOT_RESTORABLE', 'BACKUP_KEY_WRONG'],
  }),
}
