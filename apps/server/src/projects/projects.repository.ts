import { defaultConsoleColor, type Project } from '@pult/contract'
import type { Db } from '#platform/database/database.ts'
import type { Caller } from '#platform/http/route.ts'

export function createProjectsRepository(db: Db) {
  /** Projects the caller owns, those of an organisation the caller owns, and all for root. */
  const visibleTo = (caller: Caller) =>
    db
      .selectFrom('project')
      .leftJoin('organisation', 'organisation.id', 'project.organisation_id')
      .where((eb) =>
        caller.isRoot
          ? eb.lit(true)
          : eb.or([
              eb('project.owner_id', '=', caller.personId),
              eb('organisation.owner_id', '=', caller.personId),
            ]),
      )

  return {
    async list(caller: Caller): Promise<Project[]> {
      const rows = await visibleTo(caller)
        .select([
          'project.id',
          'project.label',
          'project.organisation_id',
          'project.owner_id',
          'project.config',
        ])
        .orderBy('project.created_at')
        .orderBy('project.id')
        .execute()
      return rows.map((row) => ({
        _id: row.id,
        label: row.label,
        org: row.organisation_id,
        owner: row.owner_id,
        config: { consoleColor: row.config.consoleColor ?? defaultConsoleColor },
      }))
    },

    async isVisible(caller: Caller, projectId: string): Promise<boolean> {
      const row = await visibleTo(caller)
        .select('project.id')
        .where('project.id', '=', projectId)
        .executeTakeFirst()
      return row !== undefined
    },
  }
}
export type ProjectsRepository = ReturnType<typeof createProjectsRepository>
