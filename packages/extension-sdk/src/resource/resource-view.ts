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
  exec: Endpoint
}

/** What the scaffold reads of a record where it is there. */
export interface RecordItem {
  /** Sent with every change, so that a newer version is not overwritten. */
  revision?: number
  updatedAt?: string
  updatedBy?: { firstname: string; lastname: string } | null
}

/** A message by field; an empty one keeps the form from being sent and says nothing. */
export type Problems<V extends Values = Values> = Partial<Record<keyof V, string>>

/** Those that are left out are said in general words. */
export interface ResourceTexts {
  title: string
  /** The title of the form for a new one. */
  createTitle?: string
  search?: string
  /** Which `key:value` the search knows. */
  searchHint?: string
  /** When there are none at all, and what to do. */
  none?: string
  noneText?: string
  /** Beside the list, while none is chosen. */
  choose?: string
  chooseText?: string
  /** A record that is not there, or may not be seen any more. */
  gone?: string
  goneText?: string
  created?: string
  saved?: string
  deleted?: string
  /** What goes with the record, below the question. */
  deleteText?: (label: string) => string
}

/**
 * All that is special about a resource. The scaffold makes of it the list, the forms to create and to edit, and deleting.
 *
 * `Item` is a record as the server answers it, `V` what the form shows of it and `create` takes.
 */
export interface ResourceView<Item extends RecordItem = RecordItem, V extends Values = Values> {
  endpoints: ResourceEndpoints
  /** For the names in the endpoints' paths beside `itemId`. */
  params?: Record<string, string>
  /** The endpoints are those of the app's own service: see `useBackend`. */
  isBackend?: boolean
  /** Where the resource stands in the app: `notes`. */
  path: string
  /** Tells of changes. Without it the list is read again only after what is done here. */
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
  /** What the form shows of a record: the fields that `empty` has, unless given. */
  valuesOf?(item: Item): V
  /** What the form for a new one begins with. */
  empty: V
  /** In the form in which they are saved, such as without spaces at the ends. */
  clean?(values: V): V
  /** What keeps values from being sent. */
  problemsOf?(values: V): Problems<V>
  /** What the fields are called. */
  fieldLabels: Record<keyof V, string>
  /** The controls. Without it, texts of one line and lists of tags get theirs, in the order of `fieldLabels`. */
  renderFields?(form: FormFields<V>): ReactNode
  /** What a duplicate begins with; without it there is no Duplicate. */
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
