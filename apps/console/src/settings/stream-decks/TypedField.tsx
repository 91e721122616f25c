import { TextField, type TextFieldProps } from '@pult/ui'
import { useState } from 'react'

interface TypedFieldProps extends Omit<TextFieldProps, 'value' | 'onChange' | 'error'> {
  value: string
  /** What was typed, as soon as it is right. */
  onType: (value: string) => void
  /** What is wrong with it. */
  errorOf?: (value: string) => string | undefined
}

/** A field whose text counts while one types. What comes back from the server, trimmed, waits until one has left it. */
export function TypedField({ value, onType, errorOf, ...rest }: TypedFieldProps) {
  const [typed, setTyped] = useState<string | null>(null)
  const shown = typed ?? value
  const error = errorOf?.(shown)
  return (
    <TextField
      {...rest}
      value={shown}
      error={typed === null ? undefined : error}
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
