import { type BodyOf, projectTaskEndpoints, type Task } from '@pult/contract'
import type { FastifyInstance } from 'fastify'
import { type Caller, route } from '#platform/http/route.ts'
import type { Events } from '#platform/realtime/events.ts'
import type { AuditService } from '../../audit/audit.service.ts'
import { signedIn } from '../../auth/permissions.ts'
import type { TaskService } from '../../tasks/task.service.ts'
import type { ProjectService } from '../project.service.ts'
import { type ExportPayload, exportType } from './project-export.ts'

interface ExportRoutesParts {
  events: Events
  audit: AuditService
  projects: Pick<ProjectService, 'checkEdited'>
  tasks: Pick<TaskService, 'start'>
}

type ExportBody = BodyOf<typeof projectTaskEndpoints.export>

/** Has the export of a project begin, for those who may edit it. */
export function createStartExport({ events, audit, projects, tasks }: ExportRoutesParts) {
  return async (
    caller: Caller,
    { projectId, without = [] }: { projectId: string } & ExportBody,
    address: string,
  ): Promise<Task> => {
    const { label } = await projects.checkEdited(caller, projectId)
    const payload: ExportPayload = { without }
    return events.transaction(async (trx, emit) => {
      const task = await tasks.start(trx, emit, {
        type: exportType,
        projectId,
        title: label,
        payload,
        createdBy: caller.personId,
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
    })
  }
}
export type StartExport = ReturnType<typeof createStartExport>

export function addExportRoutes(app: FastifyInstance, startExport: StartExport): void {
  route(app, projectTaskEndpoints.export, { allow: signedIn }, ({ caller, params, body, address }) =>
    startExport(caller, { ...params, ...body }, address),
  )
}
