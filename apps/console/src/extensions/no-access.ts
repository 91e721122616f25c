import { holdsAllRoles } from '#platform/access/holds-all-roles.ts'
import { showMessage } from '#platform/notify.ts'
import { queryClient } from '#platform/query-client.ts'
import { session } from '#platform/session.ts'
import { activeProjectQuery } from '../projects/projects.queries.ts'
import { texts } from './extensions.texts.ts'
import { apps, findApp } from './registry.ts'

/**
 * Reports that the user may not open an app in a window, with "Ask for access" to an app of the project, or that the app
 * is off. The message does not reveal whether it exists.
 */
export function reportNoAccess(appId: string, isOfProject: boolean): void {
  const label = appName(appId)
  const message = {
    tone: 'warning' as const,
    title: texts.noAccess,
    text: texts.noAccessText(label, isOfProject),
  }
  const project = isOfProject ? queryClient.getQueryData(activeProjectQuery.queryKey) : null
  const now = session.get()
  const isOff = now.status === 'signed-in' && holdsAllRoles(now.credentials, project)
  if (!isOff && !project) return showMessage(message)
  void import('#platform/access/refused-message.ts').then(
    ({ appIsOff, askingFor }) => {
      if (isOff) showMessage({ ...message, ...appIsOff(label, isOfProject) })
      else if (project) showMessage(askingFor(message, { projectId: project._id, app: appId }))
    },
    () => showMessage(message),
  )
}

/** The console knows the labels of accessible apps only. Other apps are named after their id. */
export function appName(appId: string): string {
  const words = appId.replaceAll('-', ' ')
  return findApp(apps.get(), appId)?.manifest.label ?? words.charAt(0).toUpperCase() + words.slice(1)
}
