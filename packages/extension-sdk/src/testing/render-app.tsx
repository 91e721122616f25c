import {
  type AppManifest,
  type Credentials,
  extensionManifest,
  type Project,
  type SettingValue,
  type StoredFile,
  type StoreEntry,
} from '@pult/contract'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, configure, type RenderResult, render } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { onTestFinished } from 'vitest'
import type { AppDefinition } from '../define-extension.ts'
import type { AppHost, OfferedAction, TopicNews, UnfinishedUpload } from '../host.ts'
import type { Notification } from '../notification.ts'
import { type ApiAnswers, createCalls, type RecordedCall } from './answers.ts'
import { givenCredentials, givenFile, givenProject } from './given.ts'
import { createKeptValues } from './kept-values.ts'
import { TestFrame } from './TestFrame.tsx'

// Longer than the default, for busy machines.
configure({ asyncUtilTimeout: 5000 })

export interface RenderAppOptions {
  /** The extension's manifest.json, with the app's label, its tabs and their roles. */
  manifest?: unknown
  /** Id of the app in the manifest. @default the first app */
  appId?: string
  /** Properties of the active project; null for a root app. */
  project?: Partial<Project> | null
  /** Properties of the signed-in user. */
  credentials?: Partial<Credentials>
  /**
   * The user's roles in the project, `reports` or `reports:export`. By default the user owns the project and holds all.
   */
  roles?: readonly string[]
  /** Path of the opened page, below the app's address. @default '' */
  path?: string
  /**
   * The server's replies. The app's key-value store works without them, and uploads succeed. To reject an upload, reply
   * to `PUT /files`, whose body is the file.
   */
  api?: ApiAnswers
  /** Uploads of an earlier page, for the places that list them. @default none */
  unfinishedUploads?: readonly UnfinishedUpload[]
  /** Values of the manifest's settings. @default their defaults */
  settings?: Readonly<Record<string, SettingValue | null>>
  /** Language as a BCP 47 tag. @default 'de' */
  locale?: string
}

export interface RenderedApp extends RenderResult {
  /** Every call of the app, oldest first. */
  calls: readonly RecordedCall[]
  /** Every message that the app showed at the edge of the console. */
  notifications: readonly Notification[]
  /** The contents of the app's key-value store, by key. */
  kept: ReadonlyMap<string, StoreEntry>
  /** Returns the path of the open page, below the app's address. */
  path: () => string
  /** Publishes a message on a topic, like the server after a change by another user. */
  tell: (topic: string, news: TopicNews) => void
  /** Returns the app's parts of the browser tab's title, outermost first. */
  titles: () => readonly string[]
  /** Returns the app's actions in the command palette. */
  actions: () => readonly Pick<OfferedAction, 'label' | 'run'>[]
}

/**
 * Renders an app in a host that records and answers its calls. By default the user owns the project and holds every
 * role. The app is unmounted after the test.
 *
 * @example
 * const { calls } = renderApp(app, { manifest, roles: ['notes'], api: { 'GET /projects/:projectId': project } })
 * expect(await screen.findByRole('heading', { name: 'Notes' })).toBeTruthy()
 */
export function renderApp(definition: AppDefinition, options: RenderAppOptions = {}): RenderedApp {
  const { path = '' } = options
  const app = appOf(definition, options)
  const basePath = `/app/${app.id}`
  const { host, calls, notifications, kept, titles, actions, tell } = createTestHost(app, options)

  const router = createMemoryRouter(
    [{ path: `${basePath}/*`, element: <TestFrame definition={definition} host={host} /> }],
    { initialEntries: [`${basePath}/${path.replace(/^\//, '')}`] },
  )
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  onTestFinished(() => {
    cleanup()
    queryClient.clear()
  })
  const rendered = render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  return {
    ...rendered,
    calls,
    notifications,
    kept,
    path: () => router.state.location.pathname.slice(basePath.length).replace(/^\//, ''),
    titles: () => titles,
    actions: () => actions,
    tell,
  }
}

/** Creates the host of an app, which records and answers its calls. */
export function createTestHost(app: AppManifest, options: RenderAppOptions) {
  const { api = {}, locale = 'de' } = options
  const { credentials, project } = userAndProject(options)
  const { answers, kept } = createKeptValues()
  const { calls, call, upload, download } = createCalls([
    api,
    answers,
    uploadAnswers,
    settingsAnswers(options),
  ])
  const notifications: Notification[] = []
  const titles: string[] = []
  const actions: OfferedAction[] = []
  const listeners = new Set<{ topic: string; listener: (news: TopicNews) => void }>()
  const basePath = `/app/${app.id}`
  let { unfinishedUploads: unfinished = [] } = options
  const unfinishedListeners = new Set<() => void>()

  const host: AppHost = {
    app,
    project,
    credentials,
    locale,
    basePath,
    PageTabs: ({ children }) => <>{children}</>,
    PageCards: () => null,
    PageActions: () => null,
    AskForAccess: ({ needs, subject }) => <p>{`${subject} needs ${needs}`}</p>,
    call: call as AppHost['call'],
    upload,
    download: download as AppHost['download'],
    sendFile: (file) => ({
      async send({ onProgress }) {
        onProgress?.(0)
        const stored = (await upload('/files', file)) as StoredFile
        onProgress?.(1)
        return stored
      },
      deliver: async (take) => void (await take()),
      forget: () => {},
    }),
    unfinishedUploads: {
      get: () => unfinished,
      subscribe: (listener) => {
        unfinishedListeners.add(listener)
        return () => void unfinishedListeners.delete(listener)
      },
      discard: (discarded) => {
        unfinished = unfinished.filter(({ id }) => id !== discarded)
        for (const listener of unfinishedListeners) listener()
      },
    },
    refreshProject: async () => {},
    hasRole: (role) => hasRole(credentials, project, role),
    notify: (notification) => void notifications.push(notification),
    claimTitle: () => (title) => {
      titles.push(title)
      return () => void titles.splice(titles.lastIndexOf(title), 1)
    },
    subscribe: (topic, listener) => {
      const subscription = { topic, listener }
      listeners.add(subscription)
      return () => void listeners.delete(subscription)
    },
    // In a test, no navigation leaves the page, and no session ends.
    holdUnsavedInput: () => () => {},
    openDocument: () => {},
    drafts: { find: () => undefined, keep: () => () => {} },
    offerAction: (action) => {
      actions.push(action)
      return () => void actions.splice(actions.indexOf(action), 1)
    },
  }

  return {
    host,
    calls,
    notifications,
    kept,
    titles,
    actions,
    tell: (topic: string, news: TopicNews) =>
      act(() => {
        for (const subscription of listeners) if (subscription.topic === topic) subscription.listener(news)
      }),
  }
}

function settingsAnswers({ manifest, settings = {} }: RenderAppOptions): ApiAnswers {
  const declared = manifest === undefined ? [] : (extensionManifest.parse(manifest).settings ?? [])
  const defaults: Record<string, SettingValue | null> = Object.fromEntries(
    declared
      .filter(({ type }) => type !== 'secret')
      .map((setting) => [setting.id, ('default' in setting ? setting.default : undefined) ?? null]),
  )
  return { 'GET /app-settings/:app': { values: { ...defaults, ...settings } } }
}

/** Accepts uploads: the body of `PUT /files` is the file. */
const uploadAnswers: ApiAnswers = { 'PUT /files': ({ body }) => givenFile(body as File) }

/** Returns the app's part of the manifest, or a minimal one without a manifest. */
export function appOf({ routes }: AppDefinition, { manifest, appId }: RenderAppOptions): AppManifest {
  const apps = manifest === undefined ? [] : extensionManifest.parse(manifest).apps
  const id = appId ?? apps[0]?.id ?? routes[0]?.name.replace(/^app-/, '') ?? ''
  const found = apps.find((app) => app.id === id)
  if (manifest !== undefined && found === undefined) throw new Error(`The manifest has no app ${id}`)
  const misnamed = routes.find(({ name }) => name !== `app-${id}` && !name.startsWith(`app-${id}-`))
  if (misnamed !== undefined)
    throw new Error(`The name of the page ${misnamed.name} does not begin with app-${id}`)
  return found ?? { ...leastApp, id, label: id }
}

const leastApp = {
  uuid: '0193a3f0-0000-7000-8000-000000000004',
  icon: 'box',
  productSku: 'project',
  priority: 1000,
  container: 'page',
} as const

function userAndProject({ project, credentials, roles }: RenderAppOptions) {
  const person = givenCredentials(credentials)
  if (project === null) return { credentials: person, project }
  const mine = roles === undefined ? { owner: person._id, access: 'owner' as const } : {}
  const given = givenProject({ ...mine, ...project })
  const scope = [...person.scope, ...(roles ?? []).map((role) => `p-${given._id}/r-${role}`)]
  return { credentials: { ...person, scope }, project: given }
}

function hasRole({ _id, isRoot, scope }: Credentials, project: Project | null, role: string): boolean {
  if (isRoot) return true
  if (project === null) return false
  return project.owner === _id || scope.includes(`p-${project._id}/r-${role}`)
}
