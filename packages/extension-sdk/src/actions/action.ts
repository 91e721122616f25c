import type { Project } from '@pult/contract'
import type { Call } from '../call.ts'
import type { Notification } from '../notification.ts'

/** Something that people can have done from the command palette (Ctrl+K), wherever they are. */
export interface Action {
  /** Unique among the actions of the extension. */
  id: string
  /** The label, worded like a button: `Start all machines`. */
  label: string
  /** The name of a lucide icon that apps may have, as in the manifest. */
  icon?: string
  /** Other words under which it is found. */
  keywords?: readonly string[]
  /** Keys that run it, as {@link useHotkey} takes them: `mod+shift+m`. */
  shortcut?: string
  /** Only people with this role in the active project see it: `reports`, `reports:export`. The server checks anyway. */
  role?: string
}

/** What an action of an extension has to work with, because no app need be open. */
export interface ActionContext {
  /** The active project; null if there is none. */
  project: Project | null
  /** Calls the server's API by its endpoints, as {@link useApi} does. */
  call: Call
  /** Shows a short message at the edge of the console. */
  notify: (notification: Notification) => void
  /** Opens an app of the project where it opens usually, at one of its pages. */
  openApp: (appId: string, path?: string) => void
}

/** An action that exists as long as the extension runs. */
export interface ExtensionAction extends Action {
  /** An error that it throws is shown below its label. */
  run: (context: ActionContext) => void | Promise<void>
}

/** An action that exists as long as its component is mounted. */
export interface PageAction extends Action {
  /** An error that it throws is shown below its label. */
  run: () => void | Promise<void>
}
