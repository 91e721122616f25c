import { edgeInstanceEndpoints, endpoint, projectHeader } from '@pult/contract'
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { backendOf } from '../backend.ts'
import type { Call } from '../call.ts'
import {
  defineAction,
  defineCard,
  defineNavigation,
  definePageTab,
  defineSearch,
} from '../define-extension.ts'
import { useProject } from '../hooks.ts'
import { AppLink } from '../routing.tsx'
import { givenContext, renderCard, renderPageTab } from './render-card.tsx'

const instances = (labels: readonly string[]) => ({
  'GET /projects/:projectId/edge-instances': { items: [], total: labels.length },
})
const card = defineCard<number>({
  read: async ({ project, call, signal }) =>
    (await call(edgeInstanceEndpoints.list, { params: { projectId: project?._id ?? '' }, signal })).total,
  empty: (count) => (count === 0 ? 'No programs yet' : null),
  Component: function Count({ data }) {
    const { label } = useProject()
    return <AppLink to="all">{`${data} programs of ${label}`}</AppLink>
  },
})

test('a card is rendered with its data, or with its text if it is empty', async () => {
  const project = { label: 'Hall' }
  const { calls, unmount } = await renderCard(card, { project, api: instances(['a', 'b']) })
  expect(screen.getByRole('link', { name: '2 programs of Hall' })).toBeTruthy()
  expect(calls).toHaveLength(1)
  unmount()
  await renderCard(card, { project, api: instances([]) })
  expect(screen.getByText('No programs yet')).toBeTruthy()
})

test('a tab of a page is rendered with the id of its subject', async () => {
  const tab = definePageTab({ Component: ({ id }) => <p>{`Heat of ${id}`}</p> })
  await renderPageTab(tab, { id: 'e7' })
  expect(screen.getByText('Heat of e7')).toBeTruthy()
})

test('navigation entries, search providers and actions run with a given context', async () => {
  const { context, notifications, opened } = givenContext({ project: { label: 'Hall' } })
  const navigation = defineNavigation({
    read: async ({ project }) => ({ count: 1, label: project?.label ?? '' }),
  })
  expect(await navigation.read(context)).toEqual({ count: 1, label: 'Hall' })
  const search = defineSearch(async (text) => [{ id: '1', label: text, path: '' }])
  expect(await search('pump', context)).toHaveLength(1)
  const action = defineAction(({ thing, notify, openApp }) => {
    notify({ title: `Started ${thing?.label}` })
    openApp('show', 'plan')
  })
  await action({ ...context, thing: { id: '1', label: 'Pump' } })
  expect([notifications, opened]).toEqual([[{ title: 'Started Pump' }], ['show/plan']])
})

const cues = endpoint('GET', '/cues', { summary: 'Lists cues.', reply: z.object({ total: z.number() }) })
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
    },
  ],
}

test('cards, navigation entries and actions call the service of their app as its pages do', async () => {
  const options = { manifest, api: { 'GET /apps/show/cues': { total: 3 } } }
  const counted = defineCard<number>({
    read: async ({ backend, signal }) => (await backend(cues, { signal })).total,
    Component: ({ data }) => <p>{`${data} cues`}</p>,
  })
  await renderCard(counted, options)
  expect(screen.getByText('3 cues')).toBeTruthy()

  const { context, calls, notifications } = givenContext(options)
  const navigation = defineNavigation({
    read: async ({ backend }) => ({ label: `${(await backend(cues)).total} cues` }),
  })
  expect(await navigation.read(context)).toEqual({ label: '3 cues' })
  const action = defineAction(async ({ backend, notify }) =>
    notify({ title: `${(await backend(cues)).total} cues` }),
  )
  await action({ ...context, thing: null })
  expect(notifications).toEqual([{ title: '3 cues' }])
  expect(calls.map(({ name }) => name)).toEqual(['GET /apps/show/cues', 'GET /apps/show/cues'])
})

test('a call of the service of an app names the project', async () => {
  const made: unknown[] = []
  const call = (async (...input: unknown[]) => void made.push(input)) as unknown as Call
  await backendOf(call, 'show', 'p1')(cues)
  await backendOf(call, 'show', null)(cues, { background: true })
  expect(made).toMatchObject([
    [{ path: '/apps/show/cues' }, { headers: { [projectHeader]: 'p1' } }],
    [{ path: '/apps/show/cues' }, { background: true }],
  ])
  expect(JSON.stringify(made[1])).not.toContain(projectHeader)
})
