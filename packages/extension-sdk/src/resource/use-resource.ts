import type { Endpoint } from '@pult/contract'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { type AnyCall, callOf } from '../call.ts'
import { useApi, useBackend } from '../hooks.ts'
import { defaultId, type IdOf, type Row, readListPage } from './list-page.ts'
import type { ResourceEndpoints } from './resource-view.ts'

/** Maximum number of records of a page, from the contract. */
const pageSize = '200'

/** The calls of a resource as queries and functions. Replies are shown immediately, and the list is refetched. */
export interface ResourceCalls<Item> extends ReturnType<typeof createCalls<Item>> {}

export interface ResourceOptions<Item> {
  /** Values of the parameters in the endpoints' paths, except `itemId`. */
  params?: Record<string, string> | undefined
  /** Returns the id of a record; by default its `_id`. */
  idOf?: IdOf<Item> | undefined
  /** Sends the calls to the app's own service: see `useBackend`. */
  isBackend?: boolean | undefined
}

/**
 * Returns the calls of endpoints that `resource()` of `@pult/sdk/api` has created.
 *
 * @example const notes = useResource<Note>(noteEndpoints, { params: { projectId } }); await notes.exec(note._id, 'pin')
 */
export function useResource<Item>(
  endpoints: ResourceEndpoints,
  { params = {}, idOf = defaultId, isBackend = false }: ResourceOptions<Item> = {},
): ResourceCalls<Item> {
  const client = useQueryClient()
  const api = useApi()
  const backend = useBackend()
  // The types of the resource's endpoints are known where they are declared.
  const call = (isBackend ? backend : api) as AnyCall
  return createCalls(client, call, endpoints, params, idOf)
}

type Client = ReturnType<typeof useQueryClient>

function createCalls<Item>(
  client: Client,
  call: AnyCall,
  endpoints: ResourceEndpoints,
  params: Record<string, string>,
  idOf: IdOf<Item>,
) {
  const key = [endpoints.list.path, params]
  const listKey = [...key, 'list']

  /** Returns the query of a page; `after` is `next` of the previous page. */
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

  /** Returns the records on screen, in the order of the list. */
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
    /** Prefix of all query keys of the resource. */
    key,
    page,
    item,
    rowsInView,
    /** Shows a record that the server has just returned. */
    show,
    idOf,
    create: async (body: unknown, idempotencyKey: string) =>
      show((await call(endpoints.create, { params, body, idempotencyKey })) as Item),
    update: async (itemId: string, body: unknown, revision: number | undefined) => {
      const how = { ...(revision !== undefined && { revision }) }
      return show((await call(endpoints.update, { params: { ...params, itemId }, body, ...how })) as Item)
    },
    /**
     * Deletes a record. The caller must unmount the record's page, which would otherwise request the deleted record.
     */
    remove: async (itemId: string) => {
      await call(endpoints.remove, { params: { ...params, itemId } })
      void client.invalidateQueries({ queryKey: listKey })
    },
    /** Undefined for a resource whose deleted records cannot be restored. */
    restore:
      endpoints.restore &&
      (async (itemId: string) =>
        show((await call(endpoints.restore as Endpoint, { params: { ...params, itemId } })) as Item)),
    exec: async (itemId: string, command: string, cmdPayload?: unknown) => {
      const body = { ...(cmdPayload !== undefined && { cmdPayload }) }
      return show((await call(endpoints.exec, { params: { ...params, itemId, command }, body })) as Item)
    },
  }
}
