import type { BodyOf, Endpoint, ReplyOf } from '@pult/contract'
import type { ReactNode } from 'react'
import type { FormFields } from './form-fields.ts'
import type { Values } from './typed-fields.ts'

/** The calls that the contract's `resource()` makes. */
export interface ResourceEndpoints {
  list: Endpoint
  create: Endpoint
  read: Endpoint
  update: Endpoint
  remove: Endpoint
  /** With it, the notice of a deletion offers to undo it. */
  restore?: Endpoint
  exec: Endpoint
}

/** Fields of a record that the scaffold uses if they exist. */
export interface RecordItem {
  /** Sent with every change, so that a newer version is not overwritten. */
  revision?: number
  updatedAt?: string
  updatedBy?: { firstname: string; lastname: string } | null
}

/** Messages by field; an empty message prevents submitting without showing anything. */
export type Problems<V extends Values = Values> = Partial<Record<keyof V, string>>

/** Omitted texts use general wording. */
export interface ResourceTexts {
  title: string
  /** The title of the form for a new one. */
  createTitle?: string
  search?: string
  /** Shown when there are no records: what to do. */
  none?: string
  noneText?: string
  /** Beside the list, while none is chosen. */
  choose?: string
  chooseText?: string
  /** Shown for a record that does not exist or is no longer visible. */
  gone?: string
  goneText?: string
  created?: string
  saved?: string
  deleted?: string
  /** Consequences of the deletion, shown below the question. */
  deleteText?: (label: string) => string
}

/**
 * Everything that is specific to a resource. The scaffold builds the list, the forms and the deletion from it.
 *
 * `Item` is a record as the server returns it, `V` the values that the form shows and `create` accepts.
 */
export interface ResourceView<Item extends RecordItem = RecordItem, V extends Values = Values> {
  endpoints: ResourceEndpoints
  /** The keys that can precede a value in the search: `label` for `label:north`. */
  searchKeys?: readonly string[]
  /** For the names in the endpoints' paths beside `itemId`. */
  params?: Record<string, string>
  /** The endpoints are those of the app's own service: see `useBackend`. */
  isBackend?: boolean
  /** The path of the resource in the app: `notes`. */
  path: string
  /** The topic that announces changes. Without it the list is refetched only after changes made here. */
  topic?: string
  texts: ResourceTexts
  /** For empty places. */
  icon?: ReactNode
  /** `_id` unless given. */
  idOf?(item: Item): string
  labelOf(item: Item): string
  /** Below the label in the list, and at the row's end. */
  detailOf?(item: Item): ReactNode
  markOf?(item: Item): ReactNode
  /** Maps a record to the form's values; by default the fields of `empty`. */
  valuesOf?(item: Item): V
  /** Initial values of a new record. */
  empty: V
  /** In the form in which they are saved, such as without spaces at the ends. */
  clean?(values: V): V
  /** Problems that prevent saving. */
  problemsOf?(values: V): Problems<V>
  /** Labels of the fields. */
  fieldLabels: Record<keyof V, string>
  /** The controls. Without it, texts of one line and lists of tags get theirs, in the order of `fieldLabels`. */
  renderFields?(form: FormFields<V>): ReactNode
  /** Initial values of a duplicate; without it there is no Duplicate. */
  copyOf?(values: V): V
  /** Buttons beside the record's title. */
  actions?(item: Item): ReactNode
}

/** The view of a resource of the contract, typed by its endpoints. */
export type ViewOf<R extends ResourceEndpoints> =
  Complete<BodyOf<R['create']>> extends infer V extends Values
    ? ResourceView<ReplyOf<R['read']> & RecordItem, V>
    : never

/** A form always shows all fields. */
type Complete<Body> = { [Name in keyof Body]-?: Exclude<Body[Name], undefined> }

/** A view as the scaffold works with it. */
export interface CompleteView extends Omit<ResourceView, 'texts'> {
  texts: Required<ResourceTexts>
  valuesOf(item: RecordItem): Values
  renderFields(form: FormFields): ReactNode
}
