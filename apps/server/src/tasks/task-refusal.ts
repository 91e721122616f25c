import { isTaskMessageCode, type TaskMessage, taskMessageOf } from '@pult/contract'
import { type AppError, isTaskMessage } from '#platform/app-error.ts'
import { sentenceOf } from '#platform/http/error-messages.ts'

/** Returns the message of a refusal in a task. A refusal that calls share carries its text in every language. */
export function messageOfRefusal(error: AppError): TaskMessage {
  const { code, specificMessage } = error
  if (isTaskMessage(specificMessage)) return specificMessage
  if (specificMessage === undefined && isTaskMessageCode(code)) return { code, values: {} }
  const { de, 'de-DE': german } = sentenceOf(error)
  return taskMessageOf('refusal', { de, 'de-DE': german })
}
