import type { ReactNode } from 'react'
import type { Values } from './typed-fields.ts'

/** One field of a form, for any control. */
export interface FormField<Value> {
  name: string
  value: Value
  set: (value: Value) => void
  /** The error message. */
  error: string | undefined
  /** A note that another user has changed the field. */
  description: ReactNode
  /** Set if the record is gone. The input can still be read and copied. */
  readOnly: boolean
}

/** The names of the fields that hold texts. */
export type TextNames<V extends Values> = {
  [Name in keyof V & string]: V[Name] extends string ? Name : never
}[keyof V & string]

/** Access to the fields of a form, for its controls. */
export interface FormFields<V extends Values = Values> {
  /** @example const { value, set, error } = form.field('tags') */
  field<Name extends keyof V & string>(name: Name): FormField<V[Name]>
  /** @example <TextField label="Label" {...form.text('label')} /> */
  text(name: TextNames<V>): TextProps
}

/** Props of a `TextField` or a `TextAreaField`. */
export interface TextProps
  extends Pick<FormField<string>, 'name' | 'value' | 'error' | 'description' | 'readOnly'> {
  onChange: (event: { target: { value: string } }) => void
}

export function textPropsOf({ set, ...field }: FormField<string>): TextProps {
  return { ...field, onChange: ({ target }) => set(target.value) }
}
