import type { TaskKindName } from '@pult/contract'
import type { TaskText } from './task.ts'

/** The result of a finished task. */
export interface TaskResult {
  /** The one-line report. */
  info?: TaskText
  /** What is wrong with the result although the task has finished. It becomes the task's error. */
  warning?: TaskText
  /** The generated file; its id in the room of files. */
  file?: { id: string; name: string }
}

/** The context that a run receives. */
export interface TaskWork<Payload> {
  taskId: string
  projectId: string
  /** Null if the account was deleted. */
  createdBy: string | null
  payload: Payload
  /** Aborted when the task ends otherwise: by a user, by its deadline, or because the lease was lost. */
  signal: AbortSignal
  /** Cheap: reports between two writes to the database are coalesced. */
  progress(done: number, total: number): void
  info(line: TaskText): void
  /** For the task's log. */
  log(line: TaskText): void
}

/** A kind of task that the server runs itself. */
export interface TaskKind<Payload = unknown> {
  /** `project-export` */
  type: string
  kind: TaskKindName
  /** Deadline in milliseconds. */
  deadline: number
  /** After a crash, the task restarts from its payload. Otherwise it ends as timed out. */
  canRestart: boolean
  /** Concurrent runs on one node. */
  concurrency: number
  /**
   * Rejects a task that its creator may no longer have done, by their current rights. Runs before each run, because a
   * task can wait for long, and again before a file is handed over.
   */
  check(task: Pick<TaskWork<Payload>, 'projectId' | 'createdBy' | 'payload'>): Promise<unknown>
  /**
   * Performs the task. The return value ends the task as finished, and an error ends it as rejected: the message of
   * an AppError becomes the task's error, any other error the kind's own text. When the signal aborts, `run` must
   * delete what it has made.
   */
  run(work: TaskWork<Payload>): Promise<TaskResult>
}
