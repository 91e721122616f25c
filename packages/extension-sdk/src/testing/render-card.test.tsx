import { edgeInstanceEndpoints } from '@pult/contract'
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
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
