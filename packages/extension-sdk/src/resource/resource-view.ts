import type { BodyOf, Endpoint, ReplyOf } from '@pult/contract'
import type { ReactNode } from 'react'
import type { FormFields } from './form-fields.ts'
import type { Values } from './typed-fields.ts'

/** The endpoints that the contract's `resource()` creates. */
export interface ResourceEndpoints {
  list: Endpoint
  create: Endpoint
  read: Endpoint
  update: Endpoint
  remove: Endpoint
  /** If it exists, the notification of a deletion offers to undo it. */
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
  /** Title of the form for a new record. */
  createTitle?: string
  search?: string
  /** The next step, shown without records. */
  none?: string
  noneText?: string
  /** Shown beside the list while no record is open. */
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
  /** Values of the parameters in the endpoints' paths, except `itemId`. */
  params?: Record<string, string>
  /** Set if the app's own service has the endpoints: see `useBackend`. */
  isBackend?: boolean
  /** The path of the resource in the app: `notes`. */
  path: string
  /** The topic that announces changes. Without it the list is refetched only after changes made here. */
  topic?: string
  texts: ResourceTexts
  /** Icon of empty states. */
  icon?: ReactNode
  /** Returns the id of a record; by default its `_id`. */
  idOf?(item: Item): string
  labelOf(item: Item): string
  /** Texts below the label in the list, and at the row's end. */
  detailOf?(item: Item): ReactNode
  markOf?(item: Item): ReactNode
  /** Maps a record to the form's values; by default the fields of `empty`. */
  valuesOf?(item: Item): V
  /** Initial values of a new record. */
  empty: V
  /** Returns the values to save, for example trimmed. */
  clean?(values: V): V
  /** Returns problems that prevent saving. */
  problemsOf?(values: V): Problems<V>
  /** Labels of the fields. */
  fieldLabels: Record<keyof V, string>
  /** Renders the controls. By default, texts and lists of tags have controls, in the order of `fieldLabels`. */
  renderFields?(form: FormFields<V>): ReactNode
  /** Returns the initial values of a duplicate. Without it, Duplicate is not offered. */
  copyOf?(values: V): V
  /** Renders buttons beside the record's title. */
  actions?(item: Item): ReactNode
}

/** Types the view of a resource by its endpoints. */
export type ViewOf<R extends ResourceEndpoints> =
  Complete<BodyOf<R['create']>> extends infer V extends Values
    ? ResourceView<ReplyOf<R['read']> & RecordItem, V>
    : never

/** A form always shows all fields. */
type Complete<Body> = { [Name in keyof Body]-?: Exclude<Body[Name], undefined> }

/** A view with all defaults. */
export interface CompleteView extends Omit<ResourceView, 'texts'> {
  texts: Required<ResourceTexts>
  valuesOf(item: RecordItem): Values
  renderFields(form: FormFields): ReactNode
}
