import { sql } from 'kysely'

/** Condition on a `token` in a query: its creator is enabled and may still edit its project. */
export const creatorMayEdit = sql<boolean>`exists (
  select from person creator, project p left join organisation o on o.id = p.organisation_id
  where creator.id = token.created_by and p.id = token.project_id and creator.disabled_at is null
    and (creator.is_root or p.owner_id = creator.id or o.owner_id = creator.id)
)`

/** Condition on a `token` in a query: its service may use it now. */
export const isTokenValid = sql<boolean>`(token.expires_at > now() and ${creatorMayEdit})`
