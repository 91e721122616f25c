import type { Task } from '@pult/contract'
import { AppError } from '#platform/app-error.ts'
import type { Caller } from '#platform/http/route.ts'
import type { Sentence } from '#platform/language.ts'
import type { Events } from '#platform/realtime/events.ts'
import type { FileRecord, Files } from '../files/file-store.ts'
import type { TaskService } from '../tasks/task.service.ts'

interface StartWithUploadParts {
  events: Events
  files: Pick<Files, 'claim'>
  tasks: Pick<TaskService, 'start'>
}

/** What a task that works on an uploaded file is given. */
export interface UploadPayload {
  /** The id of the file. */
  file: string
  /** From where somebody asked for it, for the audit log. */
  address: string
}

/**
 * Milliseconds after which the file goes. Not with the end of the task: a node that was frozen could end what another
 * one still works on.
 */
const longest = 24 * 3_600_000

/** The file of a task that works on one. */
export async function uploadedFile(files: Pick<Files, 'find'>, { file }: UploadPayload): Promise<FileRecord> {
  const found = await files.find(file)
  if (found === undefined) throw new AppError('NOT_FOUND', { message: fileGone })
  return found
}

const fileGone: Sentence = {
  de: 'The file is not there any more',
  'de-DE': 'Die Datei ist nicht mehr da',
}

/** Takes an uploaded file and starts the task that works on it, both or neither. */
export function createStartWithUpload({ events, files, tasks }: StartWithUploadParts) {
  return ({
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
      return tasks.start(trx, emit, { type, projectId, title: file.name, payload, createdBy: personId })
    })
}
export type StartWithUpload = ReturnType<typeof createStartWithUpload>
