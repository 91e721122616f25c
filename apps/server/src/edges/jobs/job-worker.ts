import type { AgentMessage } from '@pult/contract'
import type { Kysely, Transaction } from 'kysely'
import * as z from 'zod'
import type { Clock } from '#platform/clock.ts'
import { asWork } from '#platform/database/pool-shares.ts'
import type { Database } from '#platform/database/schema.ts'
import type { Log } from '#platform/log.ts'
import type { Emit, Events } from '#platform/realtime/events.ts'
import { whenAnswered } from '#platform/transient.ts'
import type { AuditService } from '../../audit/audit.service.ts'
import type { Agent, AgentGateway } from '../agents/agent-gateway.ts'
import { edgeNodeTopic } from '../edge-topic.ts'
import { outcomeRequest } from './outcome-request.ts'
import { createWorkRepository, type Named, type OpenJob, type Sent } from './work.repository.ts'

type Answer = Extract<AgentMessage, { type: 'answer' }>

export interface JobWorkerParts {
  db: Kysely<Database>
  events: Events
  audit: AuditService
  gateway: Pick<AgentGateway, 'agents' | 'send'>
  /** Returns those of the people who may manage the edges of a project. */
  managersAmong: (projectId: string, personIds: readonly string[]) => Promise<readonly string[]>
  clock: Pick<Clock, 'noteDatabase' | 'hasStepped'>
  log: Log
}

/** The topic of a project's jobs. */
export const jobTopic = (projectId: string) => `/projects/${projectId}/edge-jobs`

/** Event that informs all nodes of jobs that have begun or ended, and of edges whose waiting lines have changed. */
export const jobsDue = ({ jobs = [], edges = [] }: Partial<Named>) => ({
  topic: edgeNodeTopic,
  name: 'edge:jobs-due',
  data: { jobs, edges },
})

export const publishJobChange = (emit: Emit, projectId: string, ...jobs: string[]): Promise<void> =>
  emit({ topic: jobTopic(projectId), name: 'edge:jobs', data: { jobs } })

/**
 * Milliseconds from an event to the check that it causes, so that several events share one check; then milliseconds
 * between rounds over all unfinished jobs.
 */
const soon = 200
const usually = 10_000

/** Lines per event. Every node reads each event, so events must stay small. */
const sentAtOnce = 100

/** Milliseconds for which a node tries to deliver. Afterwards the line is claimed again. */
const deliveryTime = 30_000

const dueEvent = z.object({ jobs: z.array(z.string()), edges: z.array(z.string()) })
const begunEvent = z.object({ edges: z.array(z.object({ id: z.string() })) })
const sentEvent = z.object({
  job: z.string(),
  sent: z.array(z.object({ id: z.string(), connection: z.string() })),
})

/**
 * Sends the commands of jobs to connected edges and ends their lines. The database has all state, and one node at a
 * time works on a job, so any node can continue the work of another. An event names the jobs or edges that are due;
 * only the round looks at all unfinished jobs.
 */
export function createJobWorker({ db, events, audit, gateway, managersAmong, clock, log }: JobWorkerParts) {
  /** Jobs with a line whose state has changed on this node. */
  const answered = new Set<string>()
  const due = { jobs: new Set<string>(), edges: new Set<string>() }
  /** The last job of the round that this round has looked at: null at its start, undefined between rounds. */
  let position: string | null | undefined
  let isStopped = false
  let soonTimer: NodeJS.Timeout | undefined
  let usualTimer: NodeJS.Timeout | undefined
  let working: Promise<void> | undefined

  events.listen(({ topic, name, data }) => {
    if (topic !== edgeNodeTopic) return
    if (name === 'edge:jobs-due') checkSoon(dueEvent.parse(data))
    // Newly connected agents receive waiting commands, and the requests for outcomes.
    if (name === 'edge:begun') checkSoon({ edges: begunEvent.parse(data).edges.map(({ id }) => id) })
    if (name !== 'edge:job-sent') return
    const { job, sent } = sentEvent.parse(data)
    deliver(job, sent).catch((err: unknown) =>
      log.warn({ err, job }, 'the command of a job could not be sent; retrying'),
    )
  })

  async function send(emit: Emit, job: string, sent: readonly Sent[]): Promise<void> {
    for (let from = 0; from < sent.length; from += sentAtOnce)
      await emit({
        topic: edgeNodeTopic,
        name: 'edge:job-sent',
        data: { job, sent: sent.slice(from, from + sentAtOnce) },
      })
  }

  const mayManage = async (projectId: string, createdBy: string | null): Promise<boolean> =>
    createdBy !== null && (await managersAmong(projectId, [createdBy])).length > 0

  /**
   * Sends claimed lines to the agents of this node. The line, the project of its edge and the creator's permission are
   * checked immediately before. An agent that has acknowledged a command never receives it again.
   */
  async function deliver(jobId: string, sent: readonly Sent[]): Promise<void> {
    const here = new Set(gateway.agents().map(({ connection }) => connection))
    const own = sent.filter(({ connection }) => here.has(connection))
    if (own.length === 0) return
    const found = await whenAnswered(async () => {
      const job = await createWorkRepository(db).deliverable(jobId, own)
      return job && { ...job, isAllowed: await mayManage(job.projectId, job.createdBy) }
    }, deliveryTime)
    if (found === undefined) return
    const { lines, command, isAllowed } = found
    for (const { id, edgeId, isReceived } of lines)
      if (isReceived)
        void gateway.send(edgeId, { type: 'command', id, command: outcomeRequest, isRepeated: true })
      else if (isAllowed) void gateway.send(edgeId, { type: 'command', id, command, isRepeated: true })
    if (!isAllowed) checkSoon({ jobs: [jobId] })
  }

  /**
   * Continues a job. Returns whether another node is working on it. The transaction began after `from`, by
   * `performance.now()`.
   */
  async function workOn(
    trx: Transaction<Database>,
    emit: Emit,
    { id, projectId }: OpenJob,
    { isAllowed, from }: { isAllowed: boolean; from: number },
  ): Promise<boolean> {
    const within = createWorkRepository(trx)
    const job = await within.lock(id)
    if (job === undefined) return true
    clock.noteDatabase(job.at, from)
    let changed = answered.delete(id) ? 1 : 0
    changed += await within.endGone(id)
    if (!clock.hasStepped()) {
      changed += await within.endSilent(id)
      if (job.isExpired) changed += await within.expire(id)
    }

    const stop = async (reason: 'failures' | 'noRight') => {
      const cancelled = await within.stop(id, reason)
      changed += cancelled
      if (cancelled === 0) return
      const detail = { reason, edges: cancelled }
      await audit
        .within(trx)
        .record({ event: 'edge-job.stopped', result: 'success', target: id, projectId, detail })
    }
    const { failed } = await within.counts(id)
    if (job.stopAfter !== null && failed >= job.stopAfter) await stop('failures')
    if (!isAllowed) await stop('noRight')

    const outcomes = await within.claimOutcomes(id)
    const room = job.atOnce - (await within.busy(id))
    const sent = [...outcomes, ...(room > 0 ? await within.claim(id, room) : [])]
    await send(emit, id, sent)
    changed += sent.length
    const isOver = (await within.counts(id)).open === 0
    if (isOver) await within.finish(id)
    if (isOver || changed > 0) await publishJobChange(emit, projectId, id)
    return false
  }

  /** Takes the jobs of all events so far, or the next page of the round. Undefined if nothing is due. */
  async function nextJobs(): Promise<OpenJob[] | undefined> {
    const within = createWorkRepository(db)
    if (due.jobs.size > 0 || due.edges.size > 0) {
      const named = { jobs: [...due.jobs], edges: [...due.edges] }
      due.jobs.clear()
      due.edges.clear()
      return within.named(named)
    }
    if (position === undefined) return undefined
    const { jobs, last } = await within.page(position)
    position = last
    return jobs
  }

  async function check(): Promise<void> {
    const busy: string[] = []
    for (let jobs = await nextJobs(); jobs !== undefined; jobs = await nextJobs())
      for (const job of jobs) {
        if (isStopped) return
        // Checked before the transaction, because the check would need a second connection.
        const isAllowed = await mayManage(job.projectId, job.createdBy)
        const from = performance.now()
        const isBusy = await events.transaction((trx, emit) => workOn(trx, emit, job, { isAllowed, from }))
        if (isBusy) busy.push(job.id)
      }
    if (busy.length > 0) checkSoon({ jobs: busy })
  }

  function run(): void {
    working ??= asWork('edge jobs', check)
      .catch((err: unknown) => log.warn({ err }, 'the jobs of edges could not be continued; retrying'))
      .finally(() => {
        working = undefined
      })
  }

  function checkSoon({ jobs = [], edges = [] }: Partial<Named>): void {
    for (const job of jobs) due.jobs.add(job)
    for (const edge of edges) due.edges.add(edge)
    if (isStopped) return
    soonTimer ??= setTimeout(() => {
      soonTimer = undefined
      run()
    }, soon)
  }

  return {
    /** Handles the answer of an agent of this node. */
    async onAnswer(agent: Agent, answer: Answer): Promise<void> {
      const found =
        (await createWorkRepository(db).addAnswer(agent, answer)) ??
        (await db.transaction().execute(async (trx) => {
          const within = createWorkRepository(trx)
          return (await within.reopen(agent, answer)) ? within.addAnswer(agent, answer) : undefined
        }))
      if (found?.isChanged !== true) return
      answered.add(found.jobId)
      // After the outcome, the edge can receive the command of another job.
      checkSoon({ jobs: [found.jobId], edges: answer.outcome === undefined ? [] : [agent.edgeId] })
    },

    start(): void {
      usualTimer = setInterval(() => {
        position ??= null
        run()
      }, usually)
    },

    async stop(): Promise<void> {
      isStopped = true
      clearTimeout(soonTimer)
      clearInterval(usualTimer)
      await working
    },
  }
}
