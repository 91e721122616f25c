import { isDeepStrictEqual } from 'node:util'
import type { Kysely, Transaction } from 'kysely'
import { AppError } from '../app-error.ts'
import { createOnce } from '../database/idempotency.ts'
import type { Page, PageQuery } from '../database/page.ts'
import { refuseStale } from '../database/revision.ts'
import type { Database } from '../database/schema.ts'
import { requireRecentSignIn } from '../http/recent-sign-in.ts'
import type { Caller } from '../http/route.ts'
import { emitChange } from '../realtime/changes.ts'
import type { Emit, Events } from '../realtime/events.ts'
import type { Resource, ResourceAction, ResourceEndpoints, ResourceItem, ResourceStore } from './resource.ts'

type Place = Record<string, string>
type Item = ResourceItem
type Store = ResourceStore<Item, unknown>

/** The parent of a call and its caller. */
interface Call {
  params: Place
  caller: Caller
  address: string
}
interface ItemCall extends Call {
  itemId: string
}

interface ResourceCallsParts {
  db: Kysely<Database>
  events: Events
  resource: Resource<ResourceEndpoints>
  /** The path of the collection, with `:name` for each parameter. */
  path: string
}

/** The calls of every resource. Each change is one transaction: the row, its audit record and its event. */
export function createResourceCalls({ db, events, resource, path }: ResourceCallsParts) {
  const { collection } = resource
  const storeOf = (
    from: Kysely<Database>,
    { params, caller }: Pick<Call, 'params' | 'caller'>,
    emit?: Emit,
  ): Store => resource.store(from, params, caller, emit)

  async function found(store: Store, itemId: string): Promise<Item> {
    const item = await store.find(itemId)
    if (item === undefined) throw new AppError('NOT_FOUND')
    return item
  }

  async function lockedItem(store: Store, itemId: string): Promise<Item> {
    await store.lock(itemId)
    return found(store, itemId)
  }

  /** Must be called after the write, so that events of one record have the order of its changes. */
  async function conclude(
    trx: Transaction<Database>,
    emit: Emit,
    { params, caller, address }: Call,
    action: Pick<ResourceAction<Item, Place>, 'verb' | 'item' | 'detail'>,
  ): Promise<void> {
    await resource.record(trx, { ...action, place: params, caller, address })
    const { verb, item } = action
    const isThere = verb === 'created' || verb === 'changed' || verb === 'restored'
    await emitChange(emit, {
      topic: resource.topicOf(params),
      collection,
      op: isThere ? 'upsert' : 'remove',
      ...(item !== undefined && { id: item._id }),
      ...(item !== undefined && isThere && { revision: item.revision }),
    })
  }

  /** Writes the fields that differ from the record. Does nothing if none differ. */
  async function change(call: ItemCall, changesOf: (item: Item) => object, revision?: number): Promise<Item> {
    const { itemId } = call
    // Also checked before the row is locked, so that a rejected caller blocks no other.
    if (revision !== undefined) refuseStale(await found(storeOf(db, call), itemId), revision)
    return events.transaction(async (trx, emit) => {
      const store = storeOf(trx, call, emit)
      const before = await lockedItem(store, itemId)
      refuseStale(before, revision)
      const changes = differing(before, changesOf(before))
      const fields = Object.keys(changes)
      if (fields.length === 0) return before
      if (resource.needsProof?.(changes) === true) requireRecentSignIn(call.caller)
      await store.update(itemId, changes)
      const item = await found(store, itemId)
      // The former name stays readable; contents do not enter the audit log.
      const from = 'label' in before && fields.includes('label') ? { from: { label: before.label } } : {}
      await conclude(trx, emit, call, { verb: 'changed', item, detail: { fields, ...from } })
      return item
    })
  }

  return {
    list: (call: Call, query: PageQuery): Promise<Page<Item>> => storeOf(db, call).list(query),

    read: (call: ItemCall): Promise<Item> => found(storeOf(db, call), call.itemId),

    create: (call: Call, input: unknown, idempotencyKey: string | undefined): Promise<Item> =>
      events.transaction(async (trx, emit) => {
        const store = storeOf(trx, call, emit)
        const collectionPath = path.replace(/:(\w+)/g, (_, name: string) => call.params[name] ?? '')
        const key = { personId: call.caller.personId, path: collectionPath, key: idempotencyKey, body: input }
        const { id, isNew } = await createOnce(trx, key, async () => {
          const added = await store.add(input)
          if (added === undefined) throw new AppError('NOT_FOUND')
          return added
        })
        const item = await found(store, id)
        if (isNew) await conclude(trx, emit, call, { verb: 'created', item, detail: {} })
        return item
      }),

    update: (call: ItemCall, body: object, revision: number | undefined): Promise<Item> =>
      change(call, () => body, revision),

    exec: async (call: ItemCall, command: string, payload: unknown): Promise<Item> => {
      const known = resource.commands.get(command)
      if (known === undefined) throw new AppError('NOT_FOUND')
      return change(call, (item) => known.run(item, payload))
    },

    remove: (call: ItemCall): Promise<void> =>
      events.transaction(async (trx, emit) => {
        const store = storeOf(trx, call, emit)
        const item = await lockedItem(store, call.itemId)
        await store.remove(call.itemId)
        await conclude(trx, emit, call, { verb: 'removed', item, detail: {} })
      }),

    /** A repeat returns the record that is already restored. */
    restore: (call: ItemCall): Promise<Item> =>
      events.transaction(async (trx, emit) => {
        const store = storeOf(trx, call, emit)
        const isBack = (await store.restore?.(call.itemId)) === true
        const item = await found(store, call.itemId)
        if (isBack) await conclude(trx, emit, call, { verb: 'restored', item, detail: {} })
        return item
      }),

    /** One event announces any number of removed records. */
    removeAll: (call: Call): Promise<void> =>
      events.transaction(async (trx, emit) => {
        const count = await storeOf(trx, call, emit).removeAll()
        if (count > 0) await conclude(trx, emit, call, { verb: 'removedAll', detail: { count } })
      }),
  }
}

function differing(item: Item, sent: object): Partial<Item> {
  const before = new Map<string, unknown>(Object.entries(item))
  const changed = Object.entries(sent).filter(
    ([name, value]) => value !== undefined && !isDeepStrictEqual(value, before.get(name)),
  )
  return Object.fromEntries(changed)
}
