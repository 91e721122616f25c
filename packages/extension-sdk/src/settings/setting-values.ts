import {
  type ExtensionSettings,
  misfitOf,
  numberIn,
  type SettingField,
  type SettingValue,
} from '@pult/contract'
import type { Problems } from '../resource/resource-view.ts'
import type { Values } from '../resource/typed-fields.ts'
import type { SettingsTexts } from './settings.texts.ts'

/** Returns the shown values: the stored ones, even invalid ones, or else the defaults. Secrets are empty. */
export const valuesOf = ({ fields }: ExtensionSettings): Values =>
  Object.fromEntries(fields.map((field) => [field.id, shownValue(field)]))

/** Returns the value of an unchanged field. */
export const shownValue = ({ type, value, default: initial }: SettingField): SettingValue | null =>
  value ?? initial ?? (type === 'text' || type === 'secret' ? '' : null)

/** Parses numbers that were typed as texts. An empty field means the default. */
export const cleanValues = (fields: readonly SettingField[], values: Values): Values => ({
  ...values,
  ...Object.fromEntries(
    fields.filter(({ type }) => type === 'number').map(({ id }) => [id, typedNumber(values[id])]),
  ),
})

function typedNumber(value: unknown): unknown {
  if (typeof value !== 'string') return value
  if (value.trim() === '') return null
  const number = numberIn(value)
  return Number.isNaN(number) ? value : number
}

export function problemsOf(fields: readonly SettingField[], values: Values, texts: SettingsTexts): Problems {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const value = values[field.id]
      // An unchanged stored value is not sent.
      if (value === null || value === field.value || value === field.default) return []
      const { type, min, max, maxLength = 0, options = [] } = field
      const misfit = misfitOf({ type, min, max, maxLength, options }, value)
      return misfit === null ? [] : [[field.id, problemOf(field, texts)]]
    }),
  )
}

function problemOf({ type, min, max, maxLength }: SettingField, texts: SettingsTexts): string {
  if (type !== 'number') return texts.tooLong(String(maxLength))
  if (min !== undefined && max !== undefined) return texts.range(String(min), String(max))
  if (min !== undefined) return texts.atLeast(String(min))
  return max === undefined ? texts.number : texts.atMost(String(max))
}

/** Returns a value as the text of a field. */
export const textIn = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
