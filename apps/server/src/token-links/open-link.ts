import { sql } from 'kysely'
import { isPast } from '#platform/database/clock.ts'
import { creatorMayInvite } from '../invitations/creator-may-invite.ts'

/**
 * Condition on a `token_link` in a query: it can be redeemed now. A link of the future was made while the clock was
 * ahead, and would otherwise last longer by that time.
 */
export const isLinkOpen = sql<boolean>`(token_link.used_at is null and token_link.voided_at is null
  and token_link.expires_at > now() and ${isPast(sql`token_link.created_at`)} and ${creatorMayInvite})`
