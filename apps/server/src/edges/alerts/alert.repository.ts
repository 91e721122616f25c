import { sql } from 'kysely'
import { isWithin } from '#platform/database/clock.ts'
import type { Db } from '#platform/database/database.ts'
import { isInService } from '#platform/database/in-service.ts'

export interface AwayEdge {
  id: string
  label: string
  projectId: string
  projectLabel: string
  offlineSince: Date
  /** Not announced in this outage before. */
  isNew: boolean
  /** The default address of the project's owner; null if it is unverified or the owner is disabled. */
  email: string | null
}

/** Shortest time between two mails about one edge, so that a flapping edge does not fill a mailbox. */
const mailPause = sql`interval '1 hour'`

const isMailDue = sql<boolean>`coalesce(not ${isWithin(sql`p.mailed_at`, mailPause)}, true)`

/**
 * Edges that have been offline for their alert time and were not announced in this outage, or not by mail, because the
 * pause after an earlier outage had not ended.
 */
const fromAway = sql`
  from edge_presence p join edge e on e.id = p.edge_id
  where ${isInService} and not p.is_online and e.token_hash is not null
    and (p.alerted_at is null or p.mailed_at < p.offline_since and ${isMailDue})
    and not ${isWithin(sql`p.offline_since`, sql`make_interval(mins => e.alert_after)`)}`

export function createAlertRepository(db: Db) {
  return {
    /** Returns whether any alert is due. */
    async isAnyAway(): Promise<boolean> {
      const { rows } = await sql<{ isAny: boolean }>`select exists (select ${fromAway}) as "isAny"`.execute(
        db,
      )
      return rows[0]?.isAny === true
    },

    /**
     * Claims the outages to announce, each once on screen and once by mail. `email` is null if a mail about the edge was
     * sent within the last hour: that of an outage that lasts follows.
     */
    async claim(): Promise<AwayEdge[]> {
      const { rows } = await sql<AwayEdge>`
        with away as (
          select p.edge_id, p.alerted_at is null as is_new, ${isMailDue} as is_mail_due
          ${fromAway} order by p.edge_id limit 500 for update of p skip locked
        )
        update edge_presence p set alerted_at = coalesce(alerted_at, now()),
          mailed_at = case when is_mail_due then now() else mailed_at end
        from away join edge e on e.id = away.edge_id join project on project.id = e.project_id
          left join person owner on owner.id = project.owner_id and owner.disabled_at is null
          left join email on email.person_id = owner.id and email.is_default and email.verified_at is not null
        where e.id = p.edge_id and p.edge_id in (select edge_id from away)
        returning e.id, e.label, project.id as "projectId", project.label as "projectLabel",
          p.offline_since as "offlineSince", is_new as "isNew", case when is_mail_due then email.email end as email`.execute(
        db,
      )
      return rows
    },
  }
}
