import { randomUUID } from 'node:crypto'
import type { EdgeUpdatePolicy, EdgeUpdates } from '@pult/contract'
import type { Kysely } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import { asWork } from '#platform/database/pool-shares.ts'
import { refuseStale } from '#platform/database/revision.ts'
import type { Database } from '#platform/database/schema.ts'
import type { Log } from '#platform/log.ts'
import type { Events } from '#platform/realtime/events.ts'
import type { AuditService } from '../../audit/audit.service.ts'
import { edgeNodeTopic } from '../edge-topic.ts'
import { lockProject } from '../lock-project.ts'
import { isHeld, nextOrders } from './next-orders.ts'
import { createUpdateRepository } from './update.repository.ts'

interface EdgeUpdatesParts {
  db: Kysely<Database>
  events: Events
  audit: AuditService
  /** The version of the agent that this node serves. */
  version: string
  log: Log
}

const checkInterval = 10_000

/** Orders the updates of agents according to the policies of their projects, and returns their state. */
export function createEdgeUpdates({ db, events, audit, version, log }: EdgeUpdatesParts) {
  let timer: NodeJS.Timeout | undefined
  let working: Promise<void> | undefined

  /**
   * Orders due updates. Orders and audit entries commit together; events of the same transaction inform the agents. The
   * lock of the project lets no change of its policy happen between reading it and the orders.
   */
  const orderIn = (projectId: string) =>
    events.transaction(async (trx, emit) => {
      const within = createUpdateRepository(trx)
      if (!(await within.isAlone()) || !(await lockProject(trx, projectId))) return
      const [{ policy }, counts] = [await within.policy(projectId), await within.counts(projectId, version)]
      const most = nextOrders(policy, counts, new Date())
      if (most === 0) return
      const ordered = await within.order(projectId, version, most)
      if (ordered.length === 0) return
      await emit(
        ...ordered.map((edgeId) => ({
          topic: edgeNodeTopic,
          name: 'edge:command',
          data: { id: randomUUID(), edgeId, command: { name: 'update' } },
        })),
      )
      const detail = { version, edges: ordered.length, mode: policy.mode }
      await audit.within(trx).record({ event: 'edge.update-ordered', result: 'success', projectId, detail })
    })

  async function check(): Promise<void> {
    for (const projectId of await createUpdateRepository(db).projectsBehind(version)) await orderIn(projectId)
  }

  function checkSoon(): void {
    working ??= asWork('edge updates', check)
      .catch((err: unknown) => log.warn({ err }, 'updates of agents could not be ordered'))
      .finally(() => {
        working = undefined
      })
  }

  async function read(projectId: string, from: Db = db): Promise<EdgeUpdates> {
    const within = createUpdateRepository(from)
    const [{ policy, revision, updatedAt, updatedBy }, counts, versions] = await Promise.all([
      within.policy(projectId),
      within.counts(projectId, version),
      within.versions(projectId),
    ])
    const { running, failed, away, unable, ready, waiting } = counts
    return {
      policy,
      revision,
      updatedAt: updatedAt?.toISOString() ?? null,
      updatedBy,
      version,
      versions: versions.map((each) => ({ ...each, isCurrent: each.version === version })),
      counts: { running, failed, away, unable, waiting: ready + waiting },
      isHeld: isHeld(policy, counts),
    }
  }

  return {
    check,
    read: (projectId: string): Promise<EdgeUpdates> => read(projectId),

    /** Records a user's order for one edge, in the transaction of its task. */
    recordOrder: (trx: Db, edgeId: string): Promise<void> =>
      createUpdateRepository(trx).orderOne(edgeId, version),

    async setPolicy(
      { caller, address }: { caller: { personId: string }; address: string },
      projectId: string,
      policy: EdgeUpdatePolicy,
      revision: number | undefined,
    ): Promise<EdgeUpdates> {
      await events.transaction(async (trx) => {
        const within = createUpdateRepository(trx)
        // The policy may not have a row yet.
        await lockProject(trx, projectId)
        const current = await read(projectId, trx)
        refuseStale({ ...current, updatedAt: current.updatedAt ?? '' }, revision)
        await within.setPolicy(projectId, policy, caller.personId)
        await audit.within(trx).record({
          event: 'edge.update-policy-changed',
          result: 'success',
          actorId: caller.personId,
          projectId,
          address,
          detail: { ...policy },
        })
      })
      return read(projectId)
    },

    start(): void {
      timer = setInterval(checkSoon, checkInterval)
    },

    async stop(): Promise<void> {
      clearInterval(timer)
      await working
    },
  }
}
export type EdgeUpdatesService = ReturnType<typeof createEdgeUpdates>
