import type { BodyOf, CollectionChange, ParamsOf, ReplyOf, resource, restorable } from '@pult/contract'
import type { Db } from '../database/database.ts'
import type { Page, PageQuery } from '../database/page.ts'
import type { Caller, Permission } from '../http/route.ts'
import type { Emit } from '../realtime/events.ts'

/** The seven calls of a resource, as the contract's `resource()` declares them. */
export type ResourceEndpoints = ReturnType<typeof resource> & Partial<ReturnType<typeof restorable>>

/** Fields that the scheme needs of every record. */
export interface ResourceItem {
  _id: string
  revision: number
  updatedAt: string
  updatedBy: unknown
}

type ItemOf<E extends ResourceEndpoints> = ReplyOf<E['read']> & ResourceItem
type InputOf<E extends ResourceEndpoints> = BodyOf<E['create']>
/** The path parameters of the collection, without that of the record. */
type PlaceOf<E extends ResourceEndpoints> = ParamsOf<E['list']>

/** The records of one parent that the caller may see; all others return 404. */
export interface ResourceStore<Item, Input> {
  list(query: PageQuery): Promise<Page<Item>>
  find(itemId: string): Promise<Item | undefined>
  /** Locks the record until the transaction ends. */
  lock(itemId: string): Promise<void>
  /** Returns the id of the new record; undefined if the parent was deleted. */
  add(input: Input): Promise<string | undefined>
  /** Writes the given fields, increments the revision, and stores editor and time. */
  update(itemId: string, changes: Partial<Item>): Promise<void>
  remove(itemId: string): Promise<void>
  /** Returns whether a deleted record is back. For resources whose endpoints have `restore`. */
  restore?(itemId: string): Promise<boolean>
  /** Returns the number of deleted records. */
  removeAll(): Promise<number>
}

/** A command of `exec`. */
export interface ResourceCommand<Item> {
  allow: Permission<Caller>
  /** Returns the changes to the record. The payload is unvalidated input. */
  run(item: Item, payload: unknown): Partial<Item>
}

/** An audited action on a record. */
export interface ResourceAction<Item, Place> {
  verb: 'created' | 'changed' | 'removed' | 'restored' | 'removedAll'
  place: Place
  caller: Caller
  address: string
  /** The record after the action, or before its deletion. Undefined when all records are deleted. */
  item?: Item
  /** Audit details that no record contains: the changed fields, or the number of removed records. */
  detail: Record<string, unknown>
}

/** A room's description of its records; everything else is common to all resources. */
export interface Resource<E extends ResourceEndpoints> {
  /** `emit` exists during changes, for records whose changes publish other events; `db` is then a transaction. */
  store(db: Db, place: PlaceOf<E>, caller: Caller, emit?: Emit): ResourceStore<ItemOf<E>, InputOf<E>>
  /**
   * `write` permits create, update, remove and restore; `create` replaces it for creating. `removeAll` also needs a
   * recent sign-in. Callers who may not see the parent get NOT_FOUND.
   */
  allow: {
    read: Permission<Caller>
    write: Permission<Caller>
    create?: Permission<Caller>
    removeAll: Permission<Caller>
  }
  /** Returns whether a change of these fields needs a recent sign-in. */
  needsProof?(changes: Partial<ItemOf<E>>): boolean
  /** By name. A Map, because property names of objects must not count as commands. */
  commands: ReadonlyMap<string, ResourceCommand<ItemOf<E>>>
  collection: CollectionChange['collection']
  /** The topic for readers of the parent's records. */
  topicOf(place: PlaceOf<E>): string
  /** Writes the audit record in the transaction of the action. */
  record(trx: Db, action: ResourceAction<ItemOf<E>, PlaceOf<E>>): Promise<void>
}
