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
import type { AppHost, OfferedAction, TopicNews } from '../host.ts'
import type { Notification } from '../notification.ts'
import { type ApiAnswers, createCalls, type RecordedCall } from './answers.ts'
import { givenCredentials, givenFile, givenProject } from './given.ts'
import { createKeptValues } from './kept-values.ts'
import { TestFrame } from './TestFrame.tsx'

// Waits a moment longer than the default, for busy machines.
configure({ asyncUtilTimeout: 5000 })

export interface RenderAppOptions {
  /** The extension's manifest.json, with the app's label, its tabs and their roles. */
  manifest?: unknown
  /** Which app of the manifest. @default the first one */
  appId?: string
  /** Facts of the active project; null for a root app. */
  project?: Partial<Project> | null
  /** Properties of the signed-in user. */
  credentials?: Partial<Credentials>
  /** The person's roles in the project, `reports` or `reports:export`. All when left out: then the project is theirs. */
  roles?: readonly string[]
  /** The page that is opened, below the app's own address. @default '' */
  path?: string
  /**
   * The server's answers. The app's key-value store exists without them, and uploads are accepted; answer `PUT
   * /files`, whose body is the file, to refuse one.
   */
  api?: ApiAnswers
  /** Values of the manifest's settings. @default their defaults */
  settings?: Readonly<Record<string, SettingValue | null>>
  /** BCP 47. @default 'de' */
  locale?: string
}

export interface RenderedApp extends RenderResult {
  /** Every call that the app made, the oldest first. */
  calls: readonly RecordedCall[]
  /** Every message that it showed at the edge of the console. */
  notifications: readonly Notification[]
  /** The contents of its key-value store, by key. */
  kept: ReadonlyMap<string, StoreEntry>
  /** Below the app's own address, the page that is open. */
  path: () => string
  /** Sends news on a topic, as the server does when another user changes something. */
  tell: (topic: string, news: TopicNews) => void
  /** The app's parts of the tab's title, outermost first. */
  titles: () => readonly string[]
  /** The app's actions in the command palette. */
  actions: () => readonly Pick<OfferedAction, 'label' | 'run'>[]
}

/**
 * Renders an app in a host that answers and records its calls. By default the user is the owner of the project with
 * every role. The app is removed after the test.
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

/** The host of an app, which answers and records its calls. */
export function createTestHost(app: AppManifest, options: RenderAppOptions) {
  const { api = {}, locale = 'de' } = options
  const { credentials, project } = whoAndWhere(options)
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

  const host: AppHost = {
    app,
    project,
    credentials,
    locale,
    basePath,
    PageTabs: ({ children }) => <>{children}</>,
    PageCards: () => null,
    AskForAccess: ({ needs, subject }) => <p>{`${subject} needs ${needs}`}</p>,
    call: call as AppHost['call'],
    upload,
    download: download as AppHost['download'],
    sendFile: (file) => ({
      async send({ onProgress }) {
        const stored = (await upload('/files', file)) as StoredFile
        onProgress?.(1)
        return stored
      },
    }),
    refreshProject: async () => {},
    hasRole: (role) => hasRole(credentials, project, role),
    notify: (notification) => void notifications.push(notification),
    claimTitle: () => (title) => {
      titles.push(title)
      return () => void titles.splice(titles.lastIndexOf(title), 1)
    },
    subscribe: (topic, listener) => {
      const heard = { topic, listener }
      listeners.add(heard)
      return () => void listeners.delete(heard)
    },
    // No navigation leaves the page, and no session ends.
    holdUnsavedInput: () => () => {},
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
        for (const heard of listeners) if (heard.topic === topic) heard.listener(news)
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

/** A file that an app uploads is the body of `PUT /files`. */
const uploadAnswers: ApiAnswers = { 'PUT /files': ({ body }) => givenFile(body as File) }

/** The app's part of the manifest; without a manifest the least that an app has. */
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

function whoAndWhere({ project, credentials, roles }: RenderAppOptions) {
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
