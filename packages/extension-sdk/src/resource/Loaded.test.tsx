import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { ApiError } from '../api-error.ts'
import { definePageTab } from '../define-extension.ts'
import { AppHostProvider, useAppHost } from '../host.ts'
import { renderPageTab } from '../testing/render-card.tsx'
import { Loaded, type LoadedProps } from './Loaded.tsx'
import { RecordPage } from './RecordPage.tsx'

type Query = LoadedProps<string>['query']

const failure = (code: string) => new ApiError({ code, message: `Refused: ${code}`, status: 400 })

const query = (facts: Partial<Query>): Query => ({
  data: undefined,
  error: null,
  dataUpdatedAt: 0,
  fetchStatus: 'idle',
  refetch: vi.fn<Query['refetch']>(),
  ...facts,
})

const show = (shown: Query, gone?: string) =>
  renderPageTab(
    definePageTab({
      Component: () => (
        <Loaded query={shown} failed="Cue not loaded" {...(gone !== undefined && { gone })}>
          {(cue) => <p>{cue}</p>}
        </Loaded>
      ),
    }),
    { id: '' },
  )

const age = /^As of .*It could not be read again\.$/

test('a current reply is rendered without its age', async () => {
  await show(query({ data: 'North', dataUpdatedAt: Date.now() }))
  expect(screen.getByText('North')).toBeTruthy()
  expect(screen.queryByText(age)).toBeNull()
})

test('a reply that could not be refetched stays, with its age', async () => {
  await show(query({ data: 'North', dataUpdatedAt: Date.now(), error: failure('BUSY') }))
  expect(screen.getByText('North')).toBeTruthy()
  expect(screen.getByText(age)).toBeTruthy()
})

test('a failure is shown with "Try again"', async () => {
  const failed = query({ error: failure('BUSY') })
  await show(failed, 'This cue is gone')
  expect(screen.getByRole('alert').textContent).toContain('Cue not loaded')
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(failed.refetch).toHaveBeenCalledOnce()
})

test('a sign-in that a proxy requests is reached by a reload, which keeps a session in memory', async () => {
  const openDocument = vi.fn<(href?: string) => void>()
  const failed = query({ error: failure('PROXY_SIGN_IN') })
  await renderPageTab(
    definePageTab({
      Component: () => (
        <AppHostProvider value={{ ...useAppHost(), openDocument }}>
          <Loaded query={failed} failed="Cue not loaded">
            {(cue) => <p>{cue}</p>}
          </Loaded>
        </AppHostProvider>
      ),
    }),
    { id: '' },
  )
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Reload the page' }))
  expect(openDocument).toHaveBeenCalledExactlyOnceWith()
})

test.each(['NOT_FOUND', 'FORBIDDEN', 'VALIDATION_FAILED'])(
  'a record that returns %s is shown as gone, even if its last version is known',
  async (code) => {
    await show(query({ data: 'North', error: failure(code) }), 'This cue is gone')
    expect(screen.getByText('This cue is gone')).toBeTruthy()
    expect(screen.queryByText('North')).toBeNull()
    expect(screen.queryByText(age)).toBeNull()
  },
)

const showPage = (shown: Query) =>
  renderPageTab(
    definePageTab({
      Component: () => (
        <RecordPage back="All cues" query={shown} failed="Cue not loaded" gone="This cue is gone">
          {(cue) => <h1>{cue}</h1>}
        </RecordPage>
      ),
    }),
    { id: '' },
  )

test('the page of a record shows the age beside the back link', async () => {
  await showPage(query({ data: 'North', dataUpdatedAt: Date.now(), error: failure('BUSY') }))
  const back = screen.getByRole('link', { name: 'All cues' })
  expect(back.parentElement?.textContent).toMatch(/It could not be read again/)
  expect(screen.getByRole('heading', { name: 'North' })).toBeTruthy()
})

test('the page of a record that was deleted meanwhile shows no age', async () => {
  await showPage(query({ data: 'North', dataUpdatedAt: Date.now(), error: failure('NOT_FOUND') }))
  expect(screen.getByText('This cue is gone')).toBeTruthy()
  expect(screen.queryByText(age)).toBeNull()
})
