import type { EdgeReport, FleetState } from '@pult/contract'
import type { Database } from '@pult/server/platform/database/schema.ts'
import { type Kysely, sql } from 'kysely'
import { uuidv7 } from 'uuidv7'

export interface EdgeInput {
  label: string
  tags?: readonly string[]
  /** Minutes since it went offline. */
  offlineFor?: number | undefined
  /** By default offline with `offlineFor`, otherwise online. */
  state?: FleetState
  report?: EdgeReport
}

export const createGivenEdge =
  (db: Kysely<Database>) =>
  async (projectId: string, input: EdgeInput): Promise<string> => {
    const { label, tags = [], offlineFor, report } = input
    const { state = offlineFor === undefined ? 'online' : 'offline' } = input
    const id = uuidv7()
    const isEnrolled = state !== 'waiting' && state !== 'revoked'
    await sql`
      insert into edge (id, project_id, label, tags, token_hash, code_hash)
      values (${id}, ${projectId}, ${label}, ${tags},
        case when ${isEnrolled} then sha256(${id}::text::bytea) end,
        case when ${state === 'waiting'} then sha256(${id}::text::bytea) end)`.execute(db)
    if (!isEnrolled) return id
    await sql`
      insert into edge_presence (edge_id, connection, run, version, is_online, seen_at, offline_since, report, troubles)
      values (${id}, ${id}, ${id}, '1', ${state !== 'offline'}, now(),
        case when ${state === 'offline'} then now() - make_interval(mins => ${offlineFor ?? 0}) end,
        ${report === undefined ? null : JSON.stringify(report)},
        case when ${state === 'trouble'} then jsonb_build_object('disk', now()) end)`.execute(db)
    return id
  }
