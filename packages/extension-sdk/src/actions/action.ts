import type { Project } from '@pult/contract'
import type { Call } from '../call.ts'
import type { Notification } from '../notification.ts'

/** An action that users can run from the command palette (Ctrl+K) on every page. */
export interface Action {
  /** Unique among the actions of the extension. */
  id: string
  /** The label, worded like a button: `Start all machines`. */
  label: string
  /** The name of a lucide icon that apps may have, as in the manifest. */
  icon?: string
  /** Further search terms. */
  keywords?: readonly string[]
  /** Keys that run it, in the form of {@link useHotkey}: `mod+shift+m`. */
  shortcut?: string
  /**
   * Only users with this role in the active project see it: `reports`, `reports:export`. The server still checks every
   * call.
   */
  role?: string
}

/** Context of an extension's action, which may run while none of its apps is open. */
export interface ActionContext {
  /** The active project; null without one. */
  project: Project | null
  /** Calls the server's API by its endpoints, as {@link useApi} does. */
  call: Call
  /** Shows a short message at the edge of the console. */
  notify: (notification: Notification) => void
  /** Opens an app of the project in its usual place, at one of its pages. */
  openApp: (appId: string, path?: string) => void
}

/** An action that is available while the extension runs. */
export interface ExtensionAction extends Action {
  /** An error that it throws is shown below its label. */
  run: (context: ActionContext) => void | Promise<void>
}

/** An action that is available while its component is mounted. */
export interface PageAction extends Action {
  /** An error that it throws is shown below its label. */
  run: () => void | Promise<void>
}
