import type { AccessRequest, OwnAccessRequest } from '@pult/contract'
import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import type { Db } from '#platform/database/database.ts'
import { invitationAction } from '../../invitations/invitation.ts'
import { isLinkOpen } from '../../token-links/open-link.ts'

/** Is true if a pending invitation to one of the person's addresses contains the role of request `r`. */
const isInvited = sql`exists (
  select from token_link join email e on e.person_id = r.person_id and e.email_key = token_link.email_key
  where token_link.action = ${invitationAction} and token_link.target = 'project:' || r.project_id
    and token_link.data ->> 'productRole' = r.product_role
    and ${isLinkOpen}
)`

interface NewRequest {
  projectId: string
  personId: string
  productRole: string
  message: string
}

export interface EndedRequest {
  personId: string
  productRole: string
}

export function createAccessRequestRepository(db: Db) {
  return {
    /** Stores a request, or renews the pending one for the same role. */
    async put({ projectId, personId, productRole, message }: NewRequest): Promise<void> {
      await sql`
        insert into access_request as r (id, project_id, person_id, product_role, message)
        values (${uuidv7()}, ${projectId}, ${personId}, ${productRole}, ${message})
        on conflict (project_id, person_id, product_role) where ended_at is null
        do update set created_at = now(), message = excluded.message`.execute(db)
    },

    async pending(projectId: string): Promise<AccessRequest[]> {
      const { rows } = await sql<{
        id: string
        personId: string
        name: string
        email: string
        isEmailVerified: boolean
        productRole: string
        message: string
        createdAt: Date
      }>`
        select r.id, r.person_id as "personId", p.firstname || ' ' || p.lastname as name, e.email,
          e.verified_at is not null as "isEmailVerified",
          r.product_role as "productRole", r.message, r.created_at as "createdAt"
        from access_request r join person p on p.id = r.person_id
          join email e on e.person_id = p.id and e.is_default
        where r.project_id = ${projectId} and r.ended_at is null and p.disabled_at is null and not ${isInvited}
        order by r.created_at, r.id`.execute(db)
      return rows.map(({ id, personId, name, email, isEmailVerified, productRole, message, createdAt }) => ({
        _id: id,
        person: { _id: personId, name, email, isEmailVerified },
        productRole,
        message,
        createdAt: createdAt.toISOString(),
      }))
    },

    async recentOf(
      projectId: string,
      personId: string,
    ): Promise<(Omit<OwnAccessRequest, 'role'> & { productRole: string })[]> {
      const { rows } = await sql<{
        id: string
        productRole: string
        createdAt: Date
        state: OwnAccessRequest['state']
        endedAt: Date | null
        endedBy: string | null
      }>`
        select r.id, r.product_role as "productRole", r.created_at as "createdAt", r.ended_at as "endedAt",
          coalesce(r.outcome, case when ${isInvited} then 'invited' else 'pending' end) as state,
          by.firstname || ' ' || by.lastname as "endedBy"
        from access_request r left join person by on by.id = r.ended_by
        where r.project_id = ${projectId} and r.person_id = ${personId}
          and coalesce(r.ended_at, r.created_at) > now() - interval '7 days'
        order by coalesce(r.ended_at, r.created_at) desc, r.id desc`.execute(db)
      return rows.map(({ id, createdAt, endedAt, ...row }) => ({
        _id: id,
        createdAt: createdAt.toISOString(),
        endedAt: endedAt?.toISOString() ?? null,
        ...row,
      }))
    },

    async decline(projectId: string, requestId: string, by: string): Promise<EndedRequest | undefined> {
      const { rows } = await sql<EndedRequest>`
        update access_request set ended_at = now(), outcome = 'declined', ended_by = ${by}
        where id = ${requestId} and project_id = ${projectId} and ended_at is null
        returning person_id as "personId", product_role as "productRole"`.execute(db)
      return rows[0]
    },

    /** Ends the pending request for a role that the person now holds. Returns whether such a request existed. */
    async grant(request: Omit<NewRequest, 'message'>, by: string): Promise<boolean> {
      const { projectId, personId, productRole } = request
      const { numAffectedRows = 0n } = await sql`
        update access_request set ended_at = now(), outcome = 'granted', ended_by = ${by}
        where project_id = ${projectId} and person_id = ${personId} and product_role = ${productRole}
          and ended_at is null`.execute(db)
      return numAffectedRows > 0n
    },
  }
}

/** Deletes answered requests after 30 days and unanswered ones after 90. */
export async function sweepAccessRequests(db: Db): Promise<void> {
  await sql`
    delete from access_request
    where ended_at < now() - interval '30 days' or created_at < now() - interval '90 days'`.execute(db)
}
