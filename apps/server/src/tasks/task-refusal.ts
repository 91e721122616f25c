import { type TaskMessage, taskMessageOf } from '@pult/contract'
import type { AppError } from '#platform/app-error.ts'
import { sentenceOf } from '#platform/http/error-messages.ts'

/** Returns the message of a refusal in a task. A refusal that calls share carries its sentence in every language. */
export function messageOfRefusal(error: AppError): TaskMessage {
  if (error.taskMessage !== undefined) return error.taskMessage
  const { de, 'de-DE': german } = sentenceOf(error)
  return taskMessageOf('refusal', { de, 'de-DE': german })
}
