import { refusal } from '@pult/contract'
import type { ToastMessage } from '@pult/ui'
import { texts } from './access.texts.ts'
import { type AccessSubject, askForAccess } from './asking.ts'

/** Adds "Ask for access" to the message of a refused action that a role would allow. */
export function withAsking(message: ToastMessage, detail: unknown): ToastMessage {
  const { data } = refusal.safeParse(detail)
  if (data === undefined || data.roles.length === 0) return message
  const { project: projectId, roles } = data
  return askingFor(message, { projectId, roles })
}

/** Adds "Ask for access" to a message. */
export function askingFor(message: ToastMessage, subject: AccessSubject): ToastMessage {
  return { ...message, action: { label: texts.ask, onAction: () => askForAccess(subject) } }
}

/** The message that an app is switched off or not installed, for a user who cannot lack its roles. */
export const appIsOff = (label: string, isOfProject: boolean): Pick<ToastMessage, 'title' | 'text'> => ({
  title: texts.appIsOff(label),
  text: texts.appIsOffText(isOfProject),
})
