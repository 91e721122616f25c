import { type RefObject, useEffect, useRef, useState } from 'react'
import { ApiError } from '../api-error.ts'
import { useDraft } from '../forms/use-draft.ts'
import { type FormField, type FormFields, type TextNames, textPropsOf } from './form-fields.ts'
import { OvertakenNote } from './OvertakenNote.tsx'
import type { Problems, RecordItem } from './resource-view.ts'
import {
  changesOf,
  overtakenFields,
  revisionToSend,
  type Saved,
  settleFields,
  shownValues,
  type TypedFields,
  typeInto,
  type Values,
} from './typed-fields.ts'

export interface FormFieldsOptions<V extends Values> {
  /** Identifies the draft, which survives the end of the session. Null keeps no draft: for passwords. */
  name: string | null
  /** The server's values. */
  saved: Saved<V>
  /** The last editor. */
  savedBy?: RecordItem['updatedBy']
  /** Initial values, if they differ from the server's. */
  initial?: V
  clean?: ((values: V) => V) | undefined
  problemsOf?: ((values: V) => Problems<V>) | undefined
  /** Returns the problems that a rejection names by its code, or undefined. */
  refusalOf?: (error: unknown) => Problems<V> | undefined
  readOnly?: boolean
  /** The form element, if it has another reference than `element` of the result. */
  element?: RefObject<HTMLFormElement | null>
}

/**
 * Manages the unsaved input of a form on top of the server's values. After the first attempt to save, it checks the
 * fields on each change.
 *
 * @example
 * const fields = useFormFields({ name: 'cue', saved: { values: { label: '' } }, problemsOf })
 * <TextField label="Label" {...fields.form.text('label')} />
 */
export function useFormFields<V extends Values>(options: FormFieldsOptions<V>) {
  const { name, saved, savedBy, initial, clean = asItIs, problemsOf, refusalOf, readOnly = false } = options
  const ownElement = useRef<HTMLFormElement>(null)
  const element = options.element ?? ownElement
  const [typed, setTyped] = useDraft<TypedFields>(name, initial ? differencesOf(initial, saved) : {})
  const [isChecked, setChecked] = useState(false)
  const [refused, setRefused] = useState<Problems>({})
  const [refusals, setRefusals] = useState(0)

  const shown = shownValues(typed, saved)
  const changes = changesOf(typed, saved, clean)
  // A field that already has the typed value is the result of the own save, or another user agrees.
  const overtaken = overtakenFields(typed, saved).filter((each) => each in changes)
  const findProblems = (): Problems => problemsOf?.(clean(shown)) ?? {}
  const problems = { ...(isChecked && findProblems()), ...refused }

  useEffect(() => {
    if (refusals > 0) element.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [element, refusals])

  const set = (changed: string, value: unknown) => {
    setTyped((now) => typeInto(now, saved, changed, value))
    setRefused(({ [changed]: _solved, ...others }) => others)
  }
  function field<Name extends keyof V & string>(fieldName: Name): FormField<V[Name]> {
    return {
      name: fieldName,
      value: shown[fieldName],
      set: (value) => set(fieldName, value),
      error: problems[fieldName],
      description: overtaken.includes(fieldName) && <OvertakenNote by={savedBy} />,
      readOnly,
    }
  }
  const form: FormFields<V> = {
    field,
    text: (textName: TextNames<V>) => textPropsOf(field(textName) as FormField<unknown> as FormField<string>),
  }

  return {
    /** Reference of the form element. A rejection moves the focus to its first invalid field. */
    element,
    form,
    shown,
    /** All values in the form in which they are saved. */
    values: clean(shown),
    /** Set if another user has changed a field that is being edited. */
    isOvertaken: overtaken.length > 0,
    /** The changes to send. */
    changes,
    hasChanges: Object.keys(changes).length > 0,
    /** The revision on which the changes are based. */
    revision: revisionToSend(typed, saved),
    /** Whether a rejection names a field that has not been changed since. */
    isRefused: Object.keys(refused).length > 0,
    /** Returns whether the values can be sent, and shows problems at their fields. */
    isFit: () => {
      const isFit = Object.keys(findProblems()).length === 0
      setChecked(true)
      setRefused({})
      if (!isFit) setRefusals((count) => count + 1)
      return isFit
    },
    /** Shows a rejection at the fields that it names. Returns false if it names none. */
    refuse: (error: unknown) => {
      const found = refusalOf?.(error) ?? problemsIn(error, shown)
      const isNamed = Object.keys(found).length > 0
      setRefused(found)
      if (isNamed) setRefusals((count) => count + 1)
      return isNamed
    },
    /** Marks the saved input as saved. */
    settle: (now: Saved<V>) => {
      setTyped((before) => settleFields(before, now, clean))
      setChecked(false)
    },
    discard: () => {
      setTyped({})
      setChecked(false)
    },
  }
}

const asItIs = <V extends Values>(values: V): V => values

function differencesOf<V extends Values>(initial: V, saved: Saved<V>): TypedFields {
  const begin: TypedFields = {}
  return Object.entries(initial).reduce((typed, [name, value]) => typeInto(typed, saved, name, value), begin)
}

function problemsIn(error: unknown, values: Values): Problems {
  if (!(error instanceof ApiError)) return {}
  const found = error.issues.flatMap(({ path, message }) => {
    // A field may be a part of a nested value: ['meta', 'customer'] or ['rule', 'allTags', 0].
    const name = path.map(String).find((part) => Object.hasOwn(values, part))
    return name === undefined ? [] : [[name, message] as const]
  })
  return Object.fromEntries(found)
}
