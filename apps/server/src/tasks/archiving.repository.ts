import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import { restorableFor } from '#platform/database/removed-records.ts'
import { isExactly, type TaskPlace } from './task.repository.ts'

/** A task before it was archived, or after it was restored. */
export interface ArchivedTask {
  id: string
  project_id: string
  title: string
  type: string
  kind: string
  state: string
  error: string | null
  file_id: string | null
  created_at: Date
  fulfilled_at: Date
  created_by: string | null
}

/** One call that archives tasks of a project. */
export interface Archiving {
  id: string
  projectId: string
  personId: string
}

/** Whose tasks a caller archives and restores: all, or those of one creator. */
export interface WhoseTasks {
  createdBy?: string | undefined
}

/** Tasks in one transaction. */
const batch = 1000

/** Ended tasks are archived automatically after this time. */
const listedFor = sql`interval '30 days'`

const isRestorable = sql`at > now() - ${restorableFor}`

const ofCreator = ({ createdBy }: WhoseTasks) =>
  createdBy === undefined ? sql`true` : sql`created_by = ${createdBy}::uuid`

/** Archives ended tasks, and restores them within the time for undo. */
export function createArchivingRepository(db: Db) {
  async function archive(
    which: RawBuilder<unknown>,
    { canRestore, archivingId }: { canRestore: boolean; archivingId: string | null },
  ): Promise<ArchivedTask[]> {
    const { rows } = await sql<ArchivedTask>`
      with ended as (
        select * from task where archived_at is null and fulfilled_at is not null and ${which}
      )
      update task set archived_at = now(), archiving_id = ${archivingId}::uuid, revision = task.revision + 1
        ${canRestore ? sql`` : sql`, created_by = null, file_id = null`}
      from ended where task.id = ended.id and task.archived_at is null
      returning task.id, task.project_id, task.title, task.type, task.kind, task.state, task.error, ended.file_id,
        task.created_at, task.fulfilled_at, ended.created_by`.execute(db)
    return rows
  }

  return {
    async begin({ id, projectId, personId }: Archiving): Promise<void> {
      await sql`
        insert into task_archiving (id, project_id, person_id)
        values (${id}::uuid, ${projectId}::uuid, ${personId}::uuid) on conflict do nothing`.execute(db)
    },

    /** Locks the call against its undo until the transaction ends. Returns false if it has ended. */
    async hold({ id, projectId, personId }: Archiving): Promise<boolean> {
      const { rows } = await sql`
        select from task_archiving where id = ${id}::uuid and project_id = ${projectId}::uuid
          and person_id = ${personId}::uuid and ended_at is null for share`.execute(db)
      return rows.length > 0
    },

    /** Ends the call after its running transaction. Returns false if it can no longer be undone. */
    async undo({ id, projectId, personId }: Archiving): Promise<boolean> {
      const { numAffectedRows } = await sql`
        update task_archiving set ended_at = coalesce(ended_at, now()) where id = ${id}::uuid
          and project_id = ${projectId}::uuid and person_id = ${personId}::uuid and ${isRestorable}`.execute(
        db,
      )
      return numAffectedRows === 1n
    },

    /** Archives a batch of a project's ended tasks. Returns them as they were before. */
    archive: (
      { id, projectId }: Archiving,
      { taskId, ...whose }: WhoseTasks & { taskId?: string | undefined },
    ): Promise<ArchivedTask[]> =>
      archive(
        sql`${isExactly(sql`project_id`, sql`${projectId}::uuid`)}
          and ${taskId === undefined ? sql`true` : sql`id = ${taskId}::uuid`} and ${ofCreator(whose)}
        order by project_id, id limit ${batch}::int for no key update`,
        { canRestore: true, archivingId: id },
      ),

    /** Archives tasks that ended long ago and are still listed, in all projects. They cannot be restored. */
    archiveLeft: (): Promise<ArchivedTask[]> =>
      archive(
        sql`fulfilled_at < now() - ${listedFor} order by fulfilled_at limit ${batch}::int
          for no key update skip locked`,
        { canRestore: false, archivingId: null },
      ),

    /** Restores a batch of archived tasks: one task, or those of one call. */
    async restore(
      which: TaskPlace | Pick<Archiving, 'id' | 'projectId'>,
      whose: WhoseTasks,
    ): Promise<ArchivedTask[]> {
      const { rows } = await sql<ArchivedTask>`
        with back as (
          select id from task where project_id = ${which.projectId}::uuid and ${ofCreator(whose)}
            and ${
              'taskId' in which
                ? sql`id = ${which.taskId}::uuid and exists (
                    select from task_archiving where task_archiving.id = archiving_id and ${isRestorable})`
                : sql`archiving_id = ${which.id}::uuid`
            }
          order by id limit ${batch}::int for no key update
        )
        update task set archived_at = null, archiving_id = null, revision = task.revision + 1
        from back where task.id = back.id and task.archiving_id is not null
        returning task.id, task.project_id, task.title, task.type, task.kind, task.state, task.error, task.file_id,
          task.created_at, task.fulfilled_at, task.created_by`.execute(db)
      return rows
    },

    /** Ends the calls that can no longer be undone, and returns their ids. */
    async over(): Promise<string[]> {
      const { rows } = await sql<{ id: string }>`
        update task_archiving set ended_at = coalesce(ended_at, now()) where not (${isRestorable}) returning id`.execute(
        db,
      )
      return rows.map(({ id }) => id)
    },

    /** Deletes creator and file of a batch of tasks of an archiving call that can no longer be undone. */
    async clear(archivingId: string): Promise<{ file_id: string | null }[]> {
      const { rows } = await sql<{ file_id: string | null }>`
        with archived as (
          select id, file_id from task where archiving_id = ${archivingId}::uuid
          order by id limit ${batch}::int for no key update
        )
        update task set created_by = null, file_id = null, archiving_id = null
        from archived where task.id = archived.id and task.archiving_id is not null
        returning archived.file_id`.execute(db)
      return rows
    },

    async remove(archivingId: string): Promise<void> {
      await sql`delete from task_archiving where id = ${archivingId}::uuid`.execute(db)
    },
  }
}
export type ArchivingRepository = ReturnType<typeof createArchivingRepository>
