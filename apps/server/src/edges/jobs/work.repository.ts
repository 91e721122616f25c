import type { AgentMessage, EdgeJob, EdgeJobCommand } from '@pult/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import { orderOf } from '#platform/database/sorted-page.ts'

type Answer = Extract<AgentMessage, { type: 'answer' }>

/** A job with work that is due. */
export interface OpenJob {
  id: string
  projectId: string
  /** Null for a deleted or disabled account. */
  createdBy: string | null
}

export interface LockedJob {
  command: EdgeJobCommand
  atOnce: number
  stopAfter: number | null
  stopped: EdgeJob['stopped']
  isExpired: boolean
}

/** A command for the agent of an edge; `id` is that of the line. */
export interface Sent {
  id: string
  edgeId: string
}

/** Agents send a message every five seconds during a command. After this silence the command is sent again. */
const silence = sql`interval '60 seconds'`

/** An edge that is silent for this long has not answered. */
const patience = sql`interval '10 minutes'`

/** Number of last lines of a log. */
const linesKept = 100

/** Whether the agent of an edge `e` with its presence `p` is connected and remembers commands. */
const canReceive = sql`p.is_online and e.token_hash is not null and p.report ? 'commands'`

export function createWorkRepository(db: Db) {
  /** Ends lines of a job. Returns their number. */
  async function end(jobId: string, set: RawBuilder<unknown>, which: RawBuilder<unknown>): Promise<number> {
    const { numAffectedRows } = await sql`
      update edge_job_line l set ${set}, ended_at = now() where l.job_id = ${jobId} and ${which}`.execute(db)
    return Number(numAffectedRows ?? 0)
  }

  return {
    /** Returns the unfinished jobs with lines to send, to send again or to end, and those without open lines. */
    async open(): Promise<OpenJob[]> {
      const { rows } = await sql<OpenJob>`
        select j.id, j.project_id as "projectId", creator.id as "createdBy"
        from edge_job j left join person creator on creator.id = j.created_by and creator.disabled_at is null
        where j.ended_at is null and (
          j.expires_at <= now()
          or exists (select from edge_job_line l where l.job_id = j.id and l.state = 'running')
          or not exists (select from edge_job_line l where l.job_id = j.id and l.state = 'waiting')
          or exists (
            select from edge_job_line l left join edge e on e.id = l.edge_id left join edge_presence p on p.edge_id = e.id
            where l.job_id = j.id and l.state = 'waiting'
              and (e.id is null or e.project_id <> j.project_id or e.token_hash is null and e.code_hash is null or ${canReceive})
          )
        ) order by j.id`.execute(db)
      return rows
    },

    /**
     * Locks a job and its project, so that two jobs never claim one edge at the same time. Undefined if another node
     * works on the project, or the job has ended.
     */
    async lock(jobId: string): Promise<LockedJob | undefined> {
      const { rows } = await sql<LockedJob>`
        select j.command, j.at_once as "atOnce", j.stop_after as "stopAfter", j.stopped, j.expires_at <= now() as "isExpired"
        from edge_job j join project on project.id = j.project_id
        where j.id = ${jobId} and j.ended_at is null for no key update of j, project skip locked`.execute(db)
      return rows[0]
    },

    /** Ends the lines of edges that left the project or have not answered for too long. */
    async endLost(jobId: string): Promise<number> {
      const gone = await end(
        jobId,
        sql`state = 'cancelled', info = 'EDGE_GONE'`,
        sql`l.state = 'waiting' and not exists (
          select from edge e join edge_job j on j.id = l.job_id
          where e.id = l.edge_id and e.project_id = j.project_id and (e.token_hash is not null or e.code_hash is not null))`,
      )
      const silent = await end(
        jobId,
        sql`state = 'failed', info = 'NO_ANSWER'`,
        sql`l.state = 'running' and (l.edge_id is null or l.heard_at < now() - ${patience})`,
      )
      return gone + silent
    },

    expire: (jobId: string) => end(jobId, sql`state = 'expired'`, sql`l.state = 'waiting'`),

    /** Cancels the job on the edges that have not received the command. Returns their number. */
    async stop(jobId: string, reason: NonNullable<EdgeJob['stopped']>): Promise<number> {
      const cancelled = await end(jobId, sql`state = 'cancelled'`, sql`l.state = 'waiting'`)
      if (cancelled > 0) await sql`update edge_job set stopped = ${reason} where id = ${jobId}`.execute(db)
      return cancelled
    },

    async counts(jobId: string): Promise<Pick<EdgeJob['counts'], 'waiting' | 'running' | 'failed'>> {
      const of = (state: string) => sql`count(*) filter (where state = ${state})::int`
      const { rows } = await sql<{ waiting: number; running: number; failed: number }>`
        select ${of('waiting')} as waiting, ${of('running')} as running, ${of('failed')} as failed
        from edge_job_line where job_id = ${jobId}`.execute(db)
      return rows[0] ?? { waiting: 0, running: 0, failed: 0 }
    },

    /**
     * Claims waiting lines of connected edges that execute no other command of a job. An edge with a locked row, for
     * example during a move to another project, waits for the next check.
     */
    async claim(jobId: string, most: number): Promise<Sent[]> {
      const { rows } = await sql<Sent>`
        with due as (
          select l.id, p.connection from edge_job_line l join edge_job j on j.id = l.job_id
            join edge e on e.id = l.edge_id and e.project_id = j.project_id join edge_presence p on p.edge_id = e.id
          where l.job_id = ${jobId} and l.state = 'waiting' and ${canReceive}
            and not exists (select from edge_job_line busy where busy.edge_id = l.edge_id and busy.state = 'running')
          order by ${orderOf(sql`l.label`)}, l.id limit ${most}::int for update of l for share of e skip locked
        )
        update edge_job_line l set state = 'running', connection = due.connection, sent_at = now(), heard_at = now()
        from due where l.id = due.id returning l.id, l.edge_id as "edgeId"`.execute(db)
      return rows
    },

    /** Claims running lines of edges that have reconnected or are silent. Their agents send all output again. */
    async claimAgain(jobId: string): Promise<Sent[]> {
      const { rows } = await sql<Sent>`
        update edge_job_line l set connection = p.connection, heard_at = now(), log = '{}'
        from edge e join edge_presence p on p.edge_id = e.id
        where l.job_id = ${jobId} and l.state = 'running' and e.id = l.edge_id and ${canReceive}
          and (p.connection <> l.connection or l.heard_at < now() - ${silence})
        returning l.id, l.edge_id as "edgeId"`.execute(db)
      return rows
    },

    /** Ends the job and stores its counts. */
    async finish(jobId: string): Promise<void> {
      await sql`
        update edge_job set ended_at = now(), counts = coalesce((
          select jsonb_object_agg(state, number) from (
            select state, count(*) as number from edge_job_line where job_id = ${jobId} group by state
          ) counted), '{}') where id = ${jobId}`.execute(db)
    },

    /** Adds the output and outcome of a running line. Returns its job if the line has ended. */
    async addAnswer(
      { edgeId, connection }: { edgeId: string; connection: string },
      { command, lines, outcome }: Answer,
    ): Promise<string | undefined> {
      const ended =
        outcome === undefined
          ? sql``
          : sql`, state = ${outcome.ok ? 'done' : 'failed'}, info = ${outcome.ok ? outcome.info : outcome.error}, ended_at = now()`
      const { rows } = await sql<{ jobId: string }>`
        update edge_job_line set heard_at = now(),
          log = (log || ${lines}::text[])[greatest(1, cardinality(log) + ${lines.length}::int - ${linesKept - 1}::int):] ${ended}
        where id = ${command} and edge_id = ${edgeId} and connection = ${connection} and state = 'running'
        returning job_id as "jobId"`.execute(db)
      return outcome === undefined ? undefined : rows[0]?.jobId
    },
  }
}
