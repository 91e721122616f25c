import type {
  BodyOf,
  EdgeJob,
  EdgeJobChoices,
  EdgeJobLine,
  EdgeJobPreview,
  EdgeJobState,
  edgeJobEndpoints,
} from '@pult/contract'
import { limits } from '@pult/contract'
import type { Transaction } from 'kysely'
import { AppError } from '#platform/app-error.ts'
import { createOnce } from '#platform/database/idempotency.ts'
import type { Page, PageQuery } from '#platform/database/page.ts'
import type { Database } from '#platform/database/schema.ts'
import { requireRecentSignIn } from '#platform/http/recent-sign-in.ts'
import type { Caller } from '#platform/http/route.ts'
import type { Emit } from '#platform/realtime/events.ts'
import { lockProject } from '../lock-project.ts'
import { createJobRepository, type NewJob } from './job.repository.ts'
import { createJobWorker, type JobWorkerParts, jobsDue, publishJobChange } from './job-worker.ts'
import { createWorkRepository } from './work.repository.ts'

interface Who {
  caller: Pick<Caller, 'personId' | 'isRecent'>
  /** Undefined for the installation itself. */
  address?: string
}

interface Place {
  projectId: string
  jobId: string
}

const day = 86_400
const usualDays = 7
const usuallyAtOnce = 20

/** Jobs for the edges of projects. The routes have checked the caller's role. */
export function createEdgeJobs(parts: JobWorkerParts) {
  const { db, events, audit } = parts
  const jobs = createJobRepository(db)

  async function found({ projectId, jobId }: Place, from = jobs): Promise<EdgeJob> {
    const job = await from.find(projectId, jobId)
    if (job === undefined) throw new AppError('NOT_FOUND')
    return job
  }

  /** Returns the label of a group. Throws NOT_FOUND if the project does not have it. */
  async function groupLabelOf(
    projectId: string,
    target: BodyOf<typeof edgeJobEndpoints.preview>['target'],
    from = jobs,
  ): Promise<string | null> {
    if (!('group' in target)) return null
    const label = await from.groupLabel(projectId, target.group)
    if (label === undefined) throw new AppError('NOT_FOUND')
    return label
  }

  /** Starts a job in the transaction of its cause. */
  async function begin(
    trx: Transaction<Database>,
    emit: Emit,
    { caller, address }: Who,
    order: Omit<NewJob, 'personId'>,
    more: Record<string, unknown> = {},
  ): Promise<string> {
    const within = createJobRepository(trx)
    const { projectId, command, label } = order
    if (!(await lockProject(trx, projectId))) throw new AppError('NOT_FOUND')
    if ((await within.countOpen(projectId)) >= limits.openEdgeJobsMax)
      throw new AppError('TOO_MANY_EDGE_JOBS')
    const { id, total } = await within.add({ ...order, personId: caller.personId })
    if (total === 0) throw new AppError('EDGE_JOB_REACHES_NONE')
    // Only the lines show whether the job has several edges. This ends the transaction.
    if (total > 1) requireRecentSignIn(caller)
    await within.deleteOldest(projectId)
    await audit.within(trx).record({
      event: 'edge-job.started',
      result: 'success',
      actorId: caller.personId,
      target: id,
      projectId,
      ...(address !== undefined && { address }),
      detail: { ...(label !== null && { label }), command, edges: total, ...more },
    })
    await publishJobChange(emit, projectId, id)
    await emit(jobsDue({ jobs: [id] }))
    return id
  }

  return {
    begin,

    worker: createJobWorker(parts),

    choices: (projectId: string): Promise<EdgeJobChoices> => jobs.choices(projectId),

    async preview(
      projectId: string,
      { command, target }: BodyOf<typeof edgeJobEndpoints.preview>,
    ): Promise<EdgeJobPreview> {
      await groupLabelOf(projectId, target)
      return jobs.preview(projectId, command, target)
    },

    list: (projectId: string, query: PageQuery & { state?: 'open' | undefined }): Promise<Page<EdgeJob>> =>
      jobs.list(projectId, query),

    read: (place: Place): Promise<EdgeJob> => found(place),

    async lines(
      place: Place,
      query: PageQuery & { state?: EdgeJobState | undefined },
    ): Promise<Page<EdgeJobLine>> {
      await found(place)
      return jobs.lines(place.jobId, query)
    },

    async log({ projectId, jobId, lineId }: Place & { lineId: string }): Promise<{ lines: string[] }> {
      const lines = await jobs.log(projectId, jobId, lineId)
      if (lines === undefined) throw new AppError('NOT_FOUND')
      return { lines }
    },

    /**
     * @throws {AppError} EDGE_JOB_REACHES_NONE, TOO_MANY_EDGE_JOBS, RECENT_SIGN_IN_NEEDED, or NOT_FOUND for an unknown
     * group.
     */
    start: (
      who: Who,
      projectId: string,
      body: BodyOf<typeof edgeJobEndpoints.start>,
      key: string | undefined,
    ): Promise<EdgeJob> =>
      events.transaction(async (trx, emit) => {
        const within = createJobRepository(trx)
        const path = `/projects/${projectId}/edge-jobs`
        const { id: jobId } = await createOnce(
          trx,
          { personId: who.caller.personId, path, key, body },
          async () => {
            const { command, target, label = null, days = usualDays, atOnce = usuallyAtOnce } = body
            const groupLabel = await groupLabelOf(projectId, target, within)
            const order = { projectId, command, target, label, groupLabel, atOnce, seconds: days * day }
            return begin(trx, emit, who, { ...order, stopAfter: body.stopAfter ?? null })
          },
        )
        return found({ projectId, jobId }, within)
      }),

    cancel: (who: Who, place: Place): Promise<EdgeJob> =>
      events.transaction(async (trx, emit) => {
        const within = createJobRepository(trx)
        const { projectId, jobId } = place
        await found(place, within)
        const cancelled = await createWorkRepository(trx).stop(jobId, 'cancelled')
        if (cancelled > 0) {
          await audit.within(trx).record({
            event: 'edge-job.stopped',
            result: 'success',
            actorId: who.caller.personId,
            target: jobId,
            projectId,
            ...(who.address !== undefined && { address: who.address }),
            detail: { reason: 'cancelled', edges: cancelled },
          })
          await publishJobChange(emit, projectId, jobId)
          await emit(jobsDue({ jobs: [jobId] }))
        }
        return found(place, within)
      }),

    /** Starts a new job for the edges on which this one failed or expired, with the same lifetime and limits. */
    retry: (who: Who, { projectId, jobId }: Place, key: string | undefined): Promise<EdgeJob> =>
      events.transaction(async (trx, emit) => {
        const within = createJobRepository(trx)
        const path = `/projects/${projectId}/edge-jobs/${jobId}/retry`
        const { id } = await createOnce(
          trx,
          { personId: who.caller.personId, path, key, body: undefined },
          async () => {
            const former = await within.repeatable(projectId, jobId)
            if (former === undefined) throw new AppError('NOT_FOUND')
            const { isEnded, stopAfter, ...same } = former
            if (!isEnded) throw new AppError('EDGE_JOB_NOT_ENDED')
            const order = { ...same, projectId, target: { failedOf: jobId } }
            const failures = stopAfter === null ? null : { failures: stopAfter }
            return begin(trx, emit, who, { ...order, stopAfter: failures }, { retryOf: jobId })
          },
        )
        return found({ projectId, jobId: id }, within)
      }),
  }
}
