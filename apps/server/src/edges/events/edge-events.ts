import { type EdgeEvent, edgeEventsMost } from '@pult/contract'
import { sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import type { AuditService } from '../../audit/audit.service.ts'

interface EdgeEventsParts {
  db: Db
  audit: Pick<AuditService, 'entriesOf'>
}

/** Returns the newest events of an edge. The caller has checked that the user may see the edge. */
export function createEdgeEvents({ db, audit }: EdgeEventsParts) {
  async function outages(edgeId: string): Promise<EdgeEvent[]> {
    const { rows } = await sql<{ begins: Date; ends: Date | null }>`
      select begins, ends from edge_outage where edge_id = ${edgeId}
      order by begins desc limit ${edgeEventsMost}::int`.execute(db)
    return rows.flatMap(({ begins, ends }): EdgeEvent[] => {
      const since = begins.toISOString()
      const offline = { kind: 'offline', at: since } as const
      return ends === null ? [offline] : [{ kind: 'online', at: ends.toISOString(), since }, offline]
    })
  }

  async function actions(projectId: string, edgeId: string): Promise<EdgeEvent[]> {
    const entries = await audit.entriesOf({ room: 'edge', target: edgeId, projectId }, edgeEventsMost)
    return entries.map(({ id, at, event, actorId, actorName, detail }) => ({
      kind: 'action',
      _id: id,
      at: at.toISOString(),
      event,
      actor: actorId === null ? null : { _id: actorId, name: actorName ?? '' },
      program: textOf(detail['instance']),
      version: textOf(detail['version']),
    }))
  }

  return async function events(projectId: string, edgeId: string): Promise<{ items: EdgeEvent[] }> {
    const found = await Promise.all([outages(edgeId), actions(projectId, edgeId)])
    const items = found.flat().toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at))
    return { items: items.slice(0, edgeEventsMost) }
  }
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : null)
