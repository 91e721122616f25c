import type { Kysely } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { AppError } from '#platform/app-error.ts'
import type { Database } from '#platform/database/schema.ts'
import type { Caller } from '#platform/http/route.ts'
import type { Log } from '#platform/log.ts'
import type { Emit, Events } from '#platform/realtime/events.ts'
import { whenAnswered } from '#platform/transient.ts'
import type { AuditEvent, AuditService } from '../audit/audit.service.ts'
import type { Files } from '../files/file-store.ts'
import {
  type ArchivedTask,
  type Archiving,
  type ArchivingRepository,
  createArchivingRepository,
  type WhoseTasks,
} from './archiving.repository.ts'
import type { TaskPlace } from './task.repository.ts'
import { taskTopicOf } from './task.ts'

interface TaskArchivingParts {
  db: Kysely<Database>
  events: Events
  audit: AuditService
  files: Pick<Files, 'release' | 'withhold' | 'restore'>
  log: Log
  /** Returns whose tasks of the project the caller may end. Throws NOT_FOUND if the caller may not see the project. */
  whose(caller: Caller, projectId: string): Promise<WhoseTasks>
  /** Batches of ended tasks that one call archives or restores before its answer. */
  batchesPerCall?: number
}

/** Batches of old tasks per clean-up: 50,000 tasks an hour. */
const archivingsAtOnce = 50

/** Archives ended tasks. A user can undo it for 10 minutes (DEC-20). */
export function createTaskArchiving({
  db,
  events,
  audit,
  files,
  log,
  whose,
  batchesPerCall = 20,
}: TaskArchivingParts) {
  /**
   * Changes one batch and returns the number of its tasks. The audit log records the tasks and the user; null stands
   * for the retention period. The number of statements does not depend on the number of tasks.
   */
  function change(
    event: Extract<AuditEvent, 'task.archived' | 'task.restored'>,
    by: { personId: string; address: string } | null,
    some: (from: ArchivingRepository) => Promise<ArchivedTask[]>,
  ): Promise<number> {
    return events.transaction(async (trx, emit) => {
      const tasks = await some(createArchivingRepository(trx))
      if (tasks.length === 0) return 0
      await audit.within(trx).record(
        ...tasks.map((task) => ({
          event,
          result: 'success' as const,
          target: task.id,
          projectId: task.project_id,
          ...(by !== null && { actorId: by.personId, address: by.address }),
          detail: remembered(task),
        })),
      )
      const results = tasks.flatMap(({ file_id }) => file_id ?? [])
      if (event === 'task.restored') {
        await emitRestored(emit, tasks)
        await files.restore(trx, results)
        return tasks.length
      }
      await emit(
        ...tasks.map(({ id, project_id }) => ({
          topic: taskTopicOf(project_id),
          name: 'task:archived',
          data: { _id: id },
        })),
      )
      if (by === null) await files.release(trx, results)
      else await files.withhold(trx, results)
      return tasks.length
    })
  }

  const archive = (
    archiving: Archiving,
    address: string,
    which: WhoseTasks & { taskId?: string },
  ): Promise<number> =>
    change('task.archived', { personId: archiving.personId, address }, async (from) =>
      (await from.hold(archiving)) ? from.archive(archiving, which) : [],
    )

  /**
   * Runs batches until one is empty. After `batchesPerCall` batches the caller receives its answer and the rest runs in
   * the background. The caller cannot see an error there, so the server retries.
   */
  async function inBatches(next: () => Promise<number>): Promise<void> {
    for (let times = 0; times < batchesPerCall; times += 1) if ((await next()) === 0) return
    const rest = async () => {
      while ((await whenAnswered(next)) > 0);
    }
    void rest().catch((err: unknown) =>
      log.error({ err }, 'the rest of the tasks could not be archived or restored'),
    )
  }

  return {
    /** Archives an ended task that the caller may end. */
    async archive(caller: Caller, { projectId, taskId }: TaskPlace, address: string): Promise<void> {
      const archiving = { id: uuidv7(), projectId, personId: caller.personId }
      await createArchivingRepository(db).begin(archiving)
      if ((await archive(archiving, address, { taskId })) === 0) throw new AppError('NOT_FOUND')
    },

    /**
     * Archives the ended tasks that the caller may end. One call archives up to 20,000; the rest follows in the
     * background, and remains listed if this node stops.
     */
    async archiveEnded(
      caller: Caller,
      { projectId, archivingId = uuidv7() }: { projectId: string; archivingId?: string | undefined },
      address: string,
    ): Promise<void> {
      const which = await whose(caller, projectId)
      const archiving = { id: archivingId, projectId, personId: caller.personId }
      await createArchivingRepository(db).begin(archiving)
      await inBatches(() => archive(archiving, address, which))
    },

    /** Restores a task that was archived in the last 10 minutes and that the caller may end. */
    async restore(caller: Caller, place: TaskPlace, address: string): Promise<void> {
      const which = await whose(caller, place.projectId)
      const by = { personId: caller.personId, address }
      const count = await change('task.restored', by, (from) => from.restore(place, which))
      if (count === 0) throw new AppError('NOT_FOUND')
    },

    /** Restores the tasks that a call of {@link archiveEnded} by this caller archived in the last 10 minutes. */
    async restoreEnded(
      caller: Caller,
      { projectId, archivingId }: { projectId: string; archivingId: string },
      address: string,
    ): Promise<void> {
      const which = await whose(caller, projectId)
      const archiving = { id: archivingId, projectId, personId: caller.personId }
      if (!(await createArchivingRepository(db).undo(archiving))) throw new AppError('NOT_FOUND')
      const by = { personId: caller.personId, address }
      await inBatches(() => change('task.restored', by, (from) => from.restore(archiving, which)))
    },

    /** Archives the tasks past the retention period. A backlog is left to the next runs. */
    async archiveLeft(): Promise<void> {
      for (let times = 0; times < archivingsAtOnce; times += 1) {
        if ((await change('task.archived', null, (from) => from.archiveLeft())) === 0) return
      }
    },

    /** Deletes the creators of tasks that can no longer be restored, and releases their files. */
    async sweepArchivings(): Promise<void> {
      const archivings = createArchivingRepository(db)
      for (const archivingId of await archivings.over()) {
        const clear = () =>
          db.transaction().execute(async (trx) => {
            const tasks = await createArchivingRepository(trx).clear(archivingId)
            await files.release(
              trx,
              tasks.flatMap(({ file_id }) => file_id ?? []),
            )
            return tasks.length
          })
        while ((await clear()) > 0);
        await archivings.remove(archivingId)
      }
    },
  }
}

/** Publishes one event for all tasks of a project. Consoles reload their lists. */
async function emitRestored(emit: Emit, tasks: readonly ArchivedTask[]): Promise<void> {
  const projectIds = [...new Set(tasks.map(({ project_id }) => project_id))]
  await emit(
    ...projectIds.map((projectId) => ({ topic: taskTopicOf(projectId), name: 'task:restored', data: {} })),
  )
}

const remembered = (task: ArchivedTask) => ({
  title: task.title,
  type: task.type,
  kind: task.kind,
  end: task.state,
  createdAt: task.created_at.toISOString(),
  fulfilledAt: task.fulfilled_at.toISOString(),
  createdBy: task.created_by,
  ...(task.error !== null && { error: task.error }),
})
