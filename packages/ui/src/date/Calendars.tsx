import { type CalendarDate, DateFormatter, parseDate } from '@internationalized/date'
import CalendarDays from 'lucide-react/icons/calendar-days'
import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import type { ReactNode } from 'react'
import {
  DatePicker as AriaDatePicker,
  Button,
  Calendar,
  CalendarCell,
  CalendarGrid,
  DateInput,
  DateSegment,
  Group,
  Label,
  Popover,
  Text,
} from 'react-aria-components/DatePicker'
import { DateRangePicker as AriaDateRangePicker, RangeCalendar } from 'react-aria-components/DateRangePicker'
import { Dialog } from 'react-aria-components/Dialog'
import { Heading } from 'react-aria-components/Heading'
import { BackCloses } from '../dialog/BackCloses.tsx'
import fieldStyles from '../field/Field.module.css'
import { FieldMessage, type FieldTexts } from '../field/Field.tsx'
import { AriaEnvironment } from '../provider/AriaEnvironment.tsx'
import hidden from '../text/VisuallyHidden.module.css'
import { ownTimeZone } from '../time/time-zones.ts'
import styles from './Calendars.module.css'
import type { DatePickerProps, DateRangePickerProps } from './DatePicker.tsx'

// React Aria formats days in the time zone of the browser, and fails in one without a zone.
const zone = ownTimeZone()
if (zone !== Intl.DateTimeFormat().resolvedOptions().timeZone) {
  const { resolvedOptions } = DateFormatter.prototype
  DateFormatter.prototype.resolvedOptions = function (this: DateFormatter) {
    return { ...resolvedOptions.call(this), timeZone: zone }
  }
}

/** Parses a day; an invalid text counts as none. */
function dayOf(text: string | undefined): CalendarDate | null {
  if (text === undefined) return null
  try {
    return parseDate(text)
  } catch {
    return null
  }
}

interface Limits {
  min?: string | undefined
  max?: string | undefined
  disabled?: boolean | undefined
  error?: ReactNode
}

function ariaProps({ min, max, disabled = false, error }: Limits) {
  const [minValue, maxValue] = [dayOf(min), dayOf(max)]
  return {
    isDisabled: disabled,
    isInvalid: Boolean(error),
    ...(minValue && { minValue }),
    ...(maxValue && { maxValue }),
  }
}

export function DateControl({ value, onChange, name, ...rest }: DatePickerProps) {
  return (
    <AriaEnvironment>
      <AriaDatePicker
        className={fieldStyles.field ?? ''}
        value={dayOf(value ?? undefined)}
        onChange={(day) => onChange(day === null ? null : day.toString())}
        {...ariaProps(rest)}
        {...(name !== undefined && { name })}
      >
        <Surroundings {...rest}>
          <DateInput className={styles.input ?? ''}>
            {(segment) => <DateSegment segment={segment} className={styles.segment ?? ''} />}
          </DateInput>
        </Surroundings>
        <Popover className={styles.popover ?? ''} offset={4}>
          <Dialog className={styles.dialog ?? ''}>
            <BackCloses />
            <Calendar className={styles.calendar ?? ''}>
              <Month />
            </Calendar>
          </Dialog>
        </Popover>
      </AriaDatePicker>
    </AriaEnvironment>
  )
}

export function RangeControl({ value, onChange, ...rest }: DateRangePickerProps) {
  const [start, end] = [dayOf(value?.start), dayOf(value?.end)]
  return (
    <AriaEnvironment>
      <AriaDateRangePicker
        className={fieldStyles.field ?? ''}
        value={start && end ? { start, end } : null}
        onChange={(range) =>
          onChange(range === null ? null : { start: range.start.toString(), end: range.end.toString() })
        }
        {...ariaProps(rest)}
      >
        <Surroundings {...rest}>
          {(['start', 'end'] as const).map((slot) => (
            <DateInput key={slot} slot={slot} className={styles.input ?? ''}>
              {(segment) => <DateSegment segment={segment} className={styles.segment ?? ''} />}
            </DateInput>
          ))}
        </Surroundings>
        <Popover className={styles.popover ?? ''} offset={4}>
          <Dialog className={styles.dialog ?? ''}>
            <BackCloses />
            <RangeCalendar className={styles.calendar ?? ''} data-range>
              <Month />
            </RangeCalendar>
          </Dialog>
        </Popover>
      </AriaDateRangePicker>
    </AriaEnvironment>
  )
}

/** Renders the label, the outline, the button and the message. */
function Surroundings({
  label,
  hideLabel = false,
  description,
  error,
  children,
}: FieldTexts & { children: ReactNode }) {
  return (
    <>
      <Label className={(hideLabel ? hidden.hidden : fieldStyles.label) ?? ''}>{label}</Label>
      <Group className={styles.control ?? ''}>
        {children}
        <Button className={styles.open ?? ''}>
          <CalendarDays aria-hidden="true" />
        </Button>
      </Group>
      <Text slot="description" className={(error ? fieldStyles.error : fieldStyles.description) ?? ''}>
        <FieldMessage error={error} description={description} />
      </Text>
    </>
  )
}

function Month() {
  return (
    <>
      <header className={styles.header}>
        <Button slot="previous" className={styles.step ?? ''}>
          <ChevronLeft aria-hidden="true" />
        </Button>
        <Heading className={styles.month ?? ''} level={3} />
        <Button slot="next" className={styles.step ?? ''}>
          <ChevronRight aria-hidden="true" />
        </Button>
      </header>
      <CalendarGrid className={styles.grid ?? ''}>
        {(date) => <CalendarCell date={date} className={styles.day ?? ''} />}
      </CalendarGrid>
    </>
  )
}
