import { failure, renderApp } from '@pult/sdk/testing'
import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import manifest from '../manifest.json' with { type: 'json' }
import app from './app.ts'

test('the app greets the user and names the project', async () => {
  const { notifications } = renderApp(app, {
    manifest,
    credentials: { firstname: 'Ada' },
    project: { label: 'Harbour Lights' },
  })
  expect(await screen.findByRole('heading', { name: 'Hello Ada' })).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Greet' }))
  expect(notifications).toEqual([{ title: 'Hello', text: 'Harbour Lights', tone: 'success' }])
})

test('an added item is stored on the server until it is removed', async () => {
  const { kept } = renderApp(app, { manifest, path: 'list' })
  await userEvent.type(await screen.findByLabelText('New item'), 'Check the lamps{Enter}')
  expect(await screen.findByText('Check the lamps')).toBeTruthy()
  expect([...kept.values()].map(({ value }) => value)).toEqual(['Check the lamps'])

  await userEvent.click(screen.getByRole('button', { name: 'Remove Check the lamps' }))
  expect(await screen.findByText('Nothing yet')).toBeTruthy()
  expect(kept.size).toBe(0)
})

test('a full list is reported', async () => {
  const { notifications } = renderApp(app, {
    manifest,
    path: 'list',
    api: {
      'PUT /projects/:projectId/apps/:app/store/:key': () => {
        throw failure('STORE_FULL')
      },
    },
  })
  await userEvent.type(await screen.findByLabelText('New item'), 'Check the lamps{Enter}')
  expect(notifications).toMatchObject([{ title: 'Changing the list failed', error: { code: 'STORE_FULL' } }])
})

test('a viewer has no list', async () => {
  renderApp(app, { manifest, roles: ['my-extension'], path: 'list' })
  expect(await screen.findByText('Access denied')).toBeTruthy()
  expect(screen.queryByRole('link', { name: 'List' })).toBeNull()
})
