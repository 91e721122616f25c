import type { TaskToken } from '@pult/contract'
import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import type { Db } from '#platform/database/database.ts'
import { creatorMayEdit, isTokenValid } from './valid-token.ts'

/** The holder of a task token. */
export interface TokenHolder {
  tokenId: string
  projectId: string
  /** `{extension}/{kind}`, or `{extension}/*`. */
  types: readonly string[]
}

export function createTaskTokenRepository(db: Db) {
  return {
    async list(projectId: string): Promise<TaskToken[]> {
      const { rows } = await sql<TokenRow>`
        select token.*, token.expires_at <= now() as "isExpired", not ${creatorMayEdit} as "hasLostCreator",
          creator.id as "creatorId", creator.firstname, creator.lastname
        from task_token token left join person creator on creator.id = token.created_by
        where token.project_id = ${projectId}::uuid order by token.id`.execute(db)
      return rows.map(tokenOf)
    },

    /** Returns undefined if the project was deleted. */
    async add(token: {
      projectId: string
      label: string
      types: readonly string[]
      tokenHash: Buffer
      createdBy: string
      days: number
    }): Promise<string | undefined> {
      const { rows } = await sql<{ id: string }>`
        insert into task_token (id, project_id, label, types, token_hash, created_by, expires_at)
        select ${uuidv7()}::uuid, id, ${token.label}, ${[...token.types]}::text[], ${token.tokenHash}::bytea, ${token.createdBy}::uuid,
          now() + make_interval(days => ${token.days}::int)
        from project where id = ${token.projectId}::uuid for key share
        returning id`.execute(db)
      return rows[0]?.id
    },

    /** Replaces the secret of a token. Does nothing if the project has no token with this id. */
    async setHash(projectId: string, tokenId: string, tokenHash: Buffer): Promise<void> {
      await sql`
        update task_token set token_hash = ${tokenHash}::bytea
        where id = ${tokenId}::uuid and project_id = ${projectId}::uuid`.execute(db)
    },

    /** Returns the label of the deleted token; undefined if the project has no token with this id. */
    async remove(projectId: string, tokenId: string): Promise<string | undefined> {
      const { rows } = await sql<{ label: string }>`
        delete from task_token where id = ${tokenId}::uuid and project_id = ${projectId}::uuid returning label`.execute(
        db,
      )
      return rows[0]?.label
    },

    /** Finds the holder of a valid token and records its use to the minute. */
    async use(tokenHash: Buffer): Promise<TokenHolder | undefined> {
      const { rows } = await sql<TokenHolder & { isStale: boolean }>`
        select id as "tokenId", project_id as "projectId", types,
          last_used_at is null or last_used_at < date_trunc('minute', now()) as "isStale"
        from task_token token
        where token_hash = ${tokenHash}::bytea and ${isTokenValid}`.execute(db)
      const [row] = rows
      if (row === undefined) return undefined
      const { isStale, ...holder } = row
      if (isStale) {
        await sql`
          update task_token set last_used_at = date_trunc('minute', now()) where id = ${holder.tokenId}::uuid`.execute(
          db,
        )
      }
      return holder
    },
  }
}

interface TokenRow {
  id: string
  label: string
  types: string[]
  created_at: Date
  expires_at: Date
  isExpired: boolean
  hasLostCreator: boolean
  last_used_at: Date | null
  creatorId: string | null
  firstname: string | null
  lastname: string | null
}

const tokenOf = (row: TokenRow): TaskToken => ({
  _id: row.id,
  label: row.label,
  types: row.types,
  createdAt: row.created_at.toISOString(),
  expiresAt: row.expires_at.toISOString(),
  ended: row.isExpired ? 'expired' : row.hasLostCreator ? 'creator' : null,
  createdBy:
    row.creatorId === null
      ? null
      : { _id: row.creatorId, firstname: row.firstname ?? '', lastname: row.lastname ?? '' },
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
})
