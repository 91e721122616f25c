import ChevronDown from 'lucide-react/icons/chevron-down'
import { type ComponentProps, useId } from 'react'
import { Field, type FieldTexts, messageId } from './Field.tsx'
import select from './SelectField.module.css'

export interface SelectFieldProps extends ComponentProps<'select'>, FieldTexts {}

/** Renders a labelled native `<select>`, with `<option>` elements as children. The system draws the list. */
export function SelectField({
  label,
  hideLabel,
  description,
  error,
  className,
  id: givenId,
  children,
  ...rest
}: SelectFieldProps) {
  const ownId = useId()
  const id = givenId ?? ownId
  return (
    <Field {...{ id, label, hideLabel, description, error, className }}>
      <div className={select.control}>
        <select
          id={id}
          className={select.select}
          aria-invalid={error ? true : undefined}
          aria-describedby={error || description ? messageId(id) : undefined}
          {...rest}
        >
          {children}
        </select>
        <ChevronDown className={select.chevron} aria-hidden="true" />
      </div>
    </Field>
  )
}
