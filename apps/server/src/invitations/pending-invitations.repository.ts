import type { PendingInvitation } from '@pult/contract'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import { creatorMayInvite } from './creator-may-invite.ts'
import { type anAccount, invitationAction } from './invitation.ts'

/** The result of an invitation: membership, a grant with a role, or only an account. */
export type InvitationTarget =
  | { organisationId: string }
  | { projectId: string; productRole: string | null }
  | (typeof anAccount & { isRoot: boolean })

/** A pending invitation to a project that expires within a day, or expired in the last week. */
export interface ExpiringInvitation {
  _id: string
  projectId: string
  email: string
  expiresAt: Date
  isExpired: boolean
}

/**
 * Selects the expiring invitations to projects. `projectIds` is a query of the projects whose people the caller
 * manages.
 */
const expiring = (projectIds: RawBuilder<unknown>) => sql`
  select id as "_id", project_id as "projectId", email, expires_at as "expiresAt", expires_at <= now() as "isExpired"
  from token_link, lateral (
    select case when target like 'project:%' then substr(target, length('project:') + 1)::uuid end as project_id
  ) place
  where action = 'invite:registration' and target like 'project:%' and used_at is null and voided_at is null
    and expires_at between now() - interval '7 days' and now() + interval '1 day' and project_id in (${projectIds})
    and ${creatorMayInvite}`

/**
 * Invitations to one place that are neither accepted nor revoked. Expired ones stay in the list, so that they can be
 * resent. Those whose creator may no longer invite are not listed.
 */
export function createPendingInvitations(db: Db) {
  // The link for the first root is printed and has no recipient.
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
      const rows = await pendingOf(target)
        .where(creatorMayInvite)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .execute()
      return rows.map(invitationOf)
    },

    async firstToExpire(projectIds: RawBuilder<unknown>, most: number): Promise<ExpiringInvitation[]> {
      const { rows } = await sql<ExpiringInvitation>`
        ${expiring(projectIds)} order by expires_at, id limit ${most}::int`.execute(db)
      return rows
    },

    async expiringCounts(
      projectIds: RawBuilder<unknown>,
    ): Promise<{ projectId: string; kind: 'invitationExpires'; count: number; since: Date }[]> {
      const { rows } = await sql<{
        projectId: string
        kind: 'invitationExpires'
        count: number
        since: Date
      }>`
        select "projectId", 'invitationExpires' as kind, count(*), min("expiresAt") as since
        from (${expiring(projectIds)}) found group by "projectId"`.execute(db)
      return rows
    },

    /** Finds an invitation. `isRoot` is for the server only and never leaves it. */
    async find(id: string, target: string): Promise<(PendingInvitation & { isRoot: boolean }) | undefined> {
      const row = await pendingOf(target)
        .select(sql<boolean>`coalesce((data ->> 'isRoot')::boolean, false)`.as('isRoot'))
        .where('id', '=', id)
        .executeTakeFirst()
      return row && { ...invitationOf(row), isRoot: row.isRoot }
    },

    /** Returns the address, or undefined if the invitation does not exist. */
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

    /** Returns whether the account with this sign-in address already has the result of the invitation. */
    async belongs(emailKey: string, target: InvitationTarget): Promise<boolean> {
      const person = db
        .selectFrom('email')
        .select('person_id')
        .where('email_key', '=', emailKey)
        .where(({ eb, or }) => or([eb('verified_at', 'is not', null), eb('is_default', '=', true)]))
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
