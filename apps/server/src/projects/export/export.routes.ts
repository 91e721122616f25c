import { type BodyOf, projectTaskEndpoints, type Task } from '@pult/contract'
import type { FastifyInstance } from 'fastify'
import type { Transaction } from 'kysely'
import { AppError } from '#platform/app-error.ts'
import { createOnce } from '#platform/database/idempotency.ts'
import type { Database } from '#platform/database/schema.ts'
import { type Caller, route } from '#platform/http/route.ts'
import type { Emit, Events } from '#platform/realtime/events.ts'
import type { AuditService } from '../../audit/audit.service.ts'
import { requireRecentSignIn, signedIn } from '../../auth/permissions.ts'
import type { RetryKind, RetryOrder, TaskService } from '../../tasks/task.service.ts'
import type { ProjectService } from '../project.service.ts'
import { type ExportPayload, exportType } from './project-export.ts'

interface ExportRoutesParts {
  events: Events
  audit: AuditService
  projects: Pick<ProjectService, 'checkEdited'>
  tasks: Pick<TaskService, 'start' | 'taskOf'>
}

type ExportBody = BodyOf<typeof projectTaskEndpoints.export>

/** Milliseconds. The payload is small, so a failed export can be retried as long as it is listed. */
const retryFor = 30 * 24 * 3_600_000

/** Starts the export of a project, for callers who may edit it and signed in recently. */
export function createStartExport({ events, audit, projects, tasks }: ExportRoutesParts) {
  async function check(caller: Caller, projectId: string) {
    const project = await projects.checkEdited(caller, projectId)
    requireRecentSignIn(caller)
    return project
  }

  const order = async (
    trx: Transaction<Database>,
    emit: Emit,
    { projectId, title, payload: given, caller, address }: Omit<RetryOrder, 'taskId'>,
  ): Promise<Task> => {
    const payload = given as ExportPayload
    const createdBy = caller.personId
    const task = await tasks.start(trx, emit, {
      type: exportType,
      projectId,
      title,
      payload,
      createdBy,
      retryFor,
    })
    await audit.within(trx).record({
      event: 'project.exported',
      result: 'success',
      actorId: caller.personId,
      target: projectId,
      projectId,
      address,
      detail: { task: task._id, ...payload },
    })
    return task
  }

  return {
    async start(
      caller: Caller,
      { projectId, without = [] }: { projectId: string } & ExportBody,
      address: string,
      key?: string,
    ): Promise<Task> {
      const { label: title } = await check(caller, projectId)
      const payload: ExportPayload = { without }
      const path = `/projects/${projectId}/export`
      const { id } = await events.transaction((trx, emit) =>
        createOnce(trx, { personId: caller.personId, path, key, body: payload }, async () => {
          const { _id } = await order(trx, emit, { projectId, title, payload, caller, address })
          return _id
        }),
      )
      const task = await tasks.taskOf(id)
      if (task === undefined) throw new AppError('NOT_FOUND')
      return task
    },
    retry: { check, order } satisfies RetryKind,
  }
}
export type StartExport = ReturnType<typeof createStartExport>

export function addExportRoutes(app: FastifyInstance, { start }: StartExport): void {
  route(
    app,
    projectTaskEndpoints.export,
    { allow: signedIn },
    ({ caller, params, body, address, idempotencyKey }) =>
      start(caller, { ...params, ...body }, address, idempotencyKey),
  )
}
