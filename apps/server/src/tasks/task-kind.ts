import type { TaskKindName } from '@pult/contract'
import type { Sentence } from '#platform/language.ts'

/** What a task makes when it ends well. */
export interface TaskResult {
  /** The report, one line, in the language of who ordered it. */
  info?: string | Sentence
  /** The file that a download generation made; its id in the room of files. */
  file?: { id: string; name: string }
}

/** What somebody who runs a task is given. */
export interface TaskWork<Payload> {
  taskId: string
  projectId: string
  /** Null when the person is gone. */
  createdBy: string | null
  payload: Payload
  /** Aborted as soon as the task ends otherwise: by somebody, by its deadline, or because the lease was lost. */
  signal: AbortSignal
  /** Cheap: what is said between two writes to the database is not written. */
  progress(done: number, total: number): void
  info(line: string | Sentence): void
  /** For the task's log. */
  log(line: string | Sentence): void
}

/** A kind of task that the server does itself. */
export interface TaskKind<Payload = unknown> {
  /** `project-export` */
  type: string
  kind: TaskKindName
  /** Milliseconds after which it is given up. */
  deadline: number
  /** After a crash it is run anew from its payload; else it ends as timed out. */
  canRestart: boolean
  /** How many run on one node at once. */
  concurrency: number
  /**
   * Does it. What it answers ends the task as finished, what it throws as rejected: the message of an AppError is shown
   * as the error, anything else as the kind's own words. What it has made when the signal fires it takes away again.
   */
  run(work: TaskWork<Payload>): Promise<TaskResult>
}
