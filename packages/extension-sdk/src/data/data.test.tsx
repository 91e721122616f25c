import { edgeEndpoints, noteEndpoints, organisationEndpoints } from '@pult/contract'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, renderHook, waitFor } from '@testing-library/react'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { ApiError } from '../api-error.ts'
import type { AnyInput } from '../call.ts'
import { type ConsoleHost, ConsoleHostProvider, type TopicNews } from '../host.ts'
import { noteRead } from './read-position.ts'
import { useCall } from './use-call.ts'
import { useChange } from './use-change.ts'
import { useLive } from './use-live.ts'

interface Made extends AnyInput {
  name: string
}

type Answer = (call: Made) => unknown

afterEach(cleanup)

/** Renders a hook with a server that records the calls. */
function given<Result>(hook: () => Result, answer: Answer) {
  const calls: Made[] = []
  const listeners = new Map<string, (news: TopicNews) => void>()
  const host = {
    call: async ({ method, path }: { method: string; path: string }, input: AnyInput) => {
      const made = { name: `${method} ${path}`, ...input }
      calls.push(made)
      return answer(made)
    },
    subscribe: (topic: string, listener: (news: TopicNews) => void) => {
      listeners.set(topic, listener)
      return () => void listeners.delete(topic)
    },
  } as unknown as ConsoleHost
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  onTestFinished(() => client.clear())
  const rendered = renderHook(hook, {
    wrapper: ({ children }) => (
      <QueryClientProvider client={client}>
        <ConsoleHostProvider value={host}>{children}</ConsoleHostProvider>
      </QueryClientProvider>
    ),
  })
  const publish = (topic: string, news: TopicNews) => act(async () => listeners.get(topic)?.(news))
  return { ...rendered, calls, client, publish, topics: () => [...listeners.keys()] }
}

const params = { projectId: 'p1' }
const edges = { items: [], total: 0 }
const lost = new ApiError({ code: 'NETWORK', status: 0, message: 'No reply' })
const numbered = (number: number) => ({ ...edges, number })
const event: TopicNews = { kind: 'event', name: 'change', data: null }

test('DEC-02 every read after the first one is a background read, also after a failed one', async () => {
  let answers = 0
  const { calls, result } = given(
    () => useCall(edgeEndpoints.list, { params }),
    () => {
      answers += 1
      if (answers === 1) throw lost
      return edges
    },
  )
  await waitFor(() => expect(result.current.error).toBe(lost))
  await act(async () => void (await result.current.refetch()))
  await act(async () => void (await result.current.refetch()))
  expect(calls.map(({ background }) => background)).toEqual([false, true, true])
})

test('a read ends with the component that waits for it', async () => {
  const { calls, unmount } = given(
    () => useCall(edgeEndpoints.list, { params }),
    () => new Promise(() => {}),
  )
  await waitFor(() => expect(calls).toHaveLength(1))
  expect(calls[0]?.signal?.aborted).toBe(false)
  unmount()
  expect(calls[0]?.signal?.aborted).toBe(true)
})

test('empty and missing values of a query are not sent, and no input reads nothing', async () => {
  const { calls } = given(
    () => [
      useCall(edgeEndpoints.list, { params, query: { search: '', tags: undefined, sort: 'label' } }),
      useCall(edgeEndpoints.read, null),
    ],
    () => edges,
  )
  await waitFor(() => expect(calls).toHaveLength(1))
  expect(calls[0]).toMatchObject({ name: 'GET /projects/:projectId/edges', query: { sort: 'label' } })
  expect(Object.keys(calls[0]?.query ?? {})).toEqual(['sort'])
})

test('no input shows nothing, although the same call without parameters has been read', async () => {
  const { calls, result } = given(
    () => ({
      all: useCall(organisationEndpoints.list, {}),
      none: useCall(organisationEndpoints.list, null),
    }),
    () => edges,
  )
  await waitFor(() => expect(result.current.all.data).toBe(edges))
  expect(result.current.none.data).toBeUndefined()
  expect(calls).toHaveLength(1)
})

test('two components that need the same data make one call', async () => {
  const { calls } = given(
    () => [
      useCall(edgeEndpoints.list, { params }),
      useCall(edgeEndpoints.list, { params, query: { search: '' } }),
    ],
    () => edges,
  )
  await waitFor(() => expect(calls).toHaveLength(1))
})

test('polling pauses longer and longer while reads fail', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  onTestFinished(() => void vi.useRealTimers())
  let isReachable = true
  const { calls } = given(
    () => useCall(edgeEndpoints.list, { params }, { every: 5000 }),
    () => {
      if (!isReachable) throw lost
      return edges
    },
  )
  await act(() => vi.advanceTimersByTimeAsync(10_500))
  expect(calls).toHaveLength(3)
  isReachable = false
  await act(() => vi.advanceTimersByTimeAsync(180_000))
  expect(calls.length).toBeLessThan(12)
})

test('a lost reply and a repeat create one record, a second create after a success creates another', async () => {
  let answers = 0
  const { calls, result } = given(
    () =>
      useChange(organisationEndpoints.create, (label: string) => ({ body: { label } }), {
        touches: ['/orgs'],
      }),
    () => {
      answers += 1
      if (answers === 1) throw lost
      return { _id: 'o1' }
    },
  )
  for (const label of ['Harbour', 'Harbour', 'Harbour', 'Quay'])
    await act(async () => void (await result.current.mutateAsync(label).catch(() => {})))
  const [first, repeated, second, other] = calls.map(({ idempotencyKey }) => idempotencyKey)
  expect(first).toMatch(/^[\da-f]{32}$/)
  expect(repeated).toBe(first)
  expect(new Set([first, second, other]).size).toBe(3)
})

test('a change reads again what it touches, after a failure as well, and nothing else', async () => {
  const { calls, result } = given(
    () => ({
      notes: useCall(noteEndpoints.list, { params }),
      edges: useCall(edgeEndpoints.list, { params }),
      remove: useChange(edgeEndpoints.remove, (edgeId: string) => ({ params: { ...params, edgeId } }), {
        touches: ['/projects/p1/edges'],
      }),
    }),
    ({ name }) => {
      if (name.startsWith('DELETE')) throw lost
      return edges
    },
  )
  await waitFor(() => expect(calls).toHaveLength(2))
  await act(async () => void (await result.current.remove.mutateAsync('e1').catch(() => {})))
  expect(calls.slice(2).map(({ name }) => name)).toEqual([
    'DELETE /projects/:projectId/edges/:edgeId',
    'GET /projects/:projectId/edges',
  ])
})

test('a record that is deleted is not read again while its page closes, but after a failed deletion', async () => {
  let isRefused = true
  const { calls, result, unmount, client } = given(
    () => ({
      organisation: useCall(organisationEndpoints.read, { params: { orgId: 'o1' } }),
      remove: useChange(organisationEndpoints.remove, () => ({ params: { orgId: 'o1' } }), {
        touches: ['/orgs'],
        leaves: '/orgs/o1',
      }),
    }),
    ({ name }) => {
      if (name.startsWith('DELETE') && isRefused) throw lost
      return { _id: 'o1' }
    },
  )
  const names = () => calls.map(({ name }) => name.split(' ')[0])
  await waitFor(() => expect(calls).toHaveLength(1))
  await act(async () => void (await result.current.remove.mutateAsync().catch(() => {})))
  expect(names()).toEqual(['GET', 'DELETE', 'GET'])
  isRefused = false
  await act(async () => void (await result.current.remove.mutateAsync()))
  expect(names()).toEqual(['GET', 'DELETE', 'GET', 'DELETE'])
  unmount()
  expect(client.getQueryCache().getAll()).toEqual([])
})

test('an event and a gap read again what is below the topic, and a handled event does not', async () => {
  const topic = '/projects/p1/edges'
  let isHandled = false
  const { calls, publish, topics } = given(
    () => {
      useLive(topic, { onEvent: () => isHandled })
      useCall(noteEndpoints.list, { params })
      return useCall(edgeEndpoints.read, { params: { ...params, edgeId: 'e1' } })
    },
    () => edges,
  )
  await waitFor(() => expect(calls).toHaveLength(2))
  expect(topics()).toEqual([topic])
  await publish(topic, event)
  await publish(topic, { kind: 'gap' })
  await waitFor(() => expect(calls).toHaveLength(4))
  isHandled = true
  await publish(topic, event)
  await act(async () => {})
  expect(calls.slice(2).map(({ name }) => name)).toEqual(
    Array.from({ length: 2 }, () => 'GET /projects/:projectId/edges/:edgeId'),
  )
})

test('RULE-64 what was read at the position of the opening is not read a second time, older data is', async () => {
  const topic = '/projects/p1/edges'
  let answers = 0
  const { calls, publish } = given(
    () => {
      useLive(topic)
      return useCall(edgeEndpoints.list, { params })
    },
    () => {
      answers += 1
      const reply = numbered(answers)
      noteRead(reply, `node ${answers}`)
      return reply
    },
  )
  await waitFor(() => expect(calls).toHaveLength(1))
  await publish(topic, { kind: 'gap', at: 'node 1' })
  await act(async () => {})
  expect(calls).toHaveLength(1)
  await publish(topic, { kind: 'gap', at: 'node 2' })
  await waitFor(() => expect(calls).toHaveLength(2))
  await publish(topic, { kind: 'gap', at: 'other 1' })
  await waitFor(() => expect(calls).toHaveLength(3))
})
