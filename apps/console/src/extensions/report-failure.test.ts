import type { Fragment } from '@pult/contract'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from '#platform/api-error.ts'
import { LoadingError } from '#platform/loading-error.ts'
import { newerExtensions } from './registry.ts'
import { reportFailure } from './report-failure.ts'

const sent = vi.fn<typeof fetch>(async () => new Response('true'))
const reports = () => sent.mock.calls.map(([url, init]) => [url, JSON.parse(init?.body as string) as unknown])

let count = 0
/** An extension that no other test has reported. */
const extension = () => ({ id: `crane-${(count += 1)}`, version: '1.2.0' }) as Fragment

beforeEach(() => {
  vi.stubGlobal('fetch', sent)
})
afterEach(() => {
  sent.mockClear()
  newerExtensions.set(new Set())
  vi.unstubAllGlobals()
})

test('a failure is reported once for each part, with the start of its message', async () => {
  const crane = extension()
  for (const part of ['card', 'page', 'card']) reportFailure(crane, part, new Error('x'.repeat(400)))
  reportFailure(crane, 'tab', 'thrown as it is')
  const url = `/api/extensions/${crane.id}/failures`
  const message = 'x'.repeat(300)
  await vi.waitFor(() =>
    expect(reports()).toEqual([
      [url, { version: '1.2.0', part: 'card', message }],
      [url, { version: '1.2.0', part: 'page', message }],
      [url, { version: '1.2.0', part: 'tab', message: 'thrown as it is' }],
    ]),
  )
})

test('neither refusals, missing networks and aborted reads nor code that an update has replaced are reported', async () => {
  const [crane, replaced] = [extension(), extension()]
  newerExtensions.set(new Set([replaced.id]))
  reportFailure(crane, 'call', new ApiError({ code: 'FORBIDDEN', status: 403, message: 'No access' }))
  reportFailure(crane, 'load', new LoadingError('It did not arrive', true))
  reportFailure(crane, 'read', new DOMException('Aborted', 'AbortError'))
  reportFailure(replaced, 'card', new Error('Gone'))
  reportFailure(crane, 'entry', new LoadingError('It exports no extension', false))
  await vi.waitFor(() => expect(sent).toHaveBeenCalled())
  expect(reports()).toMatchObject([[expect.stringContaining(crane.id), { part: 'entry' }]])
})

test('a page reports at most 50 failures', async () => {
  const crane = extension()
  for (let part = 0; part < 60; part += 1) reportFailure(crane, `card-${part}`, new Error('Again'))
  await vi.waitFor(() => expect(sent).toHaveBeenCalled())
  // Those of the tests above count as well.
  expect(sent.mock.calls.length).toBeLessThanOrEqual(50)
})
