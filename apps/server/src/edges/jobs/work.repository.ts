import type { AgentMessage, EdgeJob, EdgeJobCommand } from '@pult/contract'
import { type RawBuilder, sql } from 'kysely'
import { isWithin } from '#platform/database/clock.ts'
import type { Db } from '#platform/database/database.ts'
import { orderOf } from '#platform/database/name-order.ts'
import { outcomeRequest } from './outcome-request.ts'

type Answer = Extract<AgentMessage, { type: 'answer' }>

/** The agent of an edge on one connection. */
interface Answerer {
  edgeId: string
  connection: string
}

export interface OpenJob {
  id: string
  projectId: string
  /** Null for a deleted account. */
  createdBy: string | null
}

export interface LockedJob {
  command: EdgeJobCommand
  atOnce: number
  stopAfter: number | null
  isExpired: boolean
  /** The present of the database. */
  at: Date
}

/** A message for the agent of an edge on one connection; `id` is that of the line. */
export interface Sent {
  id: string
  connection: string
}

/** The lines of a job that may be sent now. */
export interface Deliverable {
  projectId: string
  command: EdgeJobCommand
  /** Null for a deleted account. */
  createdBy: string | null
  /** `isReceived`: the agent has acknowledged the command. */
  lines: { id: string; edgeId: string; isReceived: boolean }[]
}

/** The work that an event names. */
export interface Named {
  jobs: readonly string[]
  /** Edges whose open lines may have become due. */
  edges: readonly string[]
}

/** Agents send a message every five seconds during a command. After this silence the server sends again. */
const silence = sql`interval '60 seconds'`

/** An edge that is silent for this long has not answered. */
const patience = sql`interval '10 minutes'`

/** Number of last lines of a log. */
const linesKept = 100

/** Bytes of output that a job keeps for all its edges, and for one of them at most. */
const jobOutputBytes = 5 * 1024 * 1024
const lineOutputBytes = 20_000

/** Unfinished jobs that one statement of the round reads. */
const pageSize = 100

/** Whether the agent of an edge `e` with its presence `p` is connected and remembers commands. */
const canReceive = sql`p.is_online and e.token_hash is not null and p.report ? 'commands'`

/**
 * Whether the command of a line was sent on the current connection of its edge, whose presence is `p`, and the agent
 * may still acknowledge it. A line becomes `running` with the first answer of its agent and is `waiting` before.
 */
const isSent = (line: RawBuilder<unknown>) =>
  sql`(${line}.state = 'waiting' and p.is_online and ${line}.connection = p.connection
    and ${isWithin(sql`${line}.sent_at`, silence)})`

export function createWorkRepository(db: Db) {
  /** Ends lines of a job. Returns their number. */
  async function end(jobId: string, set: RawBuilder<unknown>, which: RawBuilder<unknown>): Promise<number> {
    const { numAffectedRows } = await sql`
      update edge_job_line l set ${set}, ended_at = now() where l.job_id = ${jobId} and ${which}`.execute(db)
    return Number(numAffectedRows ?? 0)
  }

  return {
    /** Returns the unfinished jobs among those that events have named, and those with open lines for named edges. */
    async named({ jobs, edges }: Named): Promise<OpenJob[]> {
      const { rows } = await sql<OpenJob>`
        select j.id, j.project_id as "projectId", j.created_by as "createdBy" from edge_job j
        where j.ended_at is null and (j.id = any(${jobs}::uuid[]) or j.id in (
          select l.job_id from edge_job_line l where l.edge_id = any(${edges}::uuid[]) and l.state in ('waiting', 'running')
        )) order by j.id`.execute(db)
      return rows
    },

    /**
     * Reads a page of the unfinished jobs after an id. `jobs` are those with lines to send or to end, and those without
     * open lines. `last` is undefined after the last page.
     */
    async page(after: string | null): Promise<{ jobs: OpenJob[]; last: string | undefined }> {
      const { rows } = await sql<OpenJob & { isDue: boolean }>`
        with page as materialized (
          select * from edge_job where ended_at is null and (${after}::uuid is null or id > ${after}::uuid)
          order by id limit ${pageSize}::int
        )
        select j.id, j.project_id as "projectId", j.created_by as "createdBy",
          j.expires_at <= now()
          or exists (select from edge_job_line l where l.job_id = j.id and l.state = 'running')
          or not exists (select from edge_job_line l where l.job_id = j.id and l.state = 'waiting')
          or exists (
            select from edge_job_line l left join edge e on e.id = l.edge_id left join edge_presence p on p.edge_id = e.id
            where l.job_id = j.id and l.state = 'waiting'
              and (e.id is null or e.project_id <> j.project_id or e.token_hash is null and e.code_hash is null or ${canReceive})
          ) as "isDue"
        from page j order by j.id`.execute(db)
      return {
        jobs: rows.filter(({ isDue }) => isDue),
        last: rows.length < pageSize ? undefined : rows.at(-1)?.id,
      }
    },

    /**
     * Locks a job and its project, so that two jobs never claim one edge at the same time. Undefined if another node
     * works on the project, or the job has ended.
     */
    async lock(jobId: string): Promise<LockedJob | undefined> {
      const { rows } = await sql<LockedJob>`
        select j.command, j.at_once as "atOnce", j.stop_after as "stopAfter", j.expires_at <= now() as "isExpired", now() as at
        from edge_job j join project on project.id = j.project_id
        where j.id = ${jobId} and j.ended_at is null for no key update of j, project skip locked`.execute(db)
      return rows[0]
    },

    /** Ends the lines of edges that left the project. */
    endGone: (jobId: string) =>
      end(
        jobId,
        sql`state = 'cancelled', info = 'EDGE_GONE'`,
        sql`l.state = 'waiting' and not exists (
          select from edge e join edge_job j on j.id = l.job_id
          where e.id = l.edge_id and e.project_id = j.project_id and (e.token_hash is not null or e.code_hash is not null))`,
      ),

    /** Ends the lines of edges that have not answered for too long. */
    endSilent: (jobId: string) =>
      end(
        jobId,
        sql`state = 'failed', info = 'NO_ANSWER'`,
        sql`l.state = 'running' and (l.edge_id is null or not ${isWithin(sql`l.heard_at`, patience)})`,
      ),

    expire: (jobId: string) => end(jobId, sql`state = 'expired'`, sql`l.state = 'waiting'`),

    /** Cancels the job on the edges that have not acknowledged the command. Returns their number. */
    async stop(jobId: string, reason: NonNullable<EdgeJob['stopped']>): Promise<number> {
      const cancelled = await end(jobId, sql`state = 'cancelled'`, sql`l.state = 'waiting'`)
      if (cancelled > 0) await sql`update edge_job set stopped = ${reason} where id = ${jobId}`.execute(db)
      return cancelled
    },

    async counts(jobId: string): Promise<{ open: number; failed: number }> {
      const { rows } = await sql<{ open: number; failed: number }>`
        select count(*) filter (where state in ('waiting', 'running'))::int as open,
          count(*) filter (where state = 'failed')::int as failed
        from edge_job_line where job_id = ${jobId}`.execute(db)
      return rows[0] ?? { open: 0, failed: 0 }
    },

    /** Counts the edges that execute the command or may be about to. */
    async busy(jobId: string): Promise<number> {
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from edge_job_line l left join edge_presence p on p.edge_id = l.edge_id
        where l.job_id = ${jobId} and l.state in ('waiting', 'running') and (l.state = 'running' or ${isSent(sql`l`)})`.execute(
        db,
      )
      return rows[0]?.count ?? 0
    },

    /**
     * Claims waiting lines of connected edges that execute no other command of a job, and that have not just received
     * this one. An edge with a locked row, for example during a move to another project, waits for the next check.
     */
    async claim(jobId: string, most: number): Promise<Sent[]> {
      const { rows } = await sql<Sent>`
        with due as (
          select l.id, p.connection from edge_job_line l join edge_job j on j.id = l.job_id
            join edge e on e.id = l.edge_id and e.project_id = j.project_id join edge_presence p on p.edge_id = e.id
          where l.job_id = ${jobId} and l.state = 'waiting' and ${canReceive}
            and not exists (select from edge_job_line busy where busy.edge_id = l.edge_id
              and busy.state in ('waiting', 'running') and (busy.state = 'running' or ${isSent(sql`busy`)}))
          order by ${orderOf(sql`l.label`)}, l.id limit ${most}::int for update of l for share of e skip locked
        )
        update edge_job_line l set connection = due.connection, sent_at = now()
        from due where l.id = due.id returning l.id, l.connection`.execute(db)
      return rows
    },

    /**
     * Claims acknowledged lines of edges that have reconnected or are silent, to ask for their outcomes. Their agents
     * send all output again.
     */
    async claimOutcomes(jobId: string): Promise<Sent[]> {
      const { rows } = await sql<Sent>`
        update edge_job_line l set connection = p.connection, heard_at = now(), log = '{}'
        from edge e join edge_presence p on p.edge_id = e.id
        where l.job_id = ${jobId} and l.state = 'running' and e.id = l.edge_id and ${canReceive}
          and (p.connection <> l.connection or not ${isWithin(sql`l.heard_at`, silence)})
        returning l.id, l.connection`.execute(db)
      return rows
    },

    /**
     * Returns those of the claimed lines that may be sent now: a line may have been cancelled since, and its edge may
     * have moved to another project.
     */
    async deliverable(jobId: string, sent: readonly Sent[]): Promise<Deliverable | undefined> {
      const { rows } = await sql<Deliverable>`
        select j.project_id as "projectId", j.command, j.created_by as "createdBy",
          json_agg(json_build_object('id', l.id, 'edgeId', l.edge_id, 'isReceived', l.state = 'running')) as lines
        from unnest(${sent.map(({ id }) => id)}::uuid[], ${sent.map(({ connection }) => connection)}::uuid[])
          as s (id, connection) join edge_job_line l on l.id = s.id and l.connection = s.connection
          join edge_job j on j.id = l.job_id join edge e on e.id = l.edge_id
        where j.id = ${jobId} and (l.state = 'running' or l.state = 'waiting' and e.project_id = j.project_id)
        group by j.id`.execute(db)
      return rows[0]
    },

    /** Ends the job and stores its counts. */
    async finish(jobId: string): Promise<void> {
      await sql`
        update edge_job set ended_at = now(), counts = coalesce((
          select jsonb_object_agg(state, number) from (
            select state, count(*) as number from edge_job_line where job_id = ${jobId} group by state
          ) counted), '{}') where id = ${jobId}`.execute(db)
    },

    /**
     * Adds the output and outcome of an agent to an open line, and acknowledges the command with the first answer.
     * Returns the job and whether the state of the line has changed. Undefined without such an open line.
     */
    async addAnswer(
      { edgeId, connection }: Answerer,
      { command, lines, outcome }: Answer,
    ): Promise<{ jobId: string; isChanged: boolean } | undefined> {
      const ended =
        outcome === undefined
          ? sql`state = 'running'`
          : sql`state = ${outcome.ok ? 'done' : 'failed'}, info = ${infoOf(outcome)}, ended_at = now()`
      const added =
        lines.length === 0
          ? sql``
          : sql`log = array(
              select text from (
                select text, place, sum(octet_length(text)) over (order by place desc) as bytes,
                  row_number() over (order by place desc) as number
                from (select left(line, before.share / 4) as text, place
                  from unnest(l.log || ${lines}::text[]) with ordinality as given (line, place)) cut
              ) counted where bytes <= before.share and number <= ${linesKept}::int order by place
            ),`
      const { rows } = await sql<{ jobId: string; isChanged: boolean }>`
        with before as (
          select l.id, l.state, l.job_id, least(${lineOutputBytes}::int, ${jobOutputBytes}::int / greatest(j.total, 1)) as share
          from edge_job_line l join edge_job j on j.id = l.job_id
          where l.id = ${command} and l.edge_id = ${edgeId} and l.connection = ${connection}
            and l.state in ('waiting', 'running') for no key update of l
        )
        update edge_job_line l set heard_at = now(), ${added} ${ended}
        from before where l.id = before.id
        returning before.job_id as "jobId", before.state <> l.state as "isChanged"`.execute(db)
      return rows[0]
    },

    /**
     * Opens a line again whose agent answers although the job was cancelled or expired before the acknowledgement, so
     * that the line shows what the agent does. Returns whether there is such a line.
     */
    async reopen({ edgeId, connection }: Answerer, { command }: Answer): Promise<boolean> {
      // Locks the job first, as the worker does.
      const { rows } = await sql<{ jobId: string }>`
        select j.id as "jobId" from edge_job j join edge_job_line l on l.job_id = j.id
        where l.id = ${command} and l.edge_id = ${edgeId} and l.connection = ${connection}
          and l.state in ('cancelled', 'expired') for no key update of j`.execute(db)
      const [row] = rows
      if (row === undefined) return false
      await sql`update edge_job set ended_at = null, counts = null where id = ${row.jobId}`.execute(db)
      await sql`
        update edge_job_line set state = 'waiting', info = null, ended_at = null
        where id = ${command} and state in ('cancelled', 'expired')`.execute(db)
      return true
    },
  }
}

/** Returns the text of an outcome. An agent that no longer knows a command refuses the request for its outcome. */
const infoOf = (outcome: NonNullable<Answer['outcome']>): string => {
  if (outcome.ok) return outcome.info
  return outcome.error.includes(outcomeRequest.key) ? 'NO_ANSWER' : outcome.error
}
