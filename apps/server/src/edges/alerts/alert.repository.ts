import { sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'

export interface AwayEdge {
  id: string
  label: string
  projectId: string
  projectLabel: string
  offlineSince: Date
  /** The default address of the project's owner; null for one who is not let in. */
  email: string | null
}

/** Between two mails about the same edge: one that comes and goes fills no mailbox. */
const mailPause = sql`interval '1 hour'`

/** Of edges that have been away for as long as their people want to be told of. */
const fromAway = sql`
  from edge_presence p join edge e on e.id = p.edge_id
  where not p.is_online and p.alerted_at is null and e.token_hash is not null
    and p.offline_since < now() - make_interval(mins => e.alert_after)
    and (p.mailed_at is null or p.mailed_at < now() - ${mailPause})`

export function createAlertRepository(db: Db) {
  return {
    /** Whether people are to be told of some edge. */
    async isAnyAway(): Promise<boolean> {
      const { rows } = await sql<{ isAny: boolean }>`select exists (select ${fromAway}) as "isAny"`.execute(
        db,
      )
      return rows[0]?.isAny === true
    },

    /** Edges that have been away for as long as their people want to be told of. Each outage is answered once. */
    async claim(): Promise<AwayEdge[]> {
      const { rows } = await sql<AwayEdge>`
        with away as (
          select p.edge_id ${fromAway} order by p.edge_id limit 500 for update of p skip locked
        )
        update edge_presence p set alerted_at = now(), mailed_at = now()
        from edge e join project on project.id = e.project_id
          left join person owner on owner.id = project.owner_id and owner.disabled_at is null
          left join email on email.person_id = owner.id and email.is_default
        where e.id = p.edge_id and p.edge_id in (select edge_id from away)
        returning e.id, e.label, project.id as "projectId", project.label as "projectLabel",
          p.offline_since as "offlineSince", email.email`.execute(db)
      return rows
    },
  }
}
