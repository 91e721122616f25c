import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { type EdgeMachine, limits, nameFrom } from '@pult/contract'
import { type Kysely, sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import type { Db } from '#platform/database/database.ts'
import type { Database } from '#platform/database/schema.ts'
import type { Events } from '#platform/realtime/events.ts'
import type { Secrets } from '#platform/secrets.ts'
import type { AuditService } from '../../audit/audit.service.ts'
import type { Arrival, FoundEdge } from '../agents/agent-gateway.ts'
import { nextConnection } from '../agents/connection-number.ts'
import { publishEdgeChange } from '../edge-topic.ts'
import { proofOf, readProof } from './enrolment-proof.ts'
import { isSameMachine } from './same-machine.ts'

interface AdmissionParts {
  db: Kysely<Database>
  secrets: Pick<Secrets, 'mac'>
  events: Events
  audit: AuditService
}

/** An edge as an agent with its token finds it. */
interface KnownEdge {
  edgeId: string
  label: string
  projectId: string
  machine: EdgeMachine | null
  number: number
  isCopy: boolean
}

/** Number of waiting copies of one edge that are shown, and of all that are stored. Further ones wait as well. */
const copiesMost = { waiting: 20, stored: 1000 }

/** Distinguishes the copies of one edge by all of their ids: boards of one batch may share some. Empty without ids. */
const hardwareKeyOf = (ids: readonly string[]) =>
  ids.length === 0 ? '' : createHash('sha256').update(ids.toSorted().join(' ')).digest('hex')

/**
 * Decides whether an agent may connect. A machine whose hardware is not that of its edge is a copy of its disk, also
 * if it shows none. The copy waits for a decision, and the first machine continues.
 */
export function createAdmission({ db, secrets, events, audit }: AdmissionParts) {
  async function recordCopy(
    { edgeId, projectId, label, machine: own }: KnownEdge,
    { machine, version, address }: Arrival,
  ): Promise<'waiting' | undefined> {
    const facts = machine === undefined ? null : JSON.stringify(machine)
    const hardware = hardwareKeyOf(machine?.ids ?? [])
    return events.transaction(async (trx, emit) => {
      const known = await sql<{ isRefused: boolean }>`
        update edge_request set seen_at = now(), machine = ${facts}::jsonb, version = ${version}, address = ${address}
        where edge_id = ${edgeId} and hardware = ${hardware} returning refused_at is not null as "isRefused"`.execute(
        trx,
      )
      if (known.rows[0] !== undefined) return known.rows[0].isRefused ? undefined : 'waiting'
      // Copies that connect at the same time count each other.
      await sql`select from edge where id = ${edgeId} for no key update`.execute(trx)
      const earlier = machine && (await earlierOf(trx, edgeId, { own, machine }))
      if (earlier !== undefined) {
        await sql`
          update edge_request set hardware = ${hardware}, seen_at = now(), machine = ${facts}::jsonb,
            version = ${version}, address = ${address}
          where id = ${earlier.id}`.execute(trx)
        return earlier.isRefused ? undefined : 'waiting'
      }
      const added = await sql`
        insert into edge_request (id, project_id, edge_id, hardware, label, tags, machine, version, address)
        select ${uuidv7()}::uuid, ${projectId}::uuid, ${edgeId}::uuid, ${hardware}, ${label}, '{}', ${facts}::jsonb,
          ${version}, ${address}
        from edge_request where edge_id = ${edgeId}
        having count(*) filter (where refused_at is null) < ${copiesMost.waiting}::int
          and count(*) < ${copiesMost.stored}::int
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

  /** Returns the request of a copy before it showed other ids, as after an update of its agent or a repair. */
  async function earlierOf(
    trx: Db,
    edgeId: string,
    { own, machine }: { own: EdgeMachine | null; machine: EdgeMachine },
  ): Promise<{ id: string; isRefused: boolean } | undefined> {
    const { rows } = await sql<{ id: string; machine: EdgeMachine; isRefused: boolean }>`
      select id, machine, refused_at is not null as "isRefused" from edge_request
      where edge_id = ${edgeId} and hardware is not null and machine is not null order by id`.execute(trx)
    const ids = [...(own?.ids ?? []), ...rows.flatMap((row) => row.machine.ids)]
    // Ids that the edge and its copies share identify none of them.
    const shared = new Set(ids.filter((id, index) => ids.indexOf(id) < index))
    return rows.find((row) => isSameMachine(row.machine, machine, shared))
  }

  /**
   * Records an edge of which the database has lost the enrolment. Users decide, because the edge may also have been
   * deleted since.
   */
  async function recordReturn(
    { tokenHash, machine, version, address }: Arrival,
    { projectId, edgeId }: { projectId: string; edgeId: string },
  ): Promise<'waiting' | undefined> {
    return events.transaction(async (trx, emit) => {
      const facts = machine === undefined ? null : JSON.stringify(machine)
      const label = nameFrom(machine?.hostname ?? '', limits.labelMax) || 'Edge'
      const id = uuidv7()
      // Locks the project row, so that the count remains valid.
      const { rows: projects } =
        await sql`select from project where id = ${projectId} for no key update`.execute(trx)
      if (projects.length === 0) return undefined
      const { rows } = await sql<{ edgeId: string | null }>`
        insert into edge_request (id, project_id, edge_id, token_hash, label, tags, machine, version, address, is_returning)
        select ${id}::uuid, ${projectId}::uuid, (select id from edge where id = ${edgeId} and project_id = ${projectId}),
          ${tokenHash}, ${label}, '{}', ${facts}::jsonb, ${version}, ${address}, true
        where (select count(*) from edge_request where project_id = ${projectId}) < ${limits.edgesMax}::int
        on conflict do nothing returning edge_id as "edgeId"`.execute(trx)
      const [added] = rows
      if (added === undefined) return 'waiting'
      await audit.within(trx).record({
        event: 'edge.requested',
        result: 'success',
        target: added.edgeId ?? id,
        projectId,
        address,
        detail: { label, isReturning: true },
      })
      await publishEdgeChange(emit, projectId, { id: added.edgeId ?? id })
      return 'waiting'
    })
  }

  /** Returns undefined for an agent that has to wait for a user's action. */
  async function admitUnknown(arrival: Arrival): Promise<'waiting' | undefined> {
    const { tokenHash, machine, version, address, enrolment } = arrival
    const facts = machine === undefined ? null : JSON.stringify(machine)
    const { rows } = await sql<{ isRefused: boolean }>`
      update edge_request set seen_at = now(), machine = coalesce(${facts}::jsonb, machine), version = ${version},
        address = ${address}
      where token_hash = ${tokenHash} returning refused_at is not null as "isRefused"`.execute(db)
    if (rows[0] !== undefined) return rows[0].isRefused ? undefined : 'waiting'
    const proven = enrolment === undefined ? undefined : readProof(secrets, enrolment, tokenHash)
    if (proven === undefined) return undefined
    const { rows: states } = await sql<{ isCopy: boolean; isKnown: boolean }>`
      select is_copy as "isCopy", exists (select from edge_token where hash = ${tokenHash}) as "isKnown"
      from installation`.execute(db)
    const [state] = states
    // A known token has ended: its edge was revoked, deleted or enrolled again.
    if (state === undefined || state.isKnown) return undefined
    return state.isCopy ? 'waiting' : recordReturn(arrival, proven)
  }

  /** Returns those of these ids that other edges show as well. */
  async function foreignOf(edgeId: string, ids: readonly string[]): Promise<Set<string>> {
    const { rows } = await sql<{ id: string }>`
      select shown as id from unnest(${ids}::text[]) shown
      where exists (select from edge e where e.machine -> 'ids' ? shown and e.id <> ${edgeId})`.execute(db)
    return new Set(rows.map(({ id }) => id))
  }

  /** Accepts the machine of an edge. Of two machines that connect first, only one becomes the machine of the edge. */
  async function accept(edge: KnownEdge, machine: EdgeMachine | undefined): Promise<boolean> {
    const { edgeId, machine: known } = edge
    if (machine === undefined) return known === null || known.ids.length === 0
    if (isDeepStrictEqual(known, machine)) return true
    if (known !== null && known.ids.length > 0) {
      const foreign = await foreignOf(edgeId, machine.ids)
      if (!isSameMachine(known, machine, foreign)) return false
    }
    const { rows } = await sql`
      update edge set machine = ${JSON.stringify(machine)}::jsonb
      where id = ${edgeId} and machine is not distinct from ${known === null ? null : JSON.stringify(known)}::jsonb
      returning id`.execute(db)
    return rows.length > 0
  }

  async function find(tokenHash: Buffer): Promise<KnownEdge | undefined> {
    const { rows } = await sql<KnownEdge>`
      select e.id as "edgeId", e.label, e.project_id as "projectId", e.machine, ${nextConnection} as number,
        i.is_copy as "isCopy"
      from edge e, installation i where e.token_hash = ${tokenHash}`.execute(db)
    return rows[0]
  }

  return async function admit(arrival: Arrival): Promise<FoundEdge | 'waiting' | undefined> {
    const { tokenHash, machine } = arrival
    let edge = await find(tokenHash)
    // The edge belongs to the original, and must not move to a copy of it.
    if (edge?.isCopy === true) return 'waiting'
    if (edge === undefined) return admitUnknown(arrival)
    // The second attempt compares with the machine of an agent that has connected meanwhile.
    if (!(await accept(edge, machine))) {
      edge = await find(tokenHash)
      if (edge === undefined) return undefined
      if (!(await accept(edge, machine))) return recordCopy(edge, arrival)
    }
    const { edgeId, label, number, projectId } = edge
    return { edgeId, label, number, enrolment: proofOf(secrets, { projectId, edgeId, tokenHash }) }
  }
}
