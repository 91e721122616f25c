import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import { projectColumns, type TaskOfProjectRow, taskColumns } from './task.ts'

/** Failed tasks that are still listed count as problems for a day, unless another task repeats them. */
const isProblem = sql`
  t.state in ('rejected', 'timed-out') and t.archived_at is null and t.retry_id is null and t.fulfilled_at > now() - interval '24 hours'`

/** `projectIds` is a query of the projects that the caller may see. */
const failedIn = (projectIds: RawBuilder<unknown>) => sql`${isProblem} and t.project_id in (${projectIds})`

/** Queries running and failed tasks. */
export function createFailedTasks(db: Db) {
  return {
    /** Returns the failed tasks that ended first. */
    async oldest(projectIds: RawBuilder<unknown>, most: number): Promise<TaskOfProjectRow[]> {
      const { rows } = await sql<TaskOfProjectRow>`
        select ${taskColumns}, ${projectColumns}
        from task t join project on project.id = t.project_id left join person creator on creator.id = t.created_by
        where ${failedIn(projectIds)} order by t.fulfilled_at, t.id limit ${most}::int`.execute(db)
      return rows
    },

    async counts(
      projectIds: RawBuilder<unknown>,
    ): Promise<{ projectId: string; kind: 'taskFailed'; count: number; since: Date }[]> {
      const { rows } = await sql<{ projectId: string; kind: 'taskFailed'; count: number; since: Date }>`
        select t.project_id as "projectId", 'taskFailed' as kind, count(*), min(t.fulfilled_at) as since
        from task t where ${failedIn(projectIds)} group by t.project_id`.execute(db)
      return rows
    },

    /** Counts the running tasks of each project. */
    async running(projectIds: RawBuilder<unknown>): Promise<ReadonlyMap<string, number>> {
      const { rows } = await sql<{ id: string; count: number }>`
        select t.project_id as id, count(*) from task t
        where t.fulfilled_at is null and t.project_id in (${projectIds}) group by t.project_id`.execute(db)
      return new Map(rows.map(({ id, count }) => [id, count]))
    },

    /** Returns when a task of the project last failed, including archived ones. */
    async lastFailure(projectId: string): Promise<Date | null> {
      const { rows } = await sql<{ at: Date | null }>`
        select max(fulfilled_at) as at from task
        where project_id = ${projectId}::uuid and state in ('rejected', 'timed-out')`.execute(db)
      return rows[0]?.at ?? null
    },
  }
}
