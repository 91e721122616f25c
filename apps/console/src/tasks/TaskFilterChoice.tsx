import { SegmentedControl } from '@pult/ui'
import { texts } from './tasks.texts.ts'

interface TaskFilterChoiceProps<Filter extends string> {
  filters: readonly Filter[]
  value: Filter
  onChange: (filter: Filter) => void
}

/** Chooses which tasks are shown. */
export function TaskFilterChoice<Filter extends keyof typeof texts.filters>({
  filters,
  value,
  onChange,
}: TaskFilterChoiceProps<Filter>) {
  return (
    <SegmentedControl
      label={texts.show}
      value={value}
      onChange={onChange}
      segments={filters.map((filter) => ({ value: filter, label: texts.filters[filter] }))}
    />
  )
}
