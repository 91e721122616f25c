import { useId } from 'react'
import styles from './TaskFilterChoice.module.css'
import { texts } from './tasks.texts.ts'

interface TaskFilterChoiceProps<Filter extends string> {
  filters: readonly Filter[]
  value: Filter
  onChange: (filter: Filter) => void
}

/** Which tasks are shown: one of a few, side by side. */
export function TaskFilterChoice<Filter extends keyof typeof texts.filters>({
  filters,
  value,
  onChange,
}: TaskFilterChoiceProps<Filter>) {
  const name = useId()
  return (
    <fieldset className={styles.choice} aria-label={texts.show}>
      {filters.map((filter) => (
        <label key={filter} className={styles.filter}>
          <input
            type="radio"
            className={styles.input}
            name={name}
            checked={filter === value}
            onChange={() => onChange(filter)}
          />
          {texts.filters[filter]}
        </label>
      ))}
    </fieldset>
  )
}
