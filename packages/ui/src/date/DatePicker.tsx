import { lazy, Suspense } from 'react'
import { Skeleton } from '../feedback/Skeleton.tsx'
import { Field, type FieldTexts } from '../field/Field.tsx'

export interface DatePickerProps extends FieldTexts {
  /** A day as `yyyy-MM-dd`; `null` for none. */
  value: string | null
  onChange: (value: string | null) => void
  /** First and last day that can be chosen, `yyyy-MM-dd`. */
  min?: string | undefined
  max?: string | undefined
  disabled?: boolean | undefined
  name?: string | undefined
}

export interface DateRange {
  /** First and last day, `yyyy-MM-dd`; the last one belongs to the range. */
  start: string
  end: string
}

export interface DateRangePickerProps extends Omit<DatePickerProps, 'value' | 'onChange' | 'name'> {
  value: DateRange | null
  onChange: (value: DateRange | null) => void
}

// The calendar is as large as all other fields together, so it loads with the first date field.
const LazyDate = lazy(async () => ({ default: (await import('./Calendars.tsx')).DateControl }))
const LazyRange = lazy(async () => ({ default: (await import('./Calendars.tsx')).RangeControl }))

/** Picks a day, typed in parts or chosen in a calendar, in the order of the user's language. Loads on first use. */
export function DatePicker(props: DatePickerProps) {
  return (
    <Suspense fallback={<Awaited {...props} />}>
      <LazyDate {...props} />
    </Suspense>
  )
}

/** Picks the first and last day of a period, typed in parts or chosen in one calendar. Loads on first use. */
export function DateRangePicker(props: DateRangePickerProps) {
  return (
    <Suspense fallback={<Awaited {...props} />}>
      <LazyRange {...props} />
    </Suspense>
  )
}

function Awaited({ label, hideLabel, description, error }: FieldTexts) {
  return (
    <Field id="" {...{ label, hideLabel, description, error }}>
      <div style={{ height: 'var(--control-height)' }}>
        <Skeleton height="100%" />
      </div>
    </Field>
  )
}
