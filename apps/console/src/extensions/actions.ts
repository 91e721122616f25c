import type { Fragment } from '@pult/contract'
import type { ActionContext, ExtensionAction } from '@pult/sdk'
import { api } from '#platform/api.ts'
import { showNotification } from '#platform/console-host.ts'
import { goTo } from '#platform/go-to.ts'
import { notify } from '#platform/notify.ts'
import { queryClient } from '#platform/query-client.ts'
import { session } from '#platform/session.ts'
import { openInWindow } from '#platform/window-wishes.ts'
import { activeProjectQuery } from '../projects/projects.queries.ts'
import { withRecentSignIn } from '../recent-sign-in/recent-sign-in.queries.ts'
import { hasRole } from './app-access.ts'
import { apps, extensionActions, findApp } from './registry.ts'

/** An action of an extension that the person may use in the active project. */
export interface OwnAction {
  /** Unique in the console. */
  id: string
  fragment: Fragment
  action: ExtensionAction
}

/** What the extensions offer to the person who is signed in. */
export function ownActions(): OwnAction[] {
  const current = session.get()
  if (current.status !== 'signed-in') return []
  const project = activeProject()
  return extensionActions()
    .filter(({ action: { role } }) => role === undefined || hasRole(current.credentials, project, role))
    .map(({ fragment, action }) => ({ id: `${fragment.id} ${action.id}`, fragment, action }))
}

/** What it throws is shown under its label: it is somebody else's code. */
export async function runAction({ label, run }: ExtensionAction): Promise<void> {
  try {
    await run(contextNow())
  } catch (error) {
    notify.error(label, error)
  }
}

const activeProject = () => queryClient.getQueryData(activeProjectQuery.queryKey) ?? null

function contextNow(): ActionContext {
  return {
    project: activeProject(),
    call: (endpoint, ...input) => withRecentSignIn(() => api(endpoint, ...input)),
    notify: showNotification,
    openApp,
  }
}

/** Opens an app where it opens usually. */
export function openApp(appId: string, path = ''): void {
  if (findApp(apps.get(), appId)?.manifest.container === 'window') openInWindow({ appId, path })
  else goTo(`/app/${appId}/${path}`.replace(/\/+$/, ''))
}
