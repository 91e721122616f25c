import { sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import { expireOlder } from './outbox.repository.ts'

/** In a restored installation, older mails were sent by the original, or their links have ended. */
const patience = sql`interval '1 hour'`

/** Expires the waiting mails of an installation that was restored. Its backup may be months old. */
export const expireRestoredMails = (db: Db): Promise<void> =>
  expireOlder(db, patience, sql`'EXPIRED: older than an hour when it was restored'`)
