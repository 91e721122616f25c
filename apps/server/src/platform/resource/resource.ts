import type { BodyOf, CollectionChange, ParamsOf, ReplyOf, resource } from '@pult/contract'
import type { Db } from '../database/database.ts'
import type { Page, PageQuery } from '../database/page.ts'
import type { Caller, Permission } from '../http/route.ts'
import type { Emit } from '../realtime/events.ts'

/** The seven calls of a resource, as the contract's `resource()` declares them. */
export type ResourceEndpoints = ReturnType<typeof resource>

/** What the scheme needs of every record. */
export interface ResourceItem {
  _id: string
  revision: number
  updatedAt: string
  updatedBy: unknown
}

type ItemOf<E extends ResourceEndpoints> = ReplyOf<E['read']> & ResourceItem
type InputOf<E extends ResourceEndpoints> = BodyOf<E['create']>
/** The path's parameters without that of the record: in which collection a call is. */
type PlaceOf<E extends ResourceEndpoints> = ParamsOf<E['list']>

/** The records of one place as one caller sees them: what is not of this place, or not seen, is not there. */
export interface ResourceStore<Item, Input> {
  list(query: PageQuery): Promise<Page<Item>>
  find(itemId: string): Promise<Item | undefined>
  /** Nobody else changes the record until the transaction ends. */
  lock(itemId: string): Promise<void>
  /** Answers the id of the new record; undefined when the place is gone. */
  add(input: Input): Promise<string | undefined>
  /** Writes the given fields, counts the revision on, and keeps who did it and when. */
  update(itemId: string, changes: Partial<Item>): Promise<void>
  remove(itemId: string): Promise<void>
  /** Answers how many there were. */
  removeAll(): Promise<number>
}

/** A command of `exec`. */
export interface ResourceCommand<Item> {
  allow: Permission<Caller>
  /** Answers what it changes of the record. The payload is whatever the caller sent. */
  run(item: Item, payload: unknown): Partial<Item>
}

/** Something that was done, for the room to write down. */
export interface ResourceDeed<Item, Place> {
  verb: 'created' | 'changed' | 'removed' | 'removedAll'
  place: Place
  caller: Caller
  address: string
  /** As it is now, or was before it was removed. Left out when all are removed. */
  item?: Item
  /** What no record tells: the names of the changed fields, or how many were removed. */
  detail: Record<string, unknown>
}

/** What a room says of its records; all else is the same for every resource. */
export interface Resource<E extends ResourceEndpoints> {
  /** `emit` is there where something is changed, for records whose changes begin something else, and `db` a transaction. */
  store(db: Db, place: PlaceOf<E>, caller: Caller, emit?: Emit): ResourceStore<ItemOf<E>, InputOf<E>>
  /** `write` creates, updates and removes. Who may not see the place is answered NOT_FOUND. */
  allow: { read: Permission<Caller>; write: Permission<Caller>; removeAll: Permission<Caller> }
  /** By name. A Map, so that nothing is a command because every object has a property of that name. */
  commands: ReadonlyMap<string, ResourceCommand<ItemOf<E>>>
  collection: CollectionChange['collection']
  /** Where those listen who may read the records of a place. */
  topicOf(place: PlaceOf<E>): string
  /** Part of the transaction that does it. */
  record(trx: Db, deed: ResourceDeed<ItemOf<E>, PlaceOf<E>>): Promise<void>
}
