import { projectEndpoints } from '@pult/contract'
import { act, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { defineApp } from '../define-extension.ts'
import { useApi, usePageTitle, useProjectIfAny, useRole, useTopic } from '../hooks.ts'
import { useStore, useStoreEntries } from '../use-store.ts'
import { failure } from './answers.ts'
import { givenProject } from './given.ts'
import { renderApp } from './render-app.tsx'

type Use = () => void

/** Creates an app of one page that calls `use` like a hook. */
const appOf = (use: Use) =>
  defineApp({
    routes: [
      {
        name: 'app-show',
        path: '',
        Component: () => {
          use()
          return null
        },
      },
    ],
  })

/** Renders an app and returns the results of a hook. */
function used<T>(hook: () => T, options?: Parameters<typeof renderApp>[1]) {
  const seen: { now?: T } = {}
  const rendered = renderApp(
    appOf(() => {
      seen.now = hook()
    }),
    options,
  )
  return { ...rendered, now: () => seen.now as T }
}

const params = { projectId: '0193a3f0-0000-7000-8000-000000000002' }

test('calls are answered, recorded and checked against their endpoints', async () => {
  const project = givenProject({ label: 'Hall' })
  const { now, calls } = used(useApi, {
    api: {
      'GET /projects/:projectId': project,
      'PUT /projects/:projectId': ({ body }) => ({ ...project, ...Object(body) }),
      'DELETE /projects/:projectId': () => {
        throw failure('FORBIDDEN')
      },
      'POST /projects': { label: 'Half a project' },
    },
  })
  const call = now()
  expect(await call(projectEndpoints.read, { params })).toEqual(project)
  expect(await call(projectEndpoints.update, { params, body: { label: 'Yard' }, revision: 3 })).toMatchObject(
    { label: 'Yard' },
  )
  await expect(call(projectEndpoints.remove, { params })).rejects.toMatchObject({
    name: 'ApiError',
    code: 'FORBIDDEN',
    status: 403,
  })
  await expect(
    call(projectEndpoints.update, { params, body: { label: 'x'.repeat(1000) } }),
  ).rejects.toMatchObject({ code: 'VALIDATION_FAILED', issues: [{ path: ['label'] }] })
  await expect(call(projectEndpoints.create, { body: { label: 'Hall' } })).rejects.toThrow(
    'The reply to POST /projects does not match its endpoint: _id',
  )
  await expect(call(projectEndpoints.list, { query: {} })).rejects.toThrow('No reply for GET /projects')
  expect(calls.map(({ name }) => name.split(' ')[0])).toEqual(['GET', 'PUT', 'DELETE', 'PUT', 'POST', 'GET'])
  expect(calls[1]).toMatchObject({ params, body: { label: 'Yard' }, revision: 3 })
})

test('stored values are available, and a value that has changed meanwhile is not overwritten', async () => {
  const { now, kept } = used(() => useStore('layout', { columns: 1 }))
  await act(() => now().set({ columns: 2 }))
  await expect.poll(() => now().value).toEqual({ columns: 2 })
  expect(kept.get('layout')?.revision).toBe(1)
  await act(() => now().remove())
  await expect.poll(() => now().value).toEqual({ columns: 1 })
  expect(kept.size).toBe(0)

  const entries = used(() => useStoreEntries('cue:'))
  await act(() => entries.now().write('cue:1', 'Blackout', 0))
  await act(() => entries.now().write('other', 'Curtain'))
  await expect.poll(() => entries.now().entries?.map(({ value }) => value)).toEqual(['Blackout'])
  await expect(act(() => entries.now().write('cue:1', 'Curtain', 0))).rejects.toMatchObject({
    code: 'REVISION_CONFLICT',
  })

  const full = used(() => useStore('layout', 0), {
    api: {
      'PUT /projects/:projectId/apps/:app/store/:key': () => {
        throw failure('STORE_FULL')
      },
    },
  })
  await expect(act(() => full.now().set(1))).rejects.toMatchObject({ code: 'STORE_FULL' })
})

test('concurrent writes of the same stored value by two components run one after the other', async () => {
  const { now, kept } = used(() => [useStore('count', 0), useStore('count', 0)] as const)
  await expect.poll(() => now()[0].isLoading).toBe(false)
  const [one, other] = now()
  await act(() => Promise.all([one.set((count) => count + 1), other.set((count) => count + 1)]))
  expect(kept.get('count')).toMatchObject({ value: 2, revision: 2 })
})

test('tests publish events, read titles and choose the user', () => {
  const news: unknown[] = []
  const { tell, titles, now, unmount } = used(
    () => {
      useTopic('/projects/1/cues', (each) => news.push(each))
      usePageTitle('Cues')
      return [useRole('show'), useRole('show:cues')]
    },
    { roles: ['show'] },
  )
  tell('/projects/1/cues', { kind: 'gap' })
  tell('/projects/2/cues', { kind: 'gap' })
  expect([news, titles(), now()]).toEqual([[{ kind: 'gap' }], ['Cues'], [true, false]])
  unmount()
  expect(titles()).toEqual([])
  expect(used(() => useRole('show:cues')).now()).toBe(true)
  expect(used(useProjectIfAny, { project: null }).now()).toBeNull()
})

test('an app opens as in the console: at its first allowed tab, denied where a role is missing', async () => {
  const page = (id: string) => ({ name: `app-show-${id}`, path: id, Component: () => <p>Page {id}</p> })
  const definition = defineApp({ routes: [page('rows'), page('cues')] })
  const manifest = {
    id: 'show',
    version: '1.0.0',
    label: 'Show',
    apps: [
      {
        id: 'show',
        uuid: '0193a3f0-5a2e-7c41-9d5b-2f1b7a6c0d11',
        label: 'Show',
        icon: 'box',
        productSku: 'show',
        role: 'show',
        tabs: [
          { id: 'rows', label: 'Rows', role: 'rows' },
          { id: 'cues', label: 'Cues' },
        ],
      },
    ],
  }
  const { path } = renderApp(definition, { manifest, roles: ['show'] })
  expect(await screen.findByText('Page cues')).toBeTruthy()
  expect(path()).toBe('cues')
  renderApp(definition, { manifest, roles: ['show'], path: 'rows' })
  expect(await screen.findByText('Access denied')).toBeTruthy()
  renderApp(definition, { manifest, roles: ['show', 'show:rows'], path: 'rows' })
  expect(await screen.findByText('Page rows')).toBeTruthy()
  expect(() => renderApp(defineApp({ routes: [{ ...page('rows'), name: 'rows' }] }), { manifest })).toThrow(
    'does not begin with app-show',
  )
})
