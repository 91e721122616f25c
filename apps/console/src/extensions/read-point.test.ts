import { endpoint, meEndpoints, z } from '@pult/contract'
import type { ReadContext } from '@pult/sdk'
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { App } from './registry.ts'

// The components must not take this for a browser. The code of extensions reads the import map of its page.
await import('@pult/ui')
vi.stubGlobal('location', { search: '' })
vi.stubGlobal('document', { documentElement: { lang: 'de' }, querySelector: () => null })
const { withTimeout } = await import('./read-point.ts')

const heat = endpoint('GET', '/heat', { summary: 'Reads the heat.', reply: z.literal(true) })
const app = {
  manifest: { id: 'works', productSku: 'root' },
  extension: { id: 'works', version: '1.0.0' },
} as App

/** A server that never answers. */
const sent = vi.fn<typeof fetch>(
  (_url, init) =>
    new Promise((_resolve, reject) => {
      const { signal } = init ?? {}
      const end = () => reject(signal?.reason as Error)
      if (signal?.aborted) end()
      else signal?.addEventListener('abort', end)
    }),
)
const calls = () =>
  sent.mock.calls.map(([url, init]) => ({
    url,
    isBackground: new Headers(init?.headers).has('x-pult-background'),
    isAborted: init?.signal?.aborted,
  }))

let limit: AbortController

beforeEach(() => {
  vi.stubGlobal('fetch', sent)
  limit = new AbortController()
  // The test ends the limit of the point. That of a call never ends.
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((after) =>
    after === 3000 ? limit.signal : new AbortController().signal,
  )
})
afterEach(() => {
  sent.mockClear()
  vi.restoreAllMocks()
})
afterAll(() => void vi.unstubAllGlobals())

/** An extension that hands on neither the signal nor anything else. */
const forgetful = async ({ call, backend }: ReadContext) =>
  void (await Promise.all([call(meEndpoints.read), backend(heat)]))

test.each([
  ['are background calls', true],
  ['count as use of the session', false],
])(
  'the calls of an extension that forgets to hand on the signal end at its time limit, and %s',
  async (_kind, background) => {
    const reading = withTimeout(app, { signal: new AbortController().signal, background }, forgetful)
    await vi.waitFor(() => expect(sent).toHaveBeenCalledTimes(2))
    expect(calls()).toEqual(
      ['/api/me', '/api/apps/works/heat'].map((url) => ({
        url,
        isBackground: background,
        isAborted: false,
      })),
    )
    limit.abort(new DOMException('Too late', 'TimeoutError'))
    await expect(reading).rejects.toThrow('No answer within 3 s')
    expect(calls().map(({ isAborted }) => isAborted)).toEqual([true, true])
  },
)

test('the calls of an extension that forgets to hand on the signal end when the result is no longer needed', async () => {
  const closed = new AbortController()
  const reading = withTimeout(app, { signal: closed.signal, background: false }, forgetful)
  await vi.waitFor(() => expect(sent).toHaveBeenCalledTimes(2))
  closed.abort()
  await expect(reading).rejects.toThrow('Aborted')
  expect(calls().map(({ isAborted }) => isAborted)).toEqual([true, true])
})

test('an extension makes no call after its time limit', async () => {
  const late = Promise.withResolvers<ReadContext['call']>()
  const reading = withTimeout(app, { signal: new AbortController().signal, background: true }, ({ call }) => {
    late.resolve(call)
    return new Promise(() => {})
  })
  limit.abort(new DOMException('Too late', 'TimeoutError'))
  await expect(reading).rejects.toThrow('No answer within 3 s')
  await expect((await late.promise)(meEndpoints.read)).rejects.toThrow('Too late')
})
