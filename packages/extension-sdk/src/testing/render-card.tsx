import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, type RenderResult, render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { onTestFinished } from 'vitest'
import type { ActionContext } from '../actions/action.ts'
import { backendOf } from '../backend.ts'
import type { CardDefinition, PageTabDefinition, ReadContext } from '../define-extension.ts'
import { AppHostProvider } from '../host.ts'
import type { Notification } from '../notification.ts'
import type { RecordedCall } from './answers.ts'
import { appOf, createTestHost, type RenderAppOptions } from './render-app.tsx'

export type RenderPartOptions = Omit<RenderAppOptions, 'path'>

export interface GivenContext {
  /** Argument for `read` of a navigation entry, for a search provider and for an action. */
  context: ReadContext & ActionContext
  /** Every call, oldest first. */
  calls: readonly RecordedCall[]
  /** Every message shown at the edge of the console. */
  notifications: readonly Notification[]
  /** Every opened app: `id` or `id/path`. */
  opened: readonly string[]
}

/**
 * Creates a context for the parts of an app without a page: navigation entries, search providers and actions.
 *
 * @example
 * const { context } = givenContext({ api: { 'GET /projects/:projectId/edge-instances': { items: [], total: 0 } } })
 * expect(await navigation.read(context)).toEqual({ count: 0, label: '0 edges' })
 */
export function givenContext(options: RenderPartOptions = {}): GivenContext {
  const app = appOf({ routes: [] }, options)
  const { host, calls, notifications } = createTestHost(app, options)
  const opened: string[] = []
  const context = {
    project: host.project,
    subject: null,
    call: host.call,
    backend: backendOf(host.call, app.id, host.project?._id ?? null),
    notify: host.notify,
    signal: new AbortController().signal,
    openApp: (appId: string, path = '') => void opened.push(path === '' ? appId : `${appId}/${path}`),
  }
  return { context, calls, notifications, opened }
}

export interface RenderedCard extends RenderResult {
  calls: readonly RecordedCall[]
  notifications: readonly Notification[]
}

/**
 * Reads the data of a card and renders its content, or its text if it is empty, in a host that records and answers its
 * calls. The card is unmounted after the test.
 *
 * @throws the error of `read`, for which the console shows an error in the card.
 * @example await renderCard(card, { manifest, api }); expect(screen.getByText('21 °C')).toBeTruthy()
 */
export async function renderCard(
  card: CardDefinition,
  { subject = null, ...options }: RenderPartOptions & { subject?: string | null } = {},
): Promise<RenderedCard> {
  const hosted = createTestHost(appOf({ routes: [] }, options), options)
  const { app, project, call } = hosted.host
  const backend = backendOf(call, app.id, project?._id ?? null)
  const data = await card.read({ project, subject, call, backend, signal: new AbortController().signal })
  return renderPart(card.empty?.(data) ?? <card.Component data={data} />, hosted)
}

/**
 * Renders a tab of a page for an edge, a project or a person in a host that records and answers its calls. The tab is
 * unmounted after the test.
 *
 * @example await renderPageTab(tab, { id: edge._id, manifest, api }); expect(screen.getByText('21 °C')).toBeTruthy()
 */
export async function renderPageTab(
  { Component }: PageTabDefinition,
  { id, ...options }: RenderPartOptions & { id: string },
): Promise<RenderedCard> {
  const hosted = createTestHost(appOf({ routes: [] }, options), options)
  return renderPart(<Component id={id} />, hosted)
}

async function renderPart(
  content: ReactNode,
  { host, calls, notifications }: ReturnType<typeof createTestHost>,
): Promise<RenderedCard> {
  const router = createMemoryRouter([
    { path: '*', element: <AppHostProvider value={host}>{content}</AppHostProvider> },
  ])
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  onTestFinished(() => {
    cleanup()
    queryClient.clear()
  })
  const rendered = await act(async () =>
    render(
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>,
    ),
  )
  return { ...rendered, calls, notifications }
}
