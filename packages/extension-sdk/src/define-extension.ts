import type { ComponentType } from 'react'
import type { ExtensionAction } from './actions/action.ts'

/** A page of an app. */
export interface AppRoute {
  /** Unique in the console: begins with `app-{id of the app}`. */
  name: string
  /** Below `/app/{id}`, in the syntax of react-router: `''`, `items/:itemId`, `notes/*`. A tab's page has the tab's id as its path. */
  path: string
  Component: ComponentType
}

/** What an app's module exports as its default. */
export interface AppDefinition {
  /** At least one. The app opens at the one whose path is empty, else at its first tab. */
  routes: readonly AppRoute[]
}

export interface AppRegistration {
  /** As in the manifest, which says all else about the app. */
  id: string
  /** Loads the app's code when it is opened for the first time. */
  loader: () => Promise<{ default: AppDefinition }>
}

export interface ExtensionContext {
  /** Makes an app of the manifest ready to be opened. */
  registerApp: (app: AppRegistration) => void
  /**
   * Adds an action to the command palette, whether or not an app of the extension is open.
   *
   * @example registerAction({ id: 'report', label: 'New report', run: ({ openApp }) => openApp('reports', 'create') })
   */
  registerAction: (action: ExtensionAction) => void
}

export interface Extension {
  /** Runs once, when the console starts. Anything it throws is shown in place of its apps. */
  register: (context: ExtensionContext) => void
}

/** The default export of an extension's entry. */
export function defineExtension(extension: Extension): Extension {
  return extension
}

/** The default export of the module that an app's `loader` imports. */
export function defineApp(app: AppDefinition): AppDefinition {
  return app
}
