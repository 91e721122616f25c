import { type Task, type TaskLogLine, type TaskMessage, textOfTaskMessage } from '@pult/contract'
import { isOpen } from './task-list.ts'
import type { TaskTexts } from './tasks.texts.ts'

/** The outcome of a task. */
export type TaskOutcome = 'waiting' | 'running' | 'finished' | 'failed' | 'timedOut' | 'aborted'

type Ended = Pick<Task, 'fulfilledAt' | 'isRejected' | 'isTimedOut' | 'isAborted'>

/**
 * Returns the outcome of a task, for branching.
 *
 * @example outcomeOf(task) === 'finished'
 */
export function outcomeOf(task: Ended & Pick<Task, 'startedAt'>): TaskOutcome {
  if (isOpen(task)) return task.startedAt === null ? 'waiting' : 'running'
  if (task.isRejected) return 'failed'
  if (task.isTimedOut) return 'timedOut'
  return task.isAborted ? 'aborted' : 'finished'
}

/** Returns the text of a message of the server. A text without a message, or with one of a newer server, stays. */
const textOf = <Text extends string | null | undefined>(
  message: TaskMessage | undefined,
  text: Text,
  { messages }: TaskTexts,
): string | Text => (message === undefined ? text : (textOfTaskMessage(message, messages) ?? text))

/** Returns the status or the report of a task. */
export const infoOf = ({ state: { message, info } }: Pick<Task, 'state'>, texts: TaskTexts) =>
  textOf(message, info, texts)

/** Returns the error of a task, or of the problem of a failed one. */
export const errorOf = (
  { errorMessage, error }: { errorMessage?: TaskMessage | undefined; error: string | null },
  texts: TaskTexts,
) => textOf(errorMessage, error, texts)

/** Returns a line of a task's log. */
export const lineOf = ({ message, line }: Pick<TaskLogLine, 'message' | 'line'>, texts: TaskTexts) =>
  textOf(message, line, texts)

/** Returns the reason why a task did not finish, or null without a reason. */
export function failureOf(task: Task, texts: TaskTexts): string | null {
  switch (outcomeOf(task)) {
    case 'failed':
      return errorOf(task, texts) || (task.kind === 'info' ? texts.jobFailed : texts.fileGenerationFailed)
    case 'timedOut':
      return texts.timedOut
    case 'aborted':
      return texts.aborted
    case 'finished':
      // The task finished without a file.
      return task.kind === 'download-generation' && task.state.fileName === undefined
        ? texts.unknownError
        : null
    case 'waiting':
    case 'running':
      return null
  }
}

/** Returns whether the server itself runs tasks of this type. */
export const isOfServer = (type: string, { ofServer }: TaskTexts): type is keyof TaskTexts['ofServer'] =>
  Object.hasOwn(ofServer, type)

/** Returns the title of a task: `Export: Hall 3` for tasks of the server; titles of services stay unchanged. */
export const titleInWords = ({ type, title }: Pick<Task, 'type' | 'title'>, texts: TaskTexts): string =>
  isOfServer(type, texts) ? `${texts.ofServer[type]}: ${title}` : title

/** Formats the type of a task that has no label: `show-control/render-show` becomes `Show control · Render show`. */
export function typeInWords(type: string): string {
  return type
    .split('/')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1).replaceAll('-', ' '))
    .join(' · ')
}

const taskInstant = new Intl.DateTimeFormat('de-DE', {
  day: '2-digit',
  month: '2-digit',
  year: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
})

/**
 * Formats a time of a task as `dd.MM.yy - HH:mm`, in the browser's time zone.
 *
 * @example formatTaskInstant(task.createdAt)
 */
export const formatTaskInstant = (instant: string): string =>
  taskInstant.format(new Date(instant)).replace(', ', ' - ')

/** Returns the progress as a share from 0 to 1, or null for a task without a total. */
export function shareOf({ state: { progress } }: Pick<Task, 'state'>): number | null {
  if (progress === undefined) return null
  const [done, total] = progress
  return total > 0 ? Math.min(1, done / total) : null
}
