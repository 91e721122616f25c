import { type Task, taskMessageOf } from '@pult/contract'
import type { Transaction } from 'kysely'
import { AppError } from '#platform/app-error.ts'
import type { Database } from '#platform/database/schema.ts'
import type { Caller } from '#platform/http/route.ts'
import type { Emit, Events } from '#platform/realtime/events.ts'
import type { FileRecord, Files } from '../files/file-store.ts'
import type { RetryKind, TaskService } from '../tasks/task.service.ts'

interface StartWithUploadParts {
  events: Events
  files: Pick<Files, 'claim' | 'setLifetime'>
  tasks: Pick<TaskService, 'start'>
}

/** The payload of a task that processes an uploaded file. */
export interface UploadPayload {
  /** The id of the file. */
  file: string
  /** The network address of the request, for the audit log. */
  address: string
  /** The first task in the chain of retries that this one continues. */
  first?: string
}

/**
 * Milliseconds until the file expires: the longest deadline, and a day to retry the task. The end of the task does not
 * delete the file, also because a frozen node could end a task that another node still runs.
 */
const longest = 36 * 3_600_000

/** Returns the uploaded file of a task. */
export async function uploadedFile(files: Pick<Files, 'find'>, { file }: UploadPayload): Promise<FileRecord> {
  const found = await files.find(file)
  if (found === undefined) throw new AppError('NOT_FOUND', { taskMessage: taskMessageOf('upload-gone') })
  return found
}

/** Claims an uploaded file and starts its task in one transaction. */
export function createStartWithUpload({ events, files, tasks }: StartWithUploadParts) {
  const order = (
    trx: Transaction<Database>,
    emit: Emit,
    {
      caller,
      ...task
    }: { type: string; projectId: string; title: string; payload: UploadPayload; caller: Caller },
  ) => tasks.start(trx, emit, { ...task, createdBy: caller.personId, retryFor: longest })

  return {
    start: ({
      type,
      projectId,
      filename,
      caller,
      address,
    }: {
      type: string
      projectId: string
      filename: string
      caller: Caller
      address: string
    }): Promise<Task> =>
      events.transaction(async (trx, emit) => {
        const { personId } = caller
        const file = await files.claim(trx, { filename, projectId, personId, lifetime: longest })
        const payload: UploadPayload = { file: file.id, address }
        return order(trx, emit, { type, projectId, title: file.name, payload, caller })
      }),

    /** Starts a failed task of this type again with the same file. */
    retryKind: (type: string, check: RetryKind['check']): RetryKind => ({
      check,
      async order(trx, emit, { projectId, taskId, title, payload: stored, caller, address }) {
        const { file, first = taskId } = stored as UploadPayload
        await files.setLifetime(trx, [file], longest)
        return order(trx, emit, { type, projectId, title, payload: { file, address, first }, caller })
      },
    }),
  }
}
export type StartWithUpload = ReturnType<typeof createStartWithUpload>
