import { type BodyOf, type EdgeKey, type edgeKeyEndpoints, limits } from '@pult/contract'
import { type Kysely, sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { AppError } from '#platform/app-error.ts'
import type { Db } from '#platform/database/database.ts'
import type { Database } from '#platform/database/schema.ts'
import type { Caller } from '#platform/http/route.ts'
import type { Events } from '#platform/realtime/events.ts'
import type { AuditService } from '../../audit/audit.service.ts'
import { hashEdgeCode, newEdgeCode } from '../edge-code.ts'
import { publishEdgeChange } from '../edge-topic.ts'
import { distinctTags } from '../tags/edge-tags.ts'

interface EdgeKeysParts {
  db: Kysely<Database>
  events: Events
  audit: AuditService
}

interface Who {
  caller: Pick<Caller, 'personId'>
  address: string
}

/** Enrolment keys: many machines join a project with one key. Users who may add edges create them. */
export function createEdgeKeys({ db, events, audit }: EdgeKeysParts) {
  return {
    async list(projectId: string): Promise<{ items: EdgeKey[]; total: number }> {
      const items = await keysOf(db, projectId)
      return { items, total: items.length }
    },

    async create(
      { caller: { personId }, address }: Who,
      projectId: string,
      { label, tags = [], needsApproval = false, uses, days }: BodyOf<typeof edgeKeyEndpoints.create>,
    ): Promise<{ key: EdgeKey; secret: string }> {
      // As random as a code: 100 bits.
      const secret = newEdgeCode()
      const id = uuidv7()
      const key = await events.transaction(async (trx, emit) => {
        const { rows } = await sql`select from project where id = ${projectId} for no key update`.execute(trx)
        if (rows.length === 0) throw new AppError('NOT_FOUND')
        if ((await keysOf(trx, projectId)).length >= limits.edgeKeysMax)
          throw new AppError('TOO_MANY_EDGE_KEYS')
        await sql`
          insert into edge_key (id, project_id, label, hash, tags, needs_approval, uses_left, expires_at, created_by)
          values (${id}, ${projectId}, ${label}, ${hashEdgeCode(secret)}, ${distinctTags(tags)}::text[], ${needsApproval},
            ${uses ?? null}, now() + make_interval(days => ${days ?? null}::int), ${personId})`.execute(trx)
        await audit.within(trx).record({
          event: 'edge-key.created',
          result: 'success',
          actorId: personId,
          target: id,
          projectId,
          address,
          detail: {
            label,
            needsApproval,
            ...(uses !== undefined && { uses }),
            ...(days !== undefined && { days }),
            ...(tags.length > 0 && { tags }),
          },
        })
        await publishEdgeChange(emit, projectId, { id })
        return (await keysOf(trx, projectId)).find(({ _id }) => _id === id) as EdgeKey
      })
      return { key, secret }
    },

    revoke: ({ caller, address }: Who, projectId: string, keyId: string): Promise<void> =>
      events.transaction(async (trx, emit) => {
        const { rows } = await sql<{ label: string; used: number }>`
          delete from edge_key where id = ${keyId} and project_id = ${projectId} returning label, used`.execute(
          trx,
        )
        const [gone] = rows
        if (gone === undefined) throw new AppError('NOT_FOUND')
        await audit.within(trx).record({
          event: 'edge-key.revoked',
          result: 'success',
          actorId: caller.personId,
          target: keyId,
          projectId,
          address,
          detail: { ...gone },
        })
        await publishEdgeChange(emit, projectId, { id: keyId, op: 'remove' })
      }),
  }
}

interface KeyRow {
  id: string
  label: string
  tags: string[]
  needs_approval: boolean
  uses_left: number | null
  used: number
  expires_at: Date | null
  last_used_at: Date | null
  created_at: Date
  created_by: string | null
  firstname: string | null
  lastname: string | null
  isUsable: boolean
}

const iso = (instant: Date | null) => instant?.toISOString() ?? null

async function keysOf(db: Db, projectId: string): Promise<EdgeKey[]> {
  const { rows } = await sql<KeyRow>`
    select k.id, k.label, k.tags, k.needs_approval, k.uses_left, k.used, k.expires_at, k.last_used_at, k.created_at,
      k.created_by, p.firstname, p.lastname, ${isUsable} as "isUsable"
    from edge_key k left join person p on p.id = k.created_by
    where k.project_id = ${projectId} order by k.created_at desc, k.id desc`.execute(db)
  return rows.map((row) => ({
    _id: row.id,
    label: row.label,
    tags: row.tags,
    needsApproval: row.needs_approval,
    usesLeft: row.uses_left,
    used: row.used,
    expiresAt: iso(row.expires_at),
    lastUsedAt: iso(row.last_used_at),
    createdAt: row.created_at.toISOString(),
    createdBy:
      row.created_by === null
        ? null
        : { _id: row.created_by, firstname: row.firstname ?? '', lastname: row.lastname ?? '' },
    isUsable: row.isUsable,
  }))
}

/** Whether a machine can use the key `k` now. */
export const isUsable = sql<boolean>`
  (k.uses_left is null or k.uses_left > 0) and (k.expires_at is null or k.expires_at > now())`
