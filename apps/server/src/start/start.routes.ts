import { id, type Project, startEndpoints } from '@pult/contract'
import type { FastifyInstance } from 'fastify'
import { AppError } from '#platform/app-error.ts'
import { type Caller, route } from '#platform/http/route.ts'
import { signedIn } from '../auth/permissions.ts'
import { credentialsOf } from '../auth/session/credentials.ts'
import type { ReadFragments } from '../extensions/fragments.ts'
import type { ProjectService } from '../projects/project.service.ts'
import type { SettingsService } from '../settings/settings.service.ts'

interface StartParts {
  projects: ProjectService
  settings: SettingsService
  readFragments: ReadFragments
}

/** Serves all data of a console's startup in one answer, so that it needs one round trip. */
export function addStartRoutes(
  app: FastifyInstance,
  { projects, settings, readFragments }: StartParts,
): void {
  async function activeProject(caller: Caller, asked: string | undefined): Promise<Project | null> {
    if (id.safeParse(asked).success && asked !== undefined) {
      const project = await projects.read(caller, asked).catch(nullIfNotFound)
      if (project !== null) return project
    }
    const { items } = await projects.list(caller, { limit: '1' })
    return items[0] ?? null
  }

  route(app, startEndpoints.read, { allow: signedIn }, async ({ caller, query, language }) => {
    const [project, ownSettings] = await Promise.all([
      activeProject(caller, query.project),
      settings.read(caller),
    ])
    return {
      credentials: credentialsOf(caller),
      settings: ownSettings,
      project,
      fragments: project === null ? [] : readFragments(caller, project, language),
      rootFragments: readFragments(caller, null, language),
    }
  })
}

function nullIfNotFound(error: unknown): null {
  if (error instanceof AppError && error.code === 'NOT_FOUND') return null
  throw error
}
