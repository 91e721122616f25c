import { sql } from 'kysely'

/**
 * Condition on a `token_link` in a query: it is no invitation, the installation itself invites, or its creator is
 * enabled and could still send it. The right to a place ends with the place: such an invitation creates only an account.
 */
export const creatorMayInvite = sql<boolean>`(
  token_link.action <> 'invite:registration' or token_link.created_by is null or exists (
    select from person creator
    where creator.id = token_link.created_by and creator.disabled_at is null and (creator.is_root or (
      token_link.target <> ''
      and not exists (
        select from organisation o
        where o.id = (token_link.data ->> 'organisationId')::uuid and o.owner_id <> creator.id
      )
      and not exists (
        select from project p
        where p.id = (token_link.data ->> 'projectId')::uuid and p.owner_id <> creator.id
      )
    ))
  )
)`
