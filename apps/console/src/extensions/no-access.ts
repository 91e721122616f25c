import { showMessage } from '#platform/notify.ts'
import { queryClient } from '#platform/query-client.ts'
import { activeProjectQuery } from '../projects/projects.queries.ts'
import { texts } from './extensions.texts.ts'
import { apps, findApp } from './registry.ts'

/**
 * Reports that the user may not open an app in a window, with "Ask for access" to an app of the project. The message
 * does not reveal whether it exists.
 */
export function reportNoAccess(appId: string, isOfProject: boolean): void {
  const message = {
    tone: 'warning' as const,
    title: texts.noAccess,
    text: texts.noAccessText(appName(appId), isOfProject),
  }
  const project = queryClient.getQueryData(activeProjectQuery.queryKey)
  if (!isOfProject || !project) return showMessage(message)
  void import('#platform/access/refused-message.ts').then(
    ({ askingFor }) => showMessage(askingFor(message, { projectId: project._id, app: appId })),
    () => showMessage(message),
  )
}

/** The console knows the labels of accessible apps only. Other apps are named after their id. */
export function appName(appId: string): string {
  const words = appId.replaceAll('-', ' ')
  return findApp(apps.get(), appId)?.manifest.label ?? words.charAt(0).toUpperCase() + words.slice(1)
}
