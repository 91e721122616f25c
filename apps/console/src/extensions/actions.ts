import type { Fragment } from '@pult/contract'
import type { ActionContext, ExtensionAction, FoundThing } from '@pult/sdk'
import { backendOf } from '@pult/sdk/host'
import { api } from '#platform/api.ts'
import { showNotification } from '#platform/console-host.ts'
import { goTo } from '#platform/go-to.ts'
import { notify } from '#platform/notify.ts'
import { queryClient } from '#platform/query-client.ts'
import { session } from '#platform/session.ts'
import { openInWindow } from '#platform/window-requests.ts'
import { activeProjectQuery } from '../projects/projects.queries.ts'
import { hasRole, mayOpenApp } from './app-access.ts'
import { loadPoint } from './read-point.ts'
import { type App, apps, extensionActions, findApp, isRootApp, registrationOf } from './registry.ts'
import { reportFailure } from './report-failure.ts'

/** An extension's action that the user may run in the active project. */
export interface OwnAction {
  /** Unique across the console. */
  id: string
  fragment: Fragment
  action: ExtensionAction
}

/** Returns the actions that extensions offer to the signed-in user. */
export function ownActions(): OwnAction[] {
  const current = session.get()
  if (current.status !== 'signed-in') return []
  const project = activeProject()
  return extensionActions()
    .filter(({ action: { role } }) => role === undefined || hasRole(current.credentials, project, role))
    .map(({ fragment, action }) => ({ id: `${fragment.id} ${action.id}`, fragment, action }))
}

/** Runs an action. Its errors are shown under its label, because the code belongs to an extension. */
export async function runAction({ fragment, action: { id, label, run } }: OwnAction): Promise<void> {
  try {
    await run(contextNow())
  } catch (error) {
    reportFailure(fragment, id, error)
    notify.error(label, error)
  }
}

/** An action of an app's manifest that the user may run in the active project. */
export interface AppAction {
  app: App
  action: NonNullable<App['manifest']['actions']>[number]
}

/** Returns the manifests' actions of running apps: global ones, and those for one kind of record. */
export function appActions(): AppAction[] {
  const current = session.get()
  if (current.status !== 'signed-in') return []
  const { credentials } = current
  return apps.get().flatMap((app) => {
    const project = isRootApp(app) ? null : activeProject()
    if (app.state.status !== 'ready' || !mayOpenApp(app.manifest, credentials, project)) return []
    return (app.manifest.actions ?? [])
      .filter(({ role }) => role === undefined || hasRole(credentials, project, role))
      .map((action) => ({ app, action }))
  })
}

/** Returns the search terms of an action: its keywords, and its English label if another one is shown. */
export const wordsOfAction = ({ labels, keywords = [] }: AppAction['action']): string[] =>
  labels?.en === undefined ? keywords : [labels.en, ...keywords]

/** Loads and runs an action of a manifest. Its errors are shown under its label. */
export async function runAppAction(
  { app, action }: AppAction,
  thing: Pick<FoundThing, 'id' | 'label'> | null,
): Promise<void> {
  try {
    const run = await loadPoint(registrationOf(app)?.actions?.[action.id], action.id, app.extension)
    const context = contextNow()
    const projectId = isRootApp(app) ? undefined : context.project?._id
    const backend = backendOf(api, app.manifest.id, projectId ?? null)
    await run({ ...context, backend, thing })
  } catch (error) {
    reportFailure(app.extension, action.id, error)
    notify.error(action.label, error)
  }
}

const activeProject = () => queryClient.getQueryData(activeProjectQuery.queryKey) ?? null

function contextNow(): ActionContext {
  return {
    project: activeProject(),
    call: api,
    notify: showNotification,
    openApp,
  }
}

/** Opens an app in its usual place. */
export function openApp(appId: string, path = ''): void {
  if (findApp(apps.get(), appId)?.manifest.container === 'window') openInWindow({ appId, path })
  else goTo(`/app/${appId}/${path}`.replace(/\/+$/, ''))
}
