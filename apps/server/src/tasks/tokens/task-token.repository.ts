import type { TaskToken } from '@pult/contract'
import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import type { Db } from '#platform/database/database.ts'

/** A service that shows a token. */
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
        select token.*, creator.id as "creatorId", creator.firstname, creator.lastname
        from task_token token left join person creator on creator.id = token.created_by
        where token.project_id = ${projectId}::uuid order by token.id`.execute(db)
      return rows.map(tokenOf)
    },

    /** Answers undefined when the project is gone. */
    async add(token: {
      projectId: string
      label: string
      types: readonly string[]
      tokenHash: Buffer
      createdBy: string
    }): Promise<string | undefined> {
      const { rows } = await sql<{ id: string }>`
        insert into task_token (id, project_id, label, types, token_hash, created_by)
        select ${uuidv7()}::uuid, id, ${token.label}, ${[...token.types]}::text[], ${token.tokenHash}::bytea, ${token.createdBy}::uuid
        from project where id = ${token.projectId}::uuid for key share
        returning id`.execute(db)
      return rows[0]?.id
    },

    /** Answers what it was called; undefined when the project has none of this id. */
    async remove(projectId: string, tokenId: string): Promise<string | undefined> {
      const { rows } = await sql<{ label: string }>`
        delete from task_token where id = ${tokenId}::uuid and project_id = ${projectId}::uuid returning label`.execute(
        db,
      )
      return rows[0]?.label
    },

    /** Whose token this is, and that it was used in this minute. */
    async use(tokenHash: Buffer): Promise<TokenHolder | undefined> {
      const { rows } = await sql<TokenHolder & { isUsedAnew: boolean }>`
        select id as "tokenId", project_id as "projectId", types,
          last_used_at is null or last_used_at < date_trunc('minute', now()) as "isUsedAnew"
        from task_token where token_hash = ${tokenHash}::bytea`.execute(db)
      const [row] = rows
      if (row === undefined) return undefined
      const { isUsedAnew, ...holder } = row
      if (isUsedAnew) {
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
  createdBy:
    row.creatorId === null
      ? null
      : { _id: row.creatorId, firstname: row.firstname ?? '', lastname: row.lastname ?? '' },
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
})
