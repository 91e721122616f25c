import { taskDriverEndpoints, taskEndpoints, taskTokenEndpoints } from '@pult/contract'
import type { FastifyInstance } from 'fastify'
import { AppError } from '#platform/app-error.ts'
import { type Caller, type Permission, route } from '#platform/http/route.ts'
import { recently, signedIn } from '../auth/permissions.ts'
import type { ProjectService } from '../projects/project.service.ts'
import type { DriverService } from './driver.service.ts'
import type { RetryKind, TaskService } from './task.service.ts'
import type { TaskDriver } from './tokens/task-driver.ts'
import type { TaskTokenService } from './tokens/task-token.service.ts'

interface TaskRoutesParts {
  tasks: TaskService
  /** Kinds of tasks that can be retried, by type. */
  retryKinds: ReadonlyMap<string, RetryKind>
  drivers: DriverService
  tokens: TaskTokenService
  projects: Pick<ProjectService, 'isVisible' | 'checkEdited'>
  /** A service with a task token of the project. */
  driver: Permission<TaskDriver>
}

export function addTaskRoutes(app: FastifyInstance, parts: TaskRoutesParts): void {
  const { tasks, retryKinds, tokens, projects } = parts

  /** The service decides the permission per task (DEC-26). */
  const allow: Permission<Caller> = {
    name: 'reader of the project',
    async decide(caller, { projectId = '' }) {
      const known = await signedIn.decide(caller, {})
      if (!(await projects.isVisible(known, projectId))) throw new AppError('NOT_FOUND')
      return known
    },
  }

  /** The list is called often, so its query checks the permission as well. */
  const asking: Permission<Caller> = { name: allow.name, decide: (caller) => signedIn.decide(caller, {}) }

  route(app, taskEndpoints.list, { allow: asking }, ({ params, caller, query }) =>
    tasks.list(caller, params.projectId, query),
  )

  route(app, taskEndpoints.read, { allow }, ({ params, caller }) => tasks.read(caller, params))

  route(app, taskEndpoints.log, { allow }, async ({ params }) => {
    const items = await tasks.log(params)
    return { items, total: items.length }
  })

  route(app, taskEndpoints.abort, { allow }, ({ params, caller, address }) =>
    tasks.abort(caller, params, address),
  )

  route(app, taskEndpoints.retry, { allow }, ({ params, caller, address }) =>
    tasks.retry(caller, params, { address, kinds: retryKinds }),
  )

  route(app, taskEndpoints.archive, { allow }, async ({ params, caller, address }) => {
    await tasks.archive(caller, params, address)
    return true as const
  })

  route(app, taskEndpoints.archiveEnded, { allow }, async ({ params, query, caller, address }) => {
    await tasks.archiveEnded(caller, { ...params, ...query }, address)
    return true as const
  })

  route(app, taskEndpoints.restore, { allow }, ({ params, caller, address }) =>
    tasks.restore(caller, params, address),
  )

  route(app, taskEndpoints.restoreEnded, { allow }, async ({ params, caller, address }) => {
    await tasks.restoreEnded(caller, params, address)
    return true as const
  })

  route(app, taskEndpoints.mine, { allow: signedIn }, ({ caller, query }) => tasks.mine(caller, query))

  addDriverRoutes(app, parts)

  const editors: Permission<Caller> = {
    name: 'editor of the project',
    async decide(caller, { projectId = '' }) {
      const known = await signedIn.decide(caller, {})
      await projects.checkEdited(known, projectId)
      return known
    },
  }

  route(app, taskTokenEndpoints.list, { allow: editors }, async ({ params, caller }) => {
    const { items, types } = await tokens.list(caller, params.projectId)
    return { items, total: items.length, types }
  })

  route(
    app,
    taskTokenEndpoints.create,
    { allow: recently(editors) },
    ({ params, body, idempotencyKey, ...who }) => tokens.create(who, params.projectId, body, idempotencyKey),
  )

  route(app, taskTokenEndpoints.revoke, { allow: editors }, async ({ params, caller, address }) => {
    await tokens.revoke(caller, params.projectId, params.tokenId, address)
    return true as const
  })
}

function addDriverRoutes(app: FastifyInstance, { drivers, driver }: TaskRoutesParts): void {
  const options = { allow: driver }

  route(app, taskDriverEndpoints.create, options, ({ body, caller, idempotencyKey }) =>
    drivers.create(caller, body, idempotencyKey),
  )

  route(app, taskDriverEndpoints.report, options, ({ params, body, caller }) =>
    drivers.report(caller, params, body),
  )

  route(app, taskDriverEndpoints.reportAll, options, ({ body, caller }) => drivers.reportAll(caller, body))

  route(app, taskDriverEndpoints.appendLog, options, ({ params, body, caller }) =>
    drivers.appendLog(caller, params, body),
  )

  route(app, taskDriverEndpoints.fulfil, options, ({ params, body, caller }) =>
    drivers.fulfil(caller, params, body),
  )

  route(app, taskDriverEndpoints.reject, options, ({ params, body, caller }) =>
    drivers.reject(caller, params, body),
  )
}
