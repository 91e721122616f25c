/** A form's values by field. */
export type Values = Record<string, unknown>

/** A record's values as the server has them. */
export interface Saved<V extends Values = Values> {
  values: V
  /** Present if the record has revisions. */
  revision?: number | undefined
}

/** The input of a field, and the server's value on which it is based. */
interface TypedField {
  value: unknown
  base: unknown
  revision: number | undefined
}

/** The fields that the user has touched; the others follow the server. */
export type TypedFields = Readonly<Record<string, TypedField>>

/** Cleans values before saving, for example by trimming spaces. */
export type Clean<V extends Values> = (values: V) => V

/** Returns the input with a typed value. A field that has the server's value again does not count as touched. */
export function typeInto(typed: TypedFields, saved: Saved, name: string, value: unknown): TypedFields {
  const { [name]: before, ...others } = typed
  const { values, revision } = saved
  if (isSame(value, values[name])) return others
  return {
    ...others,
    [name]: {
      value,
      base: before ? before.base : values[name],
      revision: before ? before.revision : revision,
    },
  }
}

/** Returns the values that the form shows. */
export function shownValues<V extends Values>(typed: TypedFields, { values }: Saved<V>): V {
  return { ...values, ...valuesIn(typed) }
}

/** Returns the changes to send: the touched fields whose cleaned value differs from the server's. */
export function changesOf<V extends Values>(
  typed: TypedFields,
  saved: Saved<V>,
  clean: Clean<V>,
): Partial<V> {
  const cleaned = clean(shownValues(typed, saved))
  return pick(
    cleaned,
    Object.keys(typed).filter((name) => !isSame(cleaned[name], saved.values[name])),
  )
}

/** Returns the fields that another user has changed since this user started to edit them. */
export function overtakenFields(typed: TypedFields, { values }: Saved): string[] {
  return Object.keys(typed).filter((name) => !isSame(typed[name]?.base, values[name]))
}

/**
 * Returns the base revision of a save. Changes by other users in other fields are already on screen. A change in one of
 * these fields is not overwritten before the user decides.
 */
export function revisionToSend(typed: TypedFields, saved: Saved): number | undefined {
  const [overtaken] = overtakenFields(typed, saved)
  return overtaken === undefined ? saved.revision : typed[overtaken]?.revision
}

/** Returns the input after a save. Input typed during the call stays, based on the saved version. */
export function settleFields<V extends Values>(
  typed: TypedFields,
  saved: Saved<V>,
  clean: Clean<V>,
): TypedFields {
  const left = changesOf(typed, saved, clean)
  const { values, revision } = saved
  return Object.fromEntries(
    Object.entries(typed)
      .filter(([name]) => name in left)
      .map(([name, { value }]) => [name, { value, base: values[name], revision }]),
  )
}

/** Returns the fields of a change set that differ from the current values. */
export const differingFields = <V extends Values>(changes: Partial<V>, values: V): (keyof V & string)[] =>
  Object.keys(changes).filter((name) => !isSame(changes[name], values[name]))

const valuesIn = (typed: TypedFields): Values =>
  Object.fromEntries(Object.entries(typed).map(([name, { value }]) => [name, value]))

const pick = <V extends Values>(values: V, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, values[name]])) as Partial<V>

/** Compares two values, which are JSON. */
function isSame(a: unknown, b: unknown): boolean {
  return Object.is(a, b) || JSON.stringify(a) === JSON.stringify(b)
}
