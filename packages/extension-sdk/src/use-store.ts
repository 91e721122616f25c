import { type StoreEntry, storeEndpoints } from '@pult/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { ApiError } from './api-error.ts'
import { callOf } from './call.ts'
import { useProject } from './hooks.ts'
import { useAppHost } from './host.ts'
import { useLiveQueries } from './use-live-queries.ts'

export interface Stored<Value> {
  /** What is kept; the initial value as long as there is nothing. */
  value: Value
  /** What is known of it beside: `revision`, who changed it and when. Null when there is nothing, or not yet. */
  entry: StoreEntry | null
  /** The first reading is on its way. */
  isLoading: boolean
  /** Why it could not be read. */
  error: Error | null
  /**
   * Keeps another value, or what a function makes of the present one. One after the other, each over what the one before
   * has left. Afterwards `value` is what the server keeps.
   *
   * @throws {ApiError} REVISION_CONFLICT when somebody else has changed it since it was read: by then `value` is theirs.
   * STORE_FULL when the app keeps too much in this project.
   */
  set: (value: Value | ((now: Value) => Value)) => Promise<void>
  /** Forgets it. */
  remove: () => Promise<void>
}

/**
 * A value that the app keeps on the server under a key, for the active project and everybody who may open the app. It is
 * any JSON, and live: what others keep appears by itself.
 *
 * @param key Letters, digits and `. _ : -`, at most 100.
 * @example const { value: columns, set } = useStore('columns', ['label', 'state'])
 */
export function useStore<Value>(key: string, initial: Value): Stored<Value> {
  const { call, params, queryKey } = useStoreOfApp()
  const client = useQueryClient()
  const itsKey = [...queryKey, 'one', key]
  const { data, error, isPending } = useQuery({
    queryKey: itsKey,
    queryFn: (context) =>
      call(storeEndpoints.read, { ...callOf(context), params: { ...params, key } }).catch(asNothing),
  })
  const entry = data ?? null
  const valueOf = (kept: StoreEntry | null | undefined) => (kept ? (kept.value as Value) : initial)
  const queue = useRef<Promise<unknown>>(Promise.resolve())

  function after<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = queue.current.then(work)
    queue.current = result.catch(() => {})
    return result
  }
  async function keep(next: Value | ((now: Value) => Value)) {
    const now = client.getQueryData<StoreEntry | null>(itsKey)
    const value = typeof next === 'function' ? (next as (now: Value) => Value)(valueOf(now)) : next
    try {
      const revision = now?.revision ?? 0
      const kept = await call(storeEndpoints.write, { params: { ...params, key }, body: { value }, revision })
      client.setQueryData(itsKey, kept)
    } catch (failure) {
      // Whoever catches it finds what the others have kept.
      await client.invalidateQueries({ queryKey: itsKey })
      throw failure
    }
  }
  return {
    value: valueOf(entry),
    entry,
    isLoading: isPending,
    error,
    set: (next) => after(() => keep(next)),
    remove: () =>
      after(async () => {
        await call(storeEndpoints.remove, { params: { ...params, key } })
        client.setQueryData(itsKey, null)
      }),
  }
}

export interface StoredEntries {
  /** By key; undefined until they are here. */
  entries: readonly StoreEntry[] | undefined
  error: Error | null
  /**
   * Keeps a value under a key.
   *
   * @param revision That of the entry it replaces, 0 where there may be none yet. Without it, what others have kept
   * meanwhile is overwritten.
   * @throws {ApiError} REVISION_CONFLICT, STORE_FULL.
   */
  write: (key: string, value: unknown, revision?: number) => Promise<StoreEntry>
  remove: (key: string) => Promise<void>
}

/**
 * All that the app keeps in the active project under keys that begin with the prefix; all of it without one. Live.
 *
 * @example const { entries, write } = useStoreEntries('cue:')
 */
export function useStoreEntries(prefix = ''): StoredEntries {
  const { call, params, queryKey } = useStoreOfApp()
  const client = useQueryClient()
  const { data, error } = useQuery({
    queryKey: [...queryKey, 'list', prefix],
    queryFn: async (context) => {
      const query = { ...(prefix !== '' && { prefix }) }
      return (await call(storeEndpoints.list, { ...callOf(context), params, query })).items
    },
  })
  const readAgain = () => client.invalidateQueries({ queryKey })
  return {
    entries: data,
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

/** The calls of the store of the app around, whose queries are kept fresh while a component uses it. */
function useStoreOfApp() {
  const { app, call } = useAppHost()
  const { _id: projectId } = useProject()
  const queryKey = ['app-store', projectId, app.id]
  useLiveQueries(`/projects/${projectId}/apps/${app.id}/store`, queryKey)
  return { call, params: { projectId, app: app.id }, queryKey }
}

function asNothing(error: unknown): null {
  if (error instanceof ApiError && error.code === 'NOT_FOUND') return null
  throw error
}
