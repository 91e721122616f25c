import { useState } from 'react'
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

interface FormFieldsOptions<V extends Values> {
  /** Names what is typed, should the session end meanwhile. */
  name: string
  /** What the server has. */
  saved: Saved<V>
  /** Who has changed it last. */
  savedBy?: RecordItem['updatedBy']
  /** What the form begins with where that is something else. */
  initial?: V
  clean?: ((values: V) => V) | undefined
  problemsOf?: ((values: V) => Problems<V>) | undefined
  readOnly?: boolean
}

/** What is typed into a form and not saved yet, over what the server has. */
export function useFormFields<V extends Values>(options: FormFieldsOptions<V>) {
  const { name, saved, savedBy, initial, clean = asItIs, problemsOf, readOnly = false } = options
  const [typed, setTyped] = useDraft<TypedFields>(name, initial ? differencesOf(initial, saved) : {})
  const [problems, setProblems] = useState<Problems>({})

  const shown = shownValues(typed, saved)
  const changes = changesOf(typed, saved, clean)
  const overtaken = overtakenFields(typed, saved)

  const set = (changed: string, value: unknown) => {
    setTyped((now) => typeInto(now, saved, changed, value))
    setProblems(({ [changed]: _solved, ...others }) => others)
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
    form,
    shown,
    /** All values as they are saved. */
    values: clean(shown),
    /** Whether somebody else has changed a field that is being typed in. */
    isOvertaken: overtaken.length > 0,
    /** What a save sends. */
    changes,
    hasChanges: Object.keys(changes).length > 0,
    /** The revision that a save goes out from. */
    revision: revisionToSend(typed, saved),
    /** Whether the values can be sent; shows at the fields what speaks against it. */
    isFit: () => {
      const found = problemsOf?.(clean(shown)) ?? {}
      setProblems(found)
      return Object.keys(found).length === 0
    },
    /** Shows a refusal at the fields it is about; false for one that is about something else. */
    refuse: (error: unknown) => {
      const found = problemsIn(error, shown)
      setProblems(found)
      return Object.keys(found).length > 0
    },
    /** What has been saved counts as typed no longer. */
    settle: (now: Saved<V>) => setTyped((before) => settleFields(before, now, clean)),
    discard: () => setTyped({}),
  }
}

const asItIs = <V extends Values>(values: V): V => values

function differencesOf<V extends Values>(initial: V, saved: Saved<V>): TypedFields {
  const begin: TypedFields = {}
  return Object.entries(initial).reduce((typed, [name, value]) => typeInto(typed, saved, name, value), begin)
}

function problemsIn(error: unknown, values: Values): Problems {
  if (!(error instanceof ApiError)) return {}
  const issues = error.issues.map(({ path: [name], message }) => [String(name), message] as const)
  return Object.fromEntries(issues.filter(([name]) => name in values))
}
