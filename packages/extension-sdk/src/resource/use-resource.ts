import type { Endpoint } from '@pult/contract'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { api } from '../api.ts'
import { callOf } from '../query-client.ts'
import { defaultId, type IdOf, type Row, readListPage } from './list-page.ts'
import type { ResourceEndpoints } from './resource-view.ts'

/** The most that a page of the contract holds. */
const pageSize = '200'

/** The calls of a resource as queries and functions; what they answer is shown at once and the list read again. */
export interface ResourceCalls<Item> extends ReturnType<typeof createCalls<Item>> {}

/**
 * The calls of endpoints that the contract's `resource()` has made.
 *
 * @example const notes = useResource<Note>(noteEndpoints, { projectId })
 */
export function useResource<Item>(
  endpoints: ResourceEndpoints,
  params: Record<string, string> = {},
  idOf: IdOf<Item> = defaultId,
): ResourceCalls<Item> {
  return createCalls(useQueryClient(), endpoints, params, idOf)
}

type Client = ReturnType<typeof useQueryClient>

function createCalls<Item>(
  client: Client,
  endpoints: ResourceEndpoints,
  params: Record<string, string>,
  idOf: IdOf<Item>,
) {
  const key = [endpoints.list.path, params]
  const listKey = [...key, 'list']

  /** A page of the list; `after` is `next` of the page before. */
  const page = (search: string, after: string | null) =>
    queryOptions({
      queryKey: [...listKey, search, after],
      queryFn: async (context) => {
        const query = {
          limit: pageSize,
          ...(after !== null && { after }),
          ...(search !== '' && { search }),
        }
        return readListPage(await call(endpoints.list, { ...callOf(context), params, query }), idOf)
      },
    })

  const item = (itemId: string) =>
    queryOptions({
      queryKey: [...key, 'one', itemId],
      queryFn: async (context) =>
        (await call(endpoints.read, { ...callOf(context), params: { ...params, itemId } })) as Item,
    })

  /** The records on screen, in the order of the list. */
  const rowsInView = () =>
    client
      .getQueryCache()
      .findAll({ queryKey: listKey, type: 'active' })
      .flatMap(({ queryKey }) => client.getQueryData<{ rows: Row<Item>[] }>(queryKey)?.rows ?? [])

  function show(changed: Item): Item {
    client.setQueryData(item(idOf(changed)).queryKey, changed)
    void client.invalidateQueries({ queryKey: listKey })
    return changed
  }

  return {
    /** Begins the keys of everything that is known of the resource. */
    key,
    page,
    item,
    rowsInView,
    /** Shows a record that the server has just answered. */
    show,
    idOf,
    create: async (body: unknown, idempotencyKey: string) =>
      show((await call(endpoints.create, { params, body, idempotencyKey })) as Item),
    update: async (itemId: string, body: unknown, revision: number | undefined) => {
      const how = { ...(revision !== undefined && { revision }) }
      return show((await call(endpoints.update, { params: { ...params, itemId }, body, ...how })) as Item)
    },
    /** The page about it has to go by itself: it would ask for what is gone. */
    remove: async (itemId: string) => {
      await call(endpoints.remove, { params: { ...params, itemId } })
      void client.invalidateQueries({ queryKey: listKey })
    },
    exec: async (itemId: string, command: string, cmdPayload?: unknown) => {
      const body = { ...(cmdPayload !== undefined && { cmdPayload }) }
      return show((await call(endpoints.exec, { params: { ...params, itemId, command }, body })) as Item)
    },
  }
}

interface AnyCall {
  params?: Record<string, string>
  query?: Record<string, string>
  body?: unknown
  signal?: AbortSignal
  background?: boolean
  revision?: number
  idempotencyKey?: string
}

/** What the resource's own endpoints say about their calls is known to the one who made them. */
const call = api as (endpoint: Endpoint, input: AnyCall) => Promise<unknown>
