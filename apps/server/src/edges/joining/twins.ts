import { type Kysely, sql } from 'kysely'
import type { Database } from '#platform/database/schema.ts'
import type { Log } from '#platform/log.ts'
import type { AuditService } from '../../audit/audit.service.ts'

interface TwinsParts {
  db: Kysely<Database>
  audit: AuditService
  log: Log
}

/** Two machines that take turns as one edge. */
export interface FoundTwins {
  label: string
  addresses: readonly [string, string]
  seenAt: string
}

/** Records in the log and in the events of an edge, once a day, that two machines take turns as this edge. */
export function createTwins({ db, audit, log }: TwinsParts) {
  let latest: FoundTwins | null = null

  async function record(edgeId: string, addresses: readonly [string, string]): Promise<void> {
    const { rows } = await sql<{ projectId: string; label: string; isRecorded: boolean }>`
      select project_id as "projectId", label, exists (
        select from audit where target = ${edgeId} and event = 'edge.copy-found' and at > now() - interval '1 day'
      ) as "isRecorded" from edge where id = ${edgeId}`.execute(db)
    const [edge] = rows
    if (edge === undefined) return
    const { projectId, label, isRecorded } = edge
    latest = { label, addresses, seenAt: new Date().toISOString() }
    if (isRecorded) return
    log.warn(
      { edge: edgeId, addresses },
      'two machines with the same hardware ids take turns as one edge: enrol one of them again',
    )
    const [, address] = addresses
    await audit.record({
      event: 'edge.copy-found',
      result: 'success',
      target: edgeId,
      projectId,
      address,
      detail: { label },
    })
  }

  return {
    note(edgeId: string, addresses: readonly [string, string]): void {
      record(edgeId, addresses).catch((err: unknown) => {
        log.warn(
          { err, edge: edgeId, addresses },
          'two machines that take turns as one edge could not be recorded',
        )
      })
    },

    /** The twins that this node has noticed last; null without any. */
    latest: (): FoundTwins | null => latest,
  }
}
