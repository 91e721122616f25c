import { type StoreEntry, storeEndpoints } from '@pult/contract'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { ApiError } from './api-error.ts'
import { readingOf } from './data/call-query.ts'
import { keyOf } from './data/query-key.ts'
import { useCall } from './data/use-call.ts'
import { useLive } from './data/use-live.ts'
import { useReadAgain } from './data/use-read-again.ts'
import { useProject } from './hooks.ts'
import { useAppHost } from './host.ts'

export interface Stored<Value> {
  /** The stored value, or the initial value without a stored one. */
  value: Value
  /**
   * The entry with its metadata: `revision`, last editor and time. Null without a stored value and until it has loaded.
   */
  entry: StoreEntry | null
  /** Set until the first read completes. */
  isLoading: boolean
  /** The error of a failed read. */
  error: Error | null
  /**
   * Stores a new value, or the result of a function of the current one. Calls run one after the other, each based on
   * the result of the previous one. Afterwards `value` is the server's value.
   *
   * @throws {ApiError} REVISION_CONFLICT if another user has changed the value since it was read; `value` is then the
   * new one. STORE_FULL if the app has used up its storage in this project.
   */
  set: (value: Value | ((now: Value) => Value)) => Promise<void>
  /** Deletes the stored value. */
  remove: () => Promise<void>
}

/**
 * Reads and writes a value that the app stores on the server under a key, for the active project and all users who may
 * open the app. It can be any JSON. It is live: changes by other users appear automatically.
 *
 * @param key Letters, digits and `. _ : -`, at most 100.
 * @example const { value: columns, set } = useStore('columns', ['label', 'state'])
 */
export function useStore<Value>(key: string, initial: Value): Stored<Value> {
  const { call, params } = useStoreOfApp()
  const client = useQueryClient()
  // Apart from the reply itself: a missing value is no failure.
  const itsKey = [...keyOf(storeEndpoints.read, { params: { ...params, key } }), 'entry']
  const { data, error, isPending } = useQuery({
    queryKey: itsKey,
    queryFn: (context) =>
      call(storeEndpoints.read, { ...readingOf(context), params: { ...params, key } }).catch(asNothing),
  })
  const entry = data ?? null
  const valueOf = (kept: StoreEntry | null | undefined) => (kept ? (kept.value as Value) : initial)
  async function keep(next: Value | ((now: Value) => Value)) {
    const now = client.getQueryData<StoreEntry | null>(itsKey)
    const value = typeof next === 'function' ? (next as (now: Value) => Value)(valueOf(now)) : next
    try {
      const revision = now?.revision ?? 0
      const kept = await call(storeEndpoints.write, { params: { ...params, key }, body: { value }, revision })
      client.setQueryData(itsKey, kept)
    } catch (failure) {
      // The caller who handles the error then sees the value of the other user.
      await client.invalidateQueries({ queryKey: itsKey })
      throw failure
    }
  }
  return {
    value: valueOf(entry),
    entry,
    isLoading: isPending,
    error,
    set: (next) => inTurn(client, itsKey, () => keep(next)),
    remove: () =>
      inTurn(client, itsKey, async () => {
        await call(storeEndpoints.remove, { params: { ...params, key } })
        client.setQueryData(itsKey, null)
      }),
  }
}

export interface StoredEntries {
  /** Entries ordered by key; undefined until they have loaded. */
  entries: readonly StoreEntry[] | undefined
  error: Error | null
  /**
   * Stores a value under a key.
   *
   * @param revision Revision of the replaced entry, or 0 for a new entry. Without it, changes by other users are
   * overwritten.
   * @throws {ApiError} REVISION_CONFLICT, STORE_FULL.
   */
  write: (key: string, value: unknown, revision?: number) => Promise<StoreEntry>
  remove: (key: string) => Promise<void>
}

/**
 * Returns the entries of the app in the active project whose keys have the prefix, by default all entries. Live.
 *
 * @example const { entries, write } = useStoreEntries('cue:')
 */
export function useStoreEntries(prefix = ''): StoredEntries {
  const { call, params, topic } = useStoreOfApp()
  const { data, error } = useCall(storeEndpoints.list, { params, query: { prefix } })
  const readAgain = useReadAgain(topic)
  return {
    entries: data?.items,
    error,
    write: async (key, value, revision) => {
      const how = { ...(revision !== undefined && { revision }) }
      try {
        return await call(storeEndpoints.write, { params: { ...params, key }, body: { value }, ...how })
      } finally {
        await readAgain()
      }
    },
    remove: async (key) => {
      await call(storeEndpoints.remove, { params: { ...params, key } })
      await readAgain()
    },
  }
}

/** The last write by query key. All components that write the same value share one queue. */
const lastWrites = new WeakMap<QueryClient, Map<string, Promise<unknown>>>()

function inTurn<Result>(
  client: QueryClient,
  queryKey: readonly unknown[],
  write: () => Promise<Result>,
): Promise<Result> {
  const writes = lastWrites.get(client) ?? new Map<string, Promise<unknown>>()
  lastWrites.set(client, writes)
  const key = JSON.stringify(queryKey)
  const result = (writes.get(key) ?? Promise.resolve()).then(write)
  writes.set(
    key,
    result.catch(() => {}),
  )
  return result
}

/** Returns the calls of the surrounding app's store and keeps its queries fresh while the component is mounted. */
function useStoreOfApp() {
  const { app, call } = useAppHost()
  const { _id: projectId } = useProject()
  const topic = `/projects/${projectId}/apps/${app.id}/store`
  useLive(topic)
  return { call, params: { projectId, app: app.id }, topic }
}

function asNothing(error: unknown): null {
  if (error instanceof ApiError && error.code === 'NOT_FOUND') return null
  throw error
}
