import type { Project } from '@pult/contract'
import type { StatusShapeProps } from '@pult/ui'
import type { ComponentType } from 'react'
import type { ActionContext, ExtensionAction } from './actions/action.ts'
import type { Call } from './call.ts'

/** A page of an app. */
export interface AppRoute {
  /** Unique in the console; begins with `app-{id of the app}`. */
  name: string
  /**
   * Path below `/app/{id}` in the syntax of react-router: `''`, `items/:itemId`, `notes/*`. The path of a tab's page is
   * the tab's id.
   */
  path: string
  Component: ComponentType
}

/** Default export of an app's module. */
export interface AppDefinition {
  /** One page or more. The app opens at the page with an empty path, or else at its first tab. */
  routes: readonly AppRoute[]
  /** Shows the tabs that other apps add to the project's page beside the app's own tabs. */
  hosts?: 'project'
}

/** Context of cards, navigation entries and search providers, which read data while their app may be closed. */
export interface ReadContext {
  /** The active project; null for a root app. */
  project: Project | null
  /** Id of the edge or organisation whose page shows the card; null elsewhere. */
  subject: string | null
  /** Calls the server's API by its endpoints, as {@link useApi} does. */
  call: Call
  /** Calls the app's own service by its endpoints, as {@link useBackend} does. */
  backend: Call
  /** Aborted when the result is no longer needed. `call` and `backend` end with it; pass it to other requests. */
  signal: AbortSignal
}

/** Default export of a card's module. */
export interface CardDefinition<Data = unknown> {
  /**
   * Reads the card's data. The console shows a skeleton meanwhile and calls it again regularly. It shows an error if
   * the function throws or takes longer than three seconds.
   */
  read: (context: ReadContext) => Promise<Data>
  /** Topic whose events make the card read again, in addition to `refresh` in the manifest. */
  topic?: (context: Pick<ReadContext, 'project' | 'subject'>) => string
  /** Returns the text that replaces the content of an empty card, or null for a card with content. */
  empty?: (data: Data) => string | null
  /** Renders the content below the title. Use {@link AppLink} for links. */
  Component: ComponentType<{ data: Data }>
}

/** State shown in the app's navigation entry. */
export interface NavigationState {
  /** Number of the app's items. */
  count?: number
  /** Set only if the app has a problem. */
  status?: StatusShapeProps['status']
  /** Description for screen readers: `24 edges, 1 offline`. */
  label: string
}

/** Default export of the module of an app's navigation entry. */
export interface NavigationDefinition {
  read: (context: ReadContext) => Promise<NavigationState>
  /** Topic whose events make the console read again, in addition to `refresh` in the manifest. */
  topic?: (context: Pick<ReadContext, 'project'>) => string
}

/** A result of a search. */
export interface FoundThing {
  /** Unique among the results of its provider. */
  id: string
  label: string
  /** Context of the result, such as its kind and place. */
  detail?: string
  /** Path of the page that shows it, below the app's address. */
  path: string
  /** Name of a lucide icon; by default the app's icon. */
  icon?: string
}

/**
 * Returns at most eight results for the command palette, best first. The console calls it for texts of two or more
 * characters. A provider that throws or takes longer than three seconds adds no results.
 */
export type SearchProvider = (text: string, context: ReadContext) => Promise<readonly FoundThing[]>

/** Runs an action of the manifest. An error that it throws is shown below the action's label. */
export type RunAction = (
  context: ActionContext & {
    /** Calls the app's own service by its endpoints, as {@link useBackend} does. */
    backend: Call
    /** The search result on which the action runs; null for an action without `on`. */
    thing: { id: string; label: string } | null
  },
) => void | Promise<void>

/** Default export of the module of a tab on the page of an edge, the project or a person. */
export interface PageTabDefinition {
  /** Renders the content. `id` is that of the edge, the project or the person. Use {@link AppLink} for links. */
  Component: ComponentType<{ id: string }>
}

type Loader<Module> = () => Promise<{ default: Module }>

export interface AppRegistration {
  /** Id of the app in the manifest, which declares its other properties. */
  id: string
  /** Loads the app's code when the app is first opened. */
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
  /** Registers the code of an app that the manifest declares. */
  registerApp: (app: AppRegistration) => void
  /**
   * Adds an action to the command palette, whether or not an app of the extension is open.
   *
   * @example registerAction({ id: 'report', label: 'New report', run: ({ openApp }) => openApp('reports', 'create') })
   */
  registerAction: (action: ExtensionAction) => void
}

export interface Extension {
  /** Runs once at the start of the console. If it throws, the error is shown in place of the extension's apps. */
  register: (context: ExtensionContext) => void
}

/** Types the default export of an extension's entry. */
export function defineExtension(extension: Extension): Extension {
  return extension
}

/** Types the default export of the module that an app's `loader` imports. */
export function defineApp(app: AppDefinition): AppDefinition {
  return app
}

/** Types the default export of the module that one of an app's `cards` imports. */
export function defineCard<Data>(card: CardDefinition<Data>): CardDefinition {
  // The console passes only results of `read` to the other functions.
  return card as unknown as CardDefinition
}

/** Types the default export of the module that an app's `navigation` imports. */
export function defineNavigation(navigation: NavigationDefinition): NavigationDefinition {
  return navigation
}

/** Types the default export of the module that one of an app's `search` providers imports. */
export function defineSearch(search: SearchProvider): SearchProvider {
  return search
}

/** Types the default export of the module that one of an app's `pageTabs` imports. */
export function definePageTab(tab: PageTabDefinition): PageTabDefinition {
  return tab
}

/** Types the default export of the module that one of an app's `actions` imports. */
export function defineAction(run: RunAction): RunAction {
  return run
}
