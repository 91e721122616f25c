import { useTypedValue } from '@pult/sdk/resource'
import { SelectField, TextField } from '@pult/sdk/ui'
import styles from './audit.module.css'
import { eventRooms, texts } from './audit.texts.ts'
import type { Filter } from './audit-filter.ts'

interface FiltersProps {
  id: string
  filter: Filter
  onChange: (changes: Partial<Filter>) => void
}

/** The filters besides the search and the result. */
export function Filters({ id, filter, onChange }: FiltersProps) {
  const typed = (name: keyof Filter, label: string, description: string) => (
    <TypedFilter
      key={name}
      {...{ label, description }}
      value={filter[name]}
      onSettled={(value) => onChange({ [name]: value })}
    />
  )
  return (
    <fieldset id={id} className={styles.filters}>
      <legend className={styles.legend}>{texts.filters}</legend>
      {typed('who', texts.who, texts.whoHint)}
      <SelectField
        label={texts.what}
        value={filter.what}
        onChange={({ target }) => onChange({ what: target.value })}
      >
        <option value="">{texts.everything}</option>
        {eventRooms.map((room) => (
          <optgroup key={room} label={texts.rooms[room]}>
            {Object.entries(texts.events[room]).map(([event, label]) => (
              <option key={event} value={event}>
                {label}
              </option>
            ))}
          </optgroup>
        ))}
      </SelectField>
      {typed('target', texts.target, texts.targetHint)}
      {typed('inProject', texts.project, texts.projectHint)}
      <TextField
        label={texts.from}
        type="datetime-local"
        value={filter.from}
        max={filter.until || undefined}
        onChange={({ target }) => onChange({ from: target.value })}
      />
      <TextField
        label={texts.until}
        type="datetime-local"
        value={filter.until}
        min={filter.from || undefined}
        onChange={({ target }) => onChange({ until: target.value })}
      />
    </fieldset>
  )
}

interface TypedFilterProps {
  label: string
  description: string
  value: string
  onSettled: (value: string) => void
}

function TypedFilter({ label, description, value, onSettled }: TypedFilterProps) {
  const [typed, setTyped] = useTypedValue(value, onSettled)
  return (
    <TextField
      label={label}
      description={description}
      type="search"
      autoComplete="off"
      maxLength={60}
      value={typed}
      onChange={({ target }) => setTyped(target.value)}
    />
  )
}
