import { useUnsavedInput } from '@pult/sdk/resource'
import { TextField, type TextFieldProps } from '@pult/ui'
import { useState } from 'react'

interface TypedFieldProps extends Omit<TextFieldProps, 'value' | 'onChange' | 'error'> {
  value: string
  /** Called with each valid value. */
  onType: (value: string) => void
  /** Returns the error message of a value. */
  errorOf?: (value: string) => string | undefined
}

/**
 * A field whose value takes effect while the user types. The trimmed value from the server appears after the field
 * loses the focus.
 */
export function TypedField({ value, onType, errorOf, ...rest }: TypedFieldProps) {
  const [typed, setTyped] = useState<string | null>(null)
  const shown = typed ?? value
  const error = typed === null ? undefined : errorOf?.(typed)
  // Valid input goes into the settings, which keep it until it is saved.
  useUnsavedInput(error !== undefined)
  return (
    <TextField
      {...rest}
      value={shown}
      error={error}
      onChange={({ target }) => {
        setTyped(target.value)
        if (errorOf?.(target.value) === undefined) onType(target.value)
      }}
      onBlur={() => {
        if (error === undefined) setTyped(null)
      }}
    />
  )
}
