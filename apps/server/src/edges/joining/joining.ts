import {
  type BodyOf,
  type EdgeMachine,
  type EdgeRequest,
  type edgeRequestEndpoints,
  limits,
  nameFrom,
} from '@pult/contract'
import { type Kysely, sql, type Transaction } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { AppError } from '#platform/app-error.ts'
import { deleteInBatches } from '#platform/database/delete-in-batches.ts'
import type { Database } from '#platform/database/schema.ts'
import type { Caller } from '#platform/http/route.ts'
import type { Emit, Events } from '#platform/realtime/events.ts'
import type { AuditService } from '../../audit/audit.service.ts'
import { publishEdgeChange } from '../edge-topic.ts'
import { ended } from './edge-keys.ts'

interface JoiningParts {
  db: Kysely<Database>
  events: Events
  audit: AuditService
}

/** A machine that redeems a key. */
interface Joiner {
  codeHash: Buffer
  tokenHash: Buffer
  machine: EdgeMachine | undefined
  version: string | undefined
  address: string
}

/** What a machine has become: an edge, or a request. */
interface Joined {
  id: string
  label: string
  isWaiting: boolean
}

interface Who {
  caller: Pick<Caller, 'personId'>
  address: string
}

/** Maximum number of listed requests. */
const requestsMost = limits.edgesAtOnceMax

/** Machines that join with a key, and the decisions about waiting machines. */
export function createJoining({ db, events, audit }: JoiningParts) {
  return {
    /**
     * Returns what a machine became with this token, whose agent has made it and repeats its call because the answer was
     * lost. Returns undefined for a new token, and notes it: another call with it waits for the end of the transaction.
     *
     * @throws {AppError} EDGE_CODE_NOT_VALID if the edge or request with the token has ended.
     */
    async joinedBefore(trx: Transaction<Database>, tokenHash: Buffer): Promise<Joined | undefined> {
      const { rows: added } = await sql`
        insert into edge_token (hash) values (${tokenHash}) on conflict do nothing returning hash`.execute(
        trx,
      )
      if (added.length > 0) return undefined
      const { rows } = await sql<Joined>`
        select id, label, false as "isWaiting" from edge where token_hash = ${tokenHash}
        union all
        select coalesce(edge_id, id), label, true from edge_request
        where token_hash = ${tokenHash} and refused_at is null`.execute(trx)
      if (rows[0] === undefined) throw new AppError('EDGE_CODE_NOT_VALID')
      return rows[0]
    },

    /**
     * Uses a key once: the machine becomes an edge, or waits for approval. Returns undefined for an unusable key. The
     * statement locks the key, so only one machine gets the last use.
     */
    async redeem(
      trx: Transaction<Database>,
      emit: Emit,
      { codeHash, tokenHash, machine, version, address }: Joiner,
    ): Promise<Joined | undefined> {
      const { rows } = await sql<UsedKey>`
        update edge_key k set uses_left = k.uses_left - 1, used = k.used + 1, last_used_at = now()
        where k.hash = ${codeHash} and ${ended} is null
        returning k.id, k.project_id as "projectId", k.label, k.tags, k.needs_approval as "isWaiting", k.used`.execute(
        trx,
      )
      const [key] = rows
      if (key === undefined) return undefined
      const { projectId, isWaiting, tags } = key
      await checkRoom(trx, projectId, 1)
      const id = uuidv7()
      const label =
        nameFrom(machine?.hostname ?? '', limits.labelMax) ||
        nameFrom(`${key.label} ${key.used}`, limits.labelMax)
      const facts = machine === undefined ? null : JSON.stringify(machine)
      if (isWaiting)
        await sql`
          insert into edge_request (id, project_id, token_hash, label, tags, key_label, machine, version, address)
          values (${id}, ${projectId}, ${tokenHash}, ${label}, ${tags}::text[], ${key.label}, ${facts}::jsonb,
            ${version ?? null}, ${address})`.execute(trx)
      else
        await sql`
          insert into edge (id, project_id, label, tags, token_hash, enrolled_at, machine)
          values (${id}, ${projectId}, ${label}, ${tags}::text[], ${tokenHash}, now(), ${facts}::jsonb)`.execute(
          trx,
        )
      await audit.within(trx).record({
        event: isWaiting ? 'edge.requested' : 'edge.enrolled',
        result: 'success',
        target: id,
        projectId,
        address,
        detail: { label, key: key.label, keyId: key.id },
      })
      await publishEdgeChange(emit, projectId, { id })
      return { id, label, isWaiting }
    },

    async list(projectId: string, isRefused: boolean): Promise<{ items: EdgeRequest[]; total: number }> {
      const chosen = sql`project_id = ${projectId} and refused_at is ${isRefused ? sql`not` : sql``} null`
      const [{ rows }, counted] = await Promise.all([
        sql<RequestRow>`
          select r.id, r.edge_id as "edgeId", e.label as "edgeLabel", r.label, r.tags, r.key_label as key, r.machine,
            r.version, r.address, r.is_returning as "isReturning", r.created_at as "createdAt", r.seen_at as "seenAt",
            r.refused_at as "refusedAt"
          from (select * from edge_request where ${chosen}) r left join edge e on e.id = r.edge_id
          order by r.created_at desc, r.id desc limit ${requestsMost}::int`.execute(db),
        sql<{ count: number }>`
          select count(*) from edge_request where ${chosen}`.execute(db),
      ])
      return { items: rows.map(requestOf), total: counted.rows[0]?.count ?? 0 }
    },

    /** Decides about requests. @throws {AppError} TOO_MANY_EDGES, after which none is decided. */
    decide: (
      { caller: { personId }, address }: Who,
      projectId: string,
      { requests, decision }: BodyOf<typeof edgeRequestEndpoints.decide>,
    ): Promise<{ decided: number }> =>
      events.transaction(async (trx, emit) => {
        const { rows } = await sql<Decided>`
          select r.id, r.edge_id as "edgeId", coalesce(e.label, r.label) as label, r.machine ->> 'hostname' as hostname
          from edge_request r left join edge e on e.id = r.edge_id
          where r.project_id = ${projectId} and r.id = any(${requests}::uuid[])
            and (r.refused_at is not null) = ${decision === 'readmit'}
          order by r.id for update of r`.execute(trx)
        const newcomers = rows.flatMap(({ id, edgeId }) => (edgeId === null ? [id] : []))
        const copies = rows.flatMap(({ id, edgeId }) => (edgeId === null ? [] : [id]))
        if (decision !== 'refuse') {
          if (newcomers.length > 0)
            await checkRoom(trx, projectId, decision === 'readmit' ? newcomers.length : 0)
          await sql`
            insert into edge (id, project_id, label, tags, token_hash, enrolled_at, machine, updated_by)
            select id, project_id, label, tags, token_hash, now(), machine, ${personId}::uuid
            from edge_request where id = any(${newcomers}::uuid[])`.execute(trx)
          await sql`
            update edge e set machine = r.machine, token_hash = coalesce(r.token_hash, e.token_hash), revision = revision + 1, updated_at = clock_timestamp(), updated_by = ${personId}
            from edge_request r where r.edge_id = e.id and r.id = any(${copies}::uuid[])`.execute(trx)
          await sql`delete from edge_request where id = any(${rows.map(({ id }) => id)}::uuid[])`.execute(trx)
        }
        // A user may have refused too many of them, so all stay known.
        else
          await sql`
            update edge_request set refused_at = now() where id = any(${rows.map(({ id }) => id)}::uuid[])`.execute(
            trx,
          )
        await audit.within(trx).record(
          ...rows.map(({ id, edgeId, label, hostname }) => ({
            event: eventsOf[decision][edgeId === null ? 'newcomer' : 'copy'],
            result: 'success' as const,
            actorId: personId,
            target: edgeId ?? id,
            projectId,
            address,
            detail: { label, ...(hostname !== null && { hostname }) },
          })),
        )
        for (const { id, edgeId } of rows) await publishEdgeChange(emit, projectId, { id: edgeId ?? id })
        return { decided: rows.length }
      }),
  }
}

const eventsOf = {
  approve: { newcomer: 'edge.approved', copy: 'edge.copy-accepted' },
  refuse: { newcomer: 'edge.refused', copy: 'edge.copy-refused' },
  readmit: { newcomer: 'edge.approved', copy: 'edge.copy-accepted' },
} as const

/**
 * Deletes refused newcomers that no longer ask. Copies and returning machines stay known, because they would wait for a
 * decision again.
 */
export const sweepRefused = (db: Kysely<Database>): Promise<void> =>
  deleteInBatches(
    db,
    'edge_request',
    sql`refused_at is not null and edge_id is null and not is_returning and seen_at < now() - interval '30 days'`,
  )

/** Waiting machines count as edges. Locks the project's row, so that the count remains valid. */
async function checkRoom(trx: Transaction<Database>, projectId: string, more: number): Promise<void> {
  await sql`select from project where id = ${projectId} for no key update`.execute(trx)
  const { rows } = await sql<{ count: number }>`
    select (select count(*) from edge where project_id = ${projectId})
      + (select count(*) from edge_request
        where project_id = ${projectId} and edge_id is null and refused_at is null) as count`.execute(trx)
  if ((rows[0]?.count ?? 0) + more > limits.edgesMax) throw new AppError('TOO_MANY_EDGES')
}

interface UsedKey {
  id: string
  projectId: string
  label: string
  tags: string[]
  isWaiting: boolean
  used: number
}

interface Decided {
  id: string
  edgeId: string | null
  label: string
  hostname: string | null
}

interface RequestRow {
  id: string
  edgeId: string | null
  edgeLabel: string | null
  label: string
  tags: string[]
  key: string | null
  machine: EdgeMachine | null
  version: string | null
  address: string
  isReturning: boolean
  createdAt: Date
  seenAt: Date
  refusedAt: Date | null
}

const requestOf = (row: RequestRow): EdgeRequest => ({
  _id: row.id,
  edge: row.edgeId === null ? null : { _id: row.edgeId, label: row.edgeLabel ?? '' },
  label: row.label,
  tags: row.tags,
  key: row.key,
  machine: row.machine,
  version: row.version,
  address: row.address,
  isReturning: row.isReturning,
  createdAt: row.createdAt.toISOString(),
  seenAt: row.seenAt.toISOString(),
  refusedAt: row.refusedAt?.toISOString() ?? null,
})
