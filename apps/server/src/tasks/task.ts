import {
  limits,
  reportFrom,
  type Task,
  type TaskMessage,
  type TaskState,
  type TaskUpdate,
  textOfTaskMessage,
} from '@pult/contract'
import { sql } from 'kysely'
import { isoInstantOf } from '#platform/database/parse-instant.ts'
import type { Database } from '#platform/database/schema.ts'

/** Topic of a project's tasks. LTT is the specification's abbreviation of long-running task. */
export const taskTopicOf = (projectId: string) => `/projects/${projectId}/LTT`

/** A text of a service, or a message of the server. */
export type TaskText = string | TaskMessage

/** A row of the table of tasks `t`, with its creator. */
export interface TaskRow {
  id: string
  project_id: string
  type: string
  kind: Database['task']['kind']
  title: string
  state: Database['task']['state']
  progress_done: number | null
  progress_total: number | null
  info: string | null
  info_message: TaskMessage | null
  error: string | null
  error_message: TaskMessage | null
  file_id: string | null
  file_name: string | null
  fence: number
  /** Instants in PostgreSQL's text format. */
  created_at: string
  started_at: string | null
  deadline_at: string
  fulfilled_at: string | null
  revision: number
  canRetry: boolean
  creatorId: string | null
  creatorFirstname: string | null
  creatorLastname: string | null
  tokenId: string | null
  tokenLabel: string | null
}

/** A task with its project. */
export interface TaskOfProjectRow extends TaskRow {
  projectLabel: string
  projectColor: string | null
  projectOwner: string
}

/** Whether a task `t` has failed, was not retried and its inputs still exist. */
export const canRetry = sql<boolean>`(
  t.state in ('rejected', 'timed-out') and t.retry_id is null and t.retry_until is not null and t.retry_until > now()
)`

export const taskColumns = sql<TaskRow>`
  t.id, t.project_id, t.type, t.kind, t.title, t.state, t.progress_done, t.progress_total, t.info,
  t.info_message, t.error, t.error_message, t.file_id, t.file_name, t.fence, t.created_at::text, t.started_at::text, t.deadline_at::text, t.fulfilled_at::text, t.revision, ${canRetry} as "canRetry", creator.id as "creatorId",
  creator.firstname as "creatorFirstname", creator.lastname as "creatorLastname", t.token_id as "tokenId",
  (select token.label from task_token token where token.id = t.token_id) as "tokenLabel"`

export const projectColumns = sql`
  project.label as "projectLabel", project.config ->> 'consoleColor' as "projectColor", project.owner_id as "projectOwner"`

type StateRow = Pick<TaskRow, 'progress_done' | 'progress_total' | 'info' | 'info_message' | 'file_name'>

/** Returns a task for readers of the project, without the link to its file. */
export function taskOf(row: TaskRow): Task {
  return {
    _id: row.id,
    type: row.type,
    kind: row.kind,
    title: row.title,
    project: row.project_id,
    createdAt: isoInstantOf(row.created_at),
    startedAt: row.started_at && isoInstantOf(row.started_at),
    fulfilledAt: row.fulfilled_at && isoInstantOf(row.fulfilled_at),
    isRejected: row.state === 'rejected',
    isTimedOut: row.state === 'timed-out',
    isAborted: row.state === 'aborted',
    error: row.error,
    ...(row.error_message !== null && { errorMessage: row.error_message }),
    state: stateOf(row),
    canRetry: row.canRetry,
    deadlineAt: isoInstantOf(row.deadline_at),
    createdBy:
      row.creatorId === null
        ? null
        : { _id: row.creatorId, firstname: row.creatorFirstname ?? '', lastname: row.creatorLastname ?? '' },
    ...(row.tokenId !== null && { service: { token: row.tokenId, label: row.tokenLabel } }),
    revision: row.revision,
  }
}

/** Columns that an update of an open task returns. */
export type UpdateRow = StateRow & Pick<TaskRow, 'id' | 'project_id' | 'revision' | 'started_at'>

export const updateColumns = sql`
  task.id, task.project_id, task.revision, task.started_at::text, task.progress_done, task.progress_total, task.info,
  task.info_message, task.file_name`

export const updateOf = (row: UpdateRow): TaskUpdate => ({
  _id: row.id,
  state: stateOf(row),
  revision: row.revision,
  ...(row.started_at !== null && { startedAt: isoInstantOf(row.started_at) }),
})

function stateOf(row: StateRow): TaskState {
  const { progress_done: done, progress_total: total, info, info_message: message, file_name: fileName } = row
  return {
    ...(done !== null && total !== null && { progress: [done, total] }),
    ...(fileName !== null && { fileName }),
    ...(info !== null && { info }),
    ...(message !== null && { message }),
  }
}

/** Returns a storable text for users, without hidden characters and limited in length. */
export const lineOf = (text: string): string => reportFrom(text, limits.taskLineMax)

/** Returns a storable text, and the message whose default text it is. */
export function storedOf(text: TaskText): { text: string; message: TaskMessage | null } {
  if (typeof text === 'string') return { text: lineOf(text), message: null }
  const { code, values } = text
  const storable: TaskMessage['values'] = {}
  for (const [name, value] of Object.entries(values))
    storable[name] = typeof value === 'string' ? lineOf(value) : value
  return {
    text: lineOf(textOfTaskMessage(text) ?? code),
    message: { code, values: storable },
  }
}
