import { type BodyOf, type EdgeKey, type edgeKeyEndpoints, limits } from '@pult/contract'
import { type Kysely, sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { AppError } from '#platform/app-error.ts'
import type { Db } from '#platform/database/database.ts'
import { createOnce } from '#platform/database/idempotency.ts'
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
  /** Returns those of the people who may manage the edges of a project. */
  managersAmong: (projectId: string, personIds: readonly string[]) => Promise<readonly string[]>
}

interface Who {
  caller: Pick<Caller, 'personId'>
  address: string
}

/** Enrolment keys: many machines join a project with one key. Users who may add edges create them. */
export function createEdgeKeys({ db, events, audit, managersAmong }: EdgeKeysParts) {
  return {
    async list(projectId: string): Promise<{ items: EdgeKey[]; total: number }> {
      const keys = await keysOf(db, projectId)
      const creators = new Set(keys.flatMap(({ createdBy }) => (createdBy === null ? [] : [createdBy._id])))
      const managers = await managersAmong(projectId, [...creators])
      const items = keys.map((key): EdgeKey => {
        const isManaged = key.createdBy !== null && managers.includes(key.createdBy._id)
        const reason = key.ended ?? (isManaged ? null : 'creator')
        return { ...key, isUsable: reason === null, ended: reason }
      })
      return { items, total: items.length }
    },

    /**
     * Returns whether the creator of a key, or the last editor of the edge with this code, may still manage the edges
     * of its project.
     */
    async isManaged(codeHash: Buffer): Promise<boolean> {
      const { rows } = await sql<{ projectId: string; personId: string | null }>`
        select project_id as "projectId", created_by as "personId" from edge_key where hash = ${codeHash}
        union all select project_id, updated_by from edge where code_hash = ${codeHash}`.execute(db)
      const [found] = rows
      if (found === undefined || found.personId === null) return false
      return (await managersAmong(found.projectId, [found.personId])).length > 0
    },

    async create(
      { caller: { personId }, address }: Who,
      projectId: string,
      {
        label,
        tags = [],
        needsApproval = false,
        uses,
        days = limits.edgeKeyDays,
      }: BodyOf<typeof edgeKeyEndpoints.create>,
      idempotencyKey: string | undefined,
    ): Promise<{ key: EdgeKey; secret: string }> {
      // As random as a code: 100 bits.
      const secret = newEdgeCode()
      const hash = hashEdgeCode(secret)
      const body = { label, tags, needsApproval, uses, days }
      const key = await events.transaction(async (trx, emit) => {
        const { rows } = await sql`select from project where id = ${projectId} for no key update`.execute(trx)
        if (rows.length === 0) throw new AppError('NOT_FOUND')
        const path = `/projects/${projectId}/edge-keys`
        const { id, isNew } = await createOnce(
          trx,
          { personId, path, key: idempotencyKey, body },
          async () => {
            if ((await keysOf(trx, projectId)).length >= limits.edgeKeysMax)
              throw new AppError('TOO_MANY_EDGE_KEYS')
            const added = uuidv7()
            await sql`
              insert into edge_key (id, project_id, label, hash, tags, needs_approval, uses_left, expires_at, created_by)
              values (${added}, ${projectId}, ${label}, ${hash}, ${distinctTags(tags)}::text[], ${needsApproval},
                ${uses ?? null}, now() + make_interval(days => ${days}::int), ${personId})`.execute(trx)
            return added
          },
        )
        // The server stores only the hash of a secret, so a repeated call replaces a secret that its client never received.
        if (!isNew) {
          const { numAffectedRows = 0n } =
            await sql`update edge_key set hash = ${hash} where id = ${id} and project_id = ${projectId}`.execute(
              trx,
            )
          if (numAffectedRows === 0n) throw new AppError('NOT_FOUND')
        }
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
            days,
            ...(uses !== undefined && { uses }),
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
  ended: EdgeKey['ended']
}

const iso = (instant: Date | null) => instant?.toISOString() ?? null

async function keysOf(db: Db, projectId: string): Promise<EdgeKey[]> {
  const { rows } = await sql<KeyRow>`
    select k.id, k.label, k.tags, k.needs_approval, k.uses_left, k.used, k.expires_at, k.last_used_at, k.created_at,
      k.created_by, p.firstname, p.lastname, ${ended} as ended
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
    isUsable: row.ended === null,
    ended: row.ended,
  }))
}

/** Why no machine can use the key `k`. Null also if its creator has lost the role, which the manifests define. */
export const ended = sql<EdgeKey['ended']>`case when k.uses_left = 0 then 'used-up'
  when k.expires_at <= now() then 'expired'
  when not exists (select from person where id = k.created_by and disabled_at is null) then 'creator' end`
