import type { Project } from '@pult/contract'
import type { StatusShapeProps } from '@pult/ui'
import type { ComponentType } from 'react'
import type { ActionContext, ExtensionAction } from './actions/action.ts'
import type { Call } from './call.ts'

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
  /** At least one page. The app opens at the page with an empty path, otherwise at its first tab. */
  routes: readonly AppRoute[]
  /** Shows the tabs that other apps add to the page of the project beside its own. */
  hosts?: 'project'
}

/** What cards, navigation entries and search providers read with, because their app need not be open. */
export interface ReadContext {
  /** The active project; null for a root app. */
  project: Project | null
  /** For a card on the page of an edge or an organisation: its id. Null elsewhere. */
  subject: string | null
  /** Calls the server's API by its endpoints, as {@link useApi} does. */
  call: Call
  /** Aborted when the result is no longer needed. Pass it on to every call. */
  signal: AbortSignal
}

/** What a card's module exports as its default. */
export interface CardDefinition<Data = unknown> {
  /**
   * Reads the card's data. The console shows a skeleton, repeats the call, and shows an error when it throws or takes
   * longer than three seconds.
   */
  read: (context: ReadContext) => Promise<Data>
  /** The topic whose events make the card read again, in addition to its `refresh`. */
  topic?: (context: Pick<ReadContext, 'project' | 'subject'>) => string
  /** What the card says in place of its content when there is nothing to show; null if there is. */
  empty?: (data: Data) => string | null
  /** The content, below the title. Links are {@link AppLink}s. */
  Component: ComponentType<{ data: Data }>
}

/** What the app's entry in the navigation shows. */
export interface NavigationState {
  /** Number of its things. */
  count?: number
  /** Only when something in the app is wrong. */
  status?: StatusShapeProps['status']
  /** Description for screen readers: `24 edges, 1 offline`. */
  label: string
}

/** What the module of an app's navigation entry exports as its default. */
export interface NavigationDefinition {
  read: (context: ReadContext) => Promise<NavigationState>
  /** The topic whose events make the console read again, in addition to `refresh`. */
  topic?: (context: Pick<ReadContext, 'project'>) => string
}

/** A result of a search. */
export interface FoundThing {
  /** Unique among the results of its provider. */
  id: string
  label: string
  /** Its context, such as its kind and place. */
  detail?: string
  /** The app's page that shows it, below the app's address. */
  path: string
  /** The name of a lucide icon; the app's icon without one. */
  icon?: string
}

/**
 * Finds things for the command palette: at most eight, best first. Called for texts of two or more characters. A
 * provider that throws or takes longer than three seconds adds nothing.
 */
export type SearchProvider = (text: string, context: ReadContext) => Promise<readonly FoundThing[]>

/** Runs an action of the manifest. An error that it throws is shown below the action's label. */
export type RunAction = (
  context: ActionContext & {
    /** The result for which the action runs; null for an action without `on`. */
    thing: { id: string; label: string } | null
  },
) => void | Promise<void>

/** What the module of a tab on the page of an edge, the project or a person exports as its default. */
export interface PageTabDefinition {
  /** The content. `id` is that of the edge, the project or the person. Links are {@link AppLink}s. */
  Component: ComponentType<{ id: string }>
}

type Loader<Module> = () => Promise<{ default: Module }>

export interface AppRegistration {
  /** As in the manifest, which contains everything else about the app. */
  id: string
  /** Loads the app's code when it is opened for the first time. */
  loader: () => Promise<{ default: AppDefinition }>
  /**
   * Loads the code of the manifest's `cards`, by id, when a card comes into view.
   *
   * @example cards: { temperatures: () => import('./TemperaturesCard.tsx') }
   */
  cards?: Readonly<Record<string, Loader<CardDefinition>>>
  /** Loads the code of the manifest's `navigation` once the console has started. */
  navigation?: Loader<NavigationDefinition>
  /** Loads the code of the manifest's `search` providers, by id, with the first search. */
  search?: Readonly<Record<string, Loader<SearchProvider>>>
  /** Loads the code of the manifest's `actions`, by id, when one runs. */
  actions?: Readonly<Record<string, Loader<RunAction>>>
  /**
   * Loads the code of the manifest's `pageTabs`, by id, when a tab is opened.
   *
   * @example pageTabs: { temperatures: () => import('./TemperaturesTab.tsx') }
   */
  pageTabs?: Readonly<Record<string, Loader<PageTabDefinition>>>
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

/** The default export of the module that one of an app's `cards` imports. */
export function defineCard<Data>(card: CardDefinition<Data>): CardDefinition {
  // The console passes the result of `read` to the other functions, and nothing else.
  return card as unknown as CardDefinition
}

/** The default export of the module that an app's `navigation` imports. */
export function defineNavigation(navigation: NavigationDefinition): NavigationDefinition {
  return navigation
}

/** The default export of the module that one of an app's `search` providers imports. */
export function defineSearch(search: SearchProvider): SearchProvider {
  return search
}

/** The default export of the module that one of an app's `pageTabs` imports. */
export function definePageTab(tab: PageTabDefinition): PageTabDefinition {
  return tab
}

/** The default export of the module that one of an app's `actions` imports. */
export function defineAction(run: RunAction): RunAction {
  return run
}
