import type { Kysely } from 'kysely'
import type { Database } from '#platform/database/schema.ts'
import { parseEmailAddress } from '../people/email-address.ts'
import { createInvitationWriter, type InvitationWriterParts } from './write-invitation.ts'

/** Creates invitations for the operator's command line. */
export function createInvitationService({ db, ...parts }: InvitationWriterParts & { db: Kysely<Database> }) {
  const writeInvitation = createInvitationWriter(parts)

  return {
    /** Mails an invitation and returns its link for the operator. */
    async invite({ email, isRoot }: { email: string; isRoot: boolean }): Promise<{ link: string }> {
      const to = parseEmailAddress(email)
      const { url } = await db.transaction().execute((trx) =>
        writeInvitation(trx, {
          email: to,
          data: { isRoot, isFirstRoot: false },
          by: null,
          detail: { isRoot },
        }),
      )
      return { link: url }
    },
  }
}
export type InvitationService = ReturnType<typeof createInvitationService>
