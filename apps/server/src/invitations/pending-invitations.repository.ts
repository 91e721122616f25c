import type { PendingInvitation } from '@pult/contract'
import { type SqlBool, sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import { invitationAction } from './invitation.ts'
import type { InvitationTarget } from './target-invitations.ts'

/** Invitations to one place that nobody has accepted or revoked. One that is too old still stands there, to be sent again. */
export function createPendingInvitations(db: Db) {
  // The link for the first root is printed and belongs to nobody.
  const isPending = (target: string) => sql<SqlBool>`
    action = ${invitationAction} and target = ${target} and used_at is null and voided_at is null
    and not coalesce((data ->> 'isFirstRoot')::boolean, false)`

  const pendingOf = (target: string) =>
    db
      .selectFrom('token_link')
      .select([
        'id',
        'email',
        'created_at',
        'expires_at',
        sql<boolean>`expires_at <= now()`.as('isExpired'),
        sql<string | null>`data ->> 'productRole'`.as('productRole'),
      ])
      .where(isPending(target))

  return {
    async listOf(target: string): Promise<PendingInvitation[]> {
      const rows = await pendingOf(target).orderBy('created_at', 'desc').orderBy('id', 'desc').execute()
      return rows.map(invitationOf)
    },

    /** `isRoot` is between the one who invites and the server: nobody else is told. */
    async find(id: string, target: string): Promise<(PendingInvitation & { isRoot: boolean }) | undefined> {
      const row = await pendingOf(target)
        .select(sql<boolean>`coalesce((data ->> 'isRoot')::boolean, false)`.as('isRoot'))
        .where('id', '=', id)
        .executeTakeFirst()
      return row && { ...invitationOf(row), isRoot: row.isRoot }
    },

    /** Answers the address, or undefined when there is no such invitation. */
    async revoke(id: string, target: string): Promise<string | undefined> {
      const row = await db
        .updateTable('token_link')
        .set({ voided_at: sql<Date>`now()` })
        .where('id', '=', id)
        .where(isPending(target))
        .returning('email')
        .executeTakeFirst()
      return row?.email
    },

    /** Whether the owner of a verified address has already what the invitation would give. */
    async belongs(emailKey: string, target: InvitationTarget): Promise<boolean> {
      const person = db
        .selectFrom('email')
        .select('person_id')
        .where('email_key', '=', emailKey)
        .where('verified_at', 'is not', null)
      const holders =
        'organisationId' in target
          ? db
              .selectFrom('membership')
              .select('person_id')
              .where('organisation_id', '=', target.organisationId)
              .where('person_id', 'in', person)
          : 'projectId' in target
            ? db
                .selectFrom('project_grant')
                .select('person_id')
                .where('project_id', '=', target.projectId)
                .where('product_role', '=', target.productRole)
                .where('person_id', 'in', person)
            : person
      return (await holders.executeTakeFirst()) !== undefined
    },
  }
}

interface InvitationRow {
  id: string
  email: string
  created_at: Date
  expires_at: Date
  isExpired: boolean
  productRole: string | null
}

const invitationOf = (row: InvitationRow): PendingInvitation => ({
  _id: row.id,
  email: row.email,
  createdAt: row.created_at.toISOString(),
  expiresAt: row.expires_at.toISOString(),
  isExpired: row.isExpired,
  productRole: row.productRole,
})
