import type { SettingField } from '@pult/contract'
import { Button, Checkbox, PasswordField, SelectField, TextField } from '@pult/ui'
import { useEffect } from 'react'
import type { FormField } from '../resource/form-fields.ts'
import { shownValue, textIn } from './setting-values.ts'
import { type SettingsTexts, useSettingsTexts } from './settings.texts.ts'

interface SettingControlProps {
  setting: SettingField
  field: FormField<unknown>
  clearers: Map<string, () => void>
}

/** Renders the control of one setting, by its type. */
export function SettingControl({ setting, field, clearers }: SettingControlProps) {
  const texts = useSettingsTexts()
  const { id, type, label, description, options = [], maxLength } = setting
  const { value, set, name } = field
  // The error of the stored value disappears with the first change, because saving replaces that value.
  const isUntouched = value === shownValue(setting)
  const misfit = setting.misfit !== null && isUntouched ? misfitText(setting, texts) : undefined
  const shown = {
    name,
    label,
    error: field.error ?? misfit,
    description: field.description || description,
  }
  const text = textIn(value)
  useEffect(() => {
    if (type !== 'secret') return undefined
    clearers.set(id, () => set(''))
    return () => void clearers.delete(id)
  })
  switch (type) {
    case 'switch':
      return (
        <div>
          <Checkbox
            name={name}
            label={label}
            description={shown.error ?? shown.description}
            checked={value === true}
            onChange={({ target }) => set(target.checked)}
          />
        </div>
      )
    case 'choice':
      return (
        <SelectField
          {...shown}
          value={text}
          onChange={({ target }) => set(target.value === '' ? null : target.value)}
        >
          {(setting.default === null || value === null) && <option value="">{texts.noValue}</option>}
          {text !== '' && !options.some((option) => option.id === text) && <option>{text}</option>}
          {options.map((option) => (
            <option key={option.id} value={option.id}>
              {option.label}
            </option>
          ))}
        </SelectField>
      )
    case 'secret':
      return (
        <div>
          <PasswordField
            {...shown}
            autoComplete="new-password"
            showPasswordLabel={texts.show}
            hidePasswordLabel={texts.hide}
            maxLength={maxLength}
            value={text}
            description={secretText(setting, value, texts) ?? shown.description}
            onChange={({ target }) => set(target.value)}
          />
          {setting.isSet && value !== null && (
            <Button variant="ghost" onClick={() => set(null)}>
              {texts.remove}
            </Button>
          )}
        </div>
      )
    case 'number':
    case 'text':
      return (
        <TextField
          {...shown}
          autoComplete="off"
          inputMode={type === 'number' ? 'decimal' : undefined}
          maxLength={maxLength}
          value={text}
          onChange={({ target }) => set(target.value)}
        />
      )
  }
}

function secretText({ isSet }: SettingField, value: unknown, texts: SettingsTexts): string | undefined {
  if (value === null) return texts.removed
  return isSet && value === '' ? texts.stored : undefined
}

function misfitText({ misfit, ...setting }: SettingField, texts: SettingsTexts): string {
  const reason = misfit === null ? '' : texts.reasons[misfit]
  return `${texts.unusable(reason)} ${texts.usedInstead(defaultText(setting, texts))}`
}

function defaultText(
  { default: initial, options = [] }: Pick<SettingField, 'default' | 'options'>,
  texts: SettingsTexts,
): string {
  if (initial === null) return texts.nothing
  if (typeof initial === 'boolean') return initial ? texts.on : texts.off
  return options.find(({ id }) => id === initial)?.label ?? String(initial)
}
