import { AppError } from '#platform/app-error.ts'
import type { Caller, Permission } from '#platform/http/route.ts'
import { tokenOf } from '../../auth/session/bearer.ts'
import type { ProjectService } from '../../projects/project.service.ts'
import type { TokenHolder } from './task-token.repository.ts'
import type { TaskTokenService } from './task-token.service.ts'

/** A service that drives tasks, as a caller. */
export interface TaskDriver extends TokenHolder {
  kind: 'task-driver'
}

interface TaskDriverParts {
  tokens: Pick<TaskTokenService, 'holderOf'>
  projects: Pick<ProjectService, 'isVisible'>
}

/** Permissions for calls with a task token. All other calls reject these tokens. */
export function createTaskDriverPermissions({ tokens, projects }: TaskDriverParts) {
  async function driverOf(request: Parameters<typeof tokenOf>[0] | undefined): Promise<TaskDriver | null> {
    const token = request && tokenOf(request)
    const holder = token === undefined ? undefined : await tokens.holderOf(token)
    return holder === undefined ? null : { kind: 'task-driver', ...holder }
  }

  /** A service with a token of the project in the path. */
  const driver: Permission<TaskDriver> = {
    name: 'task token of the project',
    credentials: ['taskToken'],
    async decide(caller, { projectId = '' }, request) {
      const known = await driverOf(request)
      if (known === null) {
        if (caller === null) throw new AppError('UNAUTHENTICATED')
        throw new AppError((await projects.isVisible(caller, projectId)) ? 'FORBIDDEN' : 'NOT_FOUND')
      }
      if (known.projectId !== projectId) throw new AppError('NOT_FOUND')
      return known
    },
  }

  /** A signed-in user or a service, for calls whose body names the project. */
  const signedInOrDriver: Permission<Caller | TaskDriver> = {
    name: 'signed in, or a task token of the project',
    credentials: ['session', 'taskToken'],
    async decide(caller, _params, request) {
      const known = caller ?? (await driverOf(request))
      if (known === null) throw new AppError('UNAUTHENTICATED')
      return known
    },
  }

  return { driver, signedInOrDriver }
}

export const isTaskDriver = (caller: Caller | TaskDriver): caller is TaskDriver => 'kind' in caller
