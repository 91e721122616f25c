import type { AgentMessage, EdgeCommand } from '@pult/contract'
import type { Kysely, Transaction } from 'kysely'
import * as z from 'zod'
import type { Database } from '#platform/database/schema.ts'
import type { Log } from '#platform/log.ts'
import type { Emit, Events } from '#platform/realtime/events.ts'
import type { AuditService } from '../../audit/audit.service.ts'
import type { Agent, AgentGateway } from '../agents/agent-gateway.ts'
import { edgeNodeTopic } from '../edge-topic.ts'
import { createWorkRepository, type OpenJob, type Sent } from './work.repository.ts'

type Answer = Extract<AgentMessage, { type: 'answer' }>

export interface JobWorkerParts {
  db: Kysely<Database>
  events: Events
  audit: AuditService
  gateway: Pick<AgentGateway, 'send'>
  /** Returns those of the people who may manage the edges of a project. */
  managersAmong: (projectId: string, personIds: readonly string[]) => Promise<readonly string[]>
  log: Log
}

/** The topic of a project's jobs. */
export const jobTopic = (projectId: string) => `/projects/${projectId}/edge-jobs`

/** Event that informs all nodes of a started or cancelled job. */
export const jobBegun = { topic: edgeNodeTopic, name: 'edge:job-begun', data: {} }

export const publishJobChange = (emit: Emit, projectId: string, ...jobs: string[]): Promise<void> =>
  emit({ topic: jobTopic(projectId), name: 'edge:jobs', data: { jobs } })

/**
 * Milliseconds from an event to the check that it causes, so that several events share one check; then milliseconds
 * between checks without an event.
 */
const soon = 200
const usually = 10_000

/** Lines per event. Every node reads each event, so events must stay small. */
const sentAtOnce = 100

const sentEvent = z.object({
  command: z.custom<EdgeCommand>((value) => typeof value === 'object' && value !== null),
  sent: z.array(z.object({ id: z.string(), edgeId: z.string() })),
})

/**
 * Sends the commands of jobs to connected edges and ends their lines. The database has all state, and one node at a
 * time works on a job, so any node can continue the work of another.
 */
export function createJobWorker({ db, events, audit, gateway, managersAmong, log }: JobWorkerParts) {
  /** Jobs with a line that has received its outcome on this node. */
  const answered = new Set<string>()
  let isStopped = false
  let soonTimer: NodeJS.Timeout | undefined
  let usualTimer: NodeJS.Timeout | undefined
  let working: Promise<void> = Promise.resolve()

  events.listen(({ topic, name, data }) => {
    if (topic !== edgeNodeTopic) return
    // Newly connected agents receive waiting commands, and the commands that they were executing.
    if (name === 'edge:begun' || name === jobBegun.name) checkSoon()
    if (name !== 'edge:job-command') return
    const { command, sent } = sentEvent.parse(data)
    for (const { id, edgeId } of sent)
      void gateway.send(edgeId, { type: 'command', id, command, isRepeated: true })
  })

  async function send(emit: Emit, command: EdgeCommand, sent: readonly Sent[]): Promise<void> {
    for (let from = 0; from < sent.length; from += sentAtOnce)
      await emit({
        topic: edgeNodeTopic,
        name: 'edge:job-command',
        data: { command, sent: sent.slice(from, from + sentAtOnce) },
      })
  }

  /** Continues a job. Returns whether another node is working on it. */
  async function workOn(
    trx: Transaction<Database>,
    emit: Emit,
    { id, projectId }: OpenJob,
    mayManage: boolean,
  ): Promise<boolean> {
    const within = createWorkRepository(trx)
    const job = await within.lock(id)
    if (job === undefined) return true
    let changed = answered.delete(id) ? 1 : 0
    changed += await within.endLost(id)
    if (job.isExpired) changed += await within.expire(id)

    const stop = async (reason: 'failures' | 'noRight') => {
      const cancelled = await within.stop(id, reason)
      changed += cancelled
      if (cancelled === 0) return
      const detail = { reason, edges: cancelled }
      await audit
        .within(trx)
        .record({ event: 'edge-job.stopped', result: 'success', target: id, projectId, detail })
    }
    const before = await within.counts(id)
    if (job.stopAfter !== null && before.failed >= job.stopAfter) await stop('failures')
    if (!mayManage) await stop('noRight')

    const sent = [
      ...(await within.claimAgain(id)),
      ...(before.running < job.atOnce ? await within.claim(id, job.atOnce - before.running) : []),
    ]
    await send(emit, job.command, sent)
    changed += sent.length
    const { waiting, running } = await within.counts(id)
    const isOver = waiting === 0 && running === 0
    if (isOver) await within.finish(id)
    if (isOver || changed > 0) await publishJobChange(emit, projectId, id)
    return false
  }

  async function check(): Promise<void> {
    const jobs = await createWorkRepository(db).open()
    for (const job of jobs) {
      const { createdBy, projectId } = job
      // Checked before the transaction, because the check would need a second connection.
      const managers = createdBy === null ? [] : await managersAmong(projectId, [createdBy])
      const isBusy = await events.transaction((trx, emit) => workOn(trx, emit, job, managers.length > 0))
      if (isBusy) checkSoon()
    }
  }

  function run(): void {
    working = working
      .then(check)
      .catch((err: unknown) => log.warn({ err }, 'the jobs of edges could not be continued; retrying'))
  }

  function checkSoon(): void {
    if (isStopped) return
    soonTimer ??= setTimeout(() => {
      soonTimer = undefined
      run()
    }, soon)
  }

  return {
    /** Handles the answer of an agent of this node. */
    async onAnswer(agent: Agent, answer: Answer): Promise<void> {
      const jobId = await createWorkRepository(db).addAnswer(agent, answer)
      if (jobId === undefined) return
      answered.add(jobId)
      checkSoon()
    },

    start(): void {
      usualTimer = setInterval(run, usually)
    },

    async stop(): Promise<void> {
      isStopped = true
      clearTimeout(soonTimer)
      clearInterval(usualTimer)
      await working
    },
  }
}
