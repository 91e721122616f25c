import { useTypedValue } from '@pult/sdk/resource'
import { Badge, Button, SelectField, TextField } from '@pult/sdk/ui'
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal'
import { useId, useState } from 'react'
import styles from './audit.module.css'
import { eventRooms, texts } from './audit.texts.ts'
import { type Filter, noFilter } from './audit-filter.ts'

interface FiltersProps {
  filter: Filter
  onChange: (changes: Partial<Filter>) => void
}

/** Which events are shown. */
export function Filters({ filter, onChange }: FiltersProps) {
  // Its fields begin anew when all is cleared.
  const [round, setRound] = useState(0)
  // Where there is little room the search alone is in view, and the others behind a button.
  const [isOpen, setOpen] = useState(false)
  const more = useId()
  const { search: _search, ...others } = filter
  const set = Object.values(others).filter((value) => value !== '').length
  const isFiltered = Object.values(filter).some((value) => value !== '')
  const clear = () => {
    onChange(noFilter)
    setRound(round + 1)
  }
  const typed = (name: keyof Filter, label: string, description: string) => (
    <TypedFilter
      key={name}
      {...{ label, description }}
      value={filter[name]}
      onSettled={(value) => onChange({ [name]: value })}
    />
  )
  return (
    <fieldset className={styles.filters} key={round}>
      <legend className={styles.legend}>{texts.filters}</legend>
      {typed('search', texts.search, texts.searchHint)}
      <Button
        className={styles.toggle}
        icon={<SlidersHorizontal aria-hidden="true" />}
        aria-expanded={isOpen}
        aria-controls={more}
        onClick={() => setOpen(!isOpen)}
      >
        {texts.filters}
        <Badge count={set} label={texts.filtersSet(set)} />
      </Button>
      <div id={more} className={styles.more} data-open={isOpen || undefined}>
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
        <SelectField
          label={texts.result}
          value={filter.result}
          onChange={({ target }) => onChange({ result: target.value })}
        >
          <option value="">{texts.anyResult}</option>
          <option value="success">{texts.success}</option>
          <option value="failure">{texts.failure}</option>
        </SelectField>
        {typed('target', texts.target, texts.targetHint)}
        {typed('project', texts.project, texts.projectHint)}
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
        {isFiltered && (
          <Button className={styles.clear} onClick={clear}>
            {texts.clear}
          </Button>
        )}
      </div>
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
