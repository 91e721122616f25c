import { isDeepStrictEqual } from 'node:util'
import { type Kysely, sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import type { Database } from '#platform/database/schema.ts'
import type { Events } from '#platform/realtime/events.ts'
import type { AuditService } from '../../audit/audit.service.ts'
import type { Arrival, FoundEdge } from '../agents/agent-gateway.ts'
import { publishEdgeChange } from '../edge-topic.ts'

interface AdmissionParts {
  db: Kysely<Database>
  events: Events
  audit: AuditService
}

/** Number of copies of one edge that are stored. Further ones wait as well, but are not shown. */
const copiesMost = 20

/**
 * Decides whether an agent may connect. A machine whose hardware ids share nothing with those of its edge is a copy of
 * its disk, also if it shows none. The copy waits for a decision, and the first machine continues.
 */
export function createAdmission({ db, events, audit }: AdmissionParts) {
  async function recordCopy(
    { edgeId, projectId, label }: { edgeId: string; projectId: string; label: string },
    { machine, version, address }: Arrival,
  ): Promise<'waiting' | undefined> {
    const facts = machine === undefined ? null : JSON.stringify(machine)
    const hardware = machine?.ids[0] ?? ''
    return events.transaction(async (trx, emit) => {
      const known = await sql<{ isRefused: boolean }>`
        update edge_request set seen_at = now(), machine = ${facts}::jsonb, version = ${version}, address = ${address}
        where edge_id = ${edgeId} and hardware = ${hardware} returning refused_at is not null as "isRefused"`.execute(
        trx,
      )
      if (known.rows[0] !== undefined) return known.rows[0].isRefused ? undefined : 'waiting'
      // Copies that connect at the same time count each other.
      await sql`select from edge where id = ${edgeId} for no key update`.execute(trx)
      const added = await sql`
        insert into edge_request (id, project_id, edge_id, hardware, label, tags, machine, version, address)
        select ${uuidv7()}::uuid, ${projectId}::uuid, ${edgeId}::uuid, ${hardware}, ${label}, '{}', ${facts}::jsonb,
          ${version}, ${address}
        where (select count(*) from edge_request where edge_id = ${edgeId}) < ${copiesMost}::int
        on conflict do nothing returning id`.execute(trx)
      if (added.rows.length > 0) {
        await audit.within(trx).record({
          event: 'edge.copy-found',
          result: 'success',
          target: edgeId,
          projectId,
          address,
          detail: { label, ...(machine !== undefined && { hostname: machine.hostname }) },
        })
        await publishEdgeChange(emit, projectId, { id: edgeId })
      }
      return 'waiting'
    })
  }

  /** Returns undefined for an agent that must not try again. */
  return async function admit(arrival: Arrival): Promise<FoundEdge | 'waiting' | undefined> {
    const { tokenHash, machine, version, address } = arrival
    const edge = await db
      .selectFrom('edge')
      .select([
        'id as edgeId',
        'label',
        'project_id as projectId',
        'machine',
        sql<string>`clock_timestamp()::text`.as('foundAt'),
      ])
      .where('token_hash', '=', tokenHash)
      .executeTakeFirst()
    const facts = machine === undefined ? null : JSON.stringify(machine)
    if (edge === undefined) {
      const { rows } = await sql`
        update edge_request set seen_at = now(), machine = coalesce(${facts}::jsonb, machine), version = ${version},
          address = ${address}
        where token_hash = ${tokenHash} returning id`.execute(db)
      return rows.length > 0 ? 'waiting' : undefined
    }
    const { edgeId, label, foundAt, projectId } = edge
    const found = { edgeId, label, foundAt }
    if (machine !== undefined && isDeepStrictEqual(edge.machine, machine)) return found
    // One statement, so that of two machines that connect first only one becomes the machine of the edge.
    const { rows } = await sql`
      update edge set machine = coalesce(${facts}::jsonb, machine)
      where id = ${edgeId} and (machine is null or machine -> 'ids' = '[]' or machine -> 'ids' ?| ${machine?.ids ?? []}::text[])
      returning id`.execute(db)
    return rows.length > 0 ? found : recordCopy({ edgeId, projectId, label }, arrival)
  }
}
