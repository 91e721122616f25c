import type { Endpoint } from '@pult/contract'
import { type QueryKey, queryOptions, useQueryClient } from '@tanstack/react-query'
import type { AnyCall, Call } from '../call.ts'
import { type CallQuery, callQuery, readingOf } from '../data/call-query.ts'
import { isTouched, keyOf, queryOf } from '../data/query-key.ts'
import { noteMadeOf } from '../data/read-position.ts'
import { useCaller } from '../data/use-caller.ts'
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
  const { call, at } = useCaller(isBackend)
  // The types of the resource's endpoints are known where they are declared.
  return createCalls(client, call as AnyCall, at, endpoints, params, idOf)
}

type Client = ReturnType<typeof useQueryClient>

function createCalls<Item>(
  client: Client,
  call: AnyCall,
  at: (endpoint: Endpoint) => Endpoint,
  endpoints: ResourceEndpoints,
  params: Record<string, string>,
  idOf: IdOf<Item>,
) {
  const list = at(endpoints.list)
  const key = keyOf(list, { params }).slice(0, -1) as string[]

  /** Returns the query of a page; `after` is `next` of the previous page. */
  const page = (search: string, after: string | null) => {
    const query = queryOf({ limit: pageSize, search, after: after ?? undefined })
    return queryOptions({
      // Apart from the reply itself: the servers of apps answer in several forms.
      queryKey: [...keyOf(list, { params, query }), 'rows'],
      queryFn: async (context) => {
        const reply = await call(list, { ...readingOf(context), params, query })
        return noteMadeOf(readListPage(reply, idOf), reply)
      },
    })
  }

  const item = (itemId: string) =>
    callQuery(call as Call, at(endpoints.read), { params: { ...params, itemId } }) as CallQuery<Item>

  const isOfList = ({ queryKey }: { queryKey: QueryKey }) => isTouched(queryKey, list)

  /** Returns the records on screen, in the order of the list. */
  const rowsInView = () =>
    client
      .getQueryCache()
      .findAll({ predicate: (query) => isOfList(query) && query.queryKey.at(-1) === 'rows', type: 'active' })
      .flatMap(({ queryKey }) => client.getQueryData<{ rows: Row<Item>[] }>(queryKey)?.rows ?? [])

  function readListAgain(): void {
    void client.invalidateQueries({ predicate: isOfList })
  }

  function show(changed: Item): Item {
    client.setQueryData(item(idOf(changed)).queryKey, changed)
    readListAgain()
    return changed
  }

  return {
    /** Segments of the path below which the resource's data is: the prefix of all its query keys. */
    key,
    page,
    item,
    rowsInView,
    /** Shows a record that the server has just returned. */
    show,
    idOf,
    create: async (body: unknown, idempotencyKey: string) =>
      show((await call(at(endpoints.create), { params, body, idempotencyKey })) as Item),
    update: async (itemId: string, body: unknown, revision: number | undefined) => {
      const how = { ...(revision !== undefined && { revision }) }
      return show((await call(at(endpoints.update), { params: { ...params, itemId }, body, ...how })) as Item)
    },
    /**
     * Deletes a record. The caller must unmount the record's page, which would otherwise request the deleted record.
     */
    remove: async (itemId: string) => {
      await call(at(endpoints.remove), { params: { ...params, itemId } })
      readListAgain()
    },
    /** Undefined for a resource whose deleted records cannot be restored. */
    restore:
      endpoints.restore &&
      (async (itemId: string) =>
        show((await call(at(endpoints.restore as Endpoint), { params: { ...params, itemId } })) as Item)),
    exec: async (itemId: string, command: string, cmdPayload?: unknown) => {
      const body = { ...(cmdPayload !== undefined && { cmdPayload }) }
      return show((await call(at(endpoints.exec), { params: { ...params, itemId, command }, body })) as Item)
    },
  }
}
