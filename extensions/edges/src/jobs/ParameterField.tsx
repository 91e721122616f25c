import type { EdgeParameter } from '@pult/sdk/api'
import { SelectField, Switch, TextField } from '@pult/sdk/ui'
import { texts } from './jobs.texts.ts'
import { type Typed, valueOf } from './parameters.ts'

interface ParameterFieldProps {
  parameter: EdgeParameter
  value: Typed
  /** Shows the reason why the value is rejected. */
  isChecked: boolean
  onChange: (value: Typed) => void
}

/** The field of a declared parameter. */
export function ParameterField({ parameter, value, isChecked, onChange }: ParameterFieldProps) {
  const isRefused = isChecked && valueOf(parameter, value) === undefined
  const { label } = parameter
  switch (parameter.type) {
    case 'boolean':
      return (
        <Switch label={label} checked={value === true} onChange={({ target }) => onChange(target.checked)} />
      )
    case 'choice':
      return (
        <SelectField
          label={label}
          value={String(value)}
          error={isRefused ? texts.needsText : undefined}
          onChange={({ target }) => onChange(target.value)}
        >
          {value === '' && <option value="">{texts.choose}</option>}
          {parameter.options.map((option) => (
            <option key={option} value={option}>
              {option}
            </option>
          ))}
        </SelectField>
      )
    case 'string':
      return (
        <TextField
          label={label}
          maxLength={parameter.maxLength}
          value={String(value)}
          error={isRefused ? texts.needsText : undefined}
          onChange={({ target }) => onChange(target.value)}
        />
      )
    case 'number': {
      const { min, max, isWhole = false } = parameter
      return (
        <TextField
          label={label}
          inputMode={isWhole && min >= 0 ? 'numeric' : 'text'}
          maxLength={30}
          value={String(value)}
          error={isRefused ? texts.needsNumber(min, max, isWhole) : undefined}
          onChange={({ target }) => onChange(target.value)}
        />
      )
    }
  }
}
