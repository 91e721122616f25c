import { useState } from 'react'
import {
  Avatar,
  Checkbox,
  ComboBox,
  DatePicker,
  type DateRange,
  DateRangePicker,
  RadioGroup,
  SegmentedControl,
  Switch,
  TagInput,
} from '../../src/index.ts'
import styles from '../Gallery.module.css'
import { Group, Specimen } from '../Specimen.tsx'

const people = ['Henrik Albers', 'Ingrid Solberg', 'Aylin Kaya'].map((name) => ({
  id: name,
  text: name,
  detail: 'Maintainer',
  icon: <Avatar id={name} name={name} size="small" />,
}))

export function ChoicesSection() {
  const [person, setPerson] = useState<string | null>(null)
  const [side, setSide] = useState<'mine' | 'theirs' | null>('mine')
  const [span, setSpan] = useState<'hour' | 'day' | 'week'>('day')
  const [day, setDay] = useState<string | null>('2026-11-24')
  const [range, setRange] = useState<DateRange | null>({ start: '2026-11-17', end: '2026-11-24' })
  const [tags, setTags] = useState(['Crane', 'Kai 5'])
  return (
    <Group title="Choices">
      <div className={styles.pair}>
        <Specimen caption="Checkbox" column>
          <Checkbox label="Edges" description="Machines on site and their programs." defaultChecked />
          <Checkbox label="Media" />
          <Checkbox label="Some of them" indeterminate />
          <Checkbox label="Disabled" disabled defaultChecked />
        </Specimen>
        <Specimen caption="Switch" column>
          <Switch label="Single-letter keys" description="Only outside fields." defaultChecked />
          <Switch label="Presence" />
          <Switch label="Disabled" disabled />
        </Specimen>
        <Specimen caption="SegmentedControl" column>
          <SegmentedControl
            label="Span"
            value={span}
            onChange={setSpan}
            segments={[
              { value: 'hour', label: '1 h' },
              { value: 'day', label: '24 h' },
              { value: 'week', label: '7 d' },
            ]}
          />
          <SegmentedControl
            wide
            label="Span, wide"
            value={span}
            onChange={setSpan}
            segments={[
              { value: 'hour', label: '1 h' },
              { value: 'day', label: '24 h' },
            ]}
          />
        </Specimen>
        <Specimen caption="RadioGroup" column>
          <RadioGroup
            label="Place"
            value={side}
            onChange={setSide}
            options={[
              { value: 'mine', label: 'Kai 5 West', description: 'yours' },
              { value: 'theirs', label: 'Kai 5 Ost', description: 'Ingrid Solberg' },
            ]}
          />
          <RadioGroup
            label="Range"
            inline
            value={null}
            onChange={() => undefined}
            error="Choose one."
            options={[
              { value: 'hour', label: '1 h' },
              { value: 'day', label: '24 h' },
              { value: 'week', label: '7 d', disabled: true },
            ]}
          />
        </Specimen>
        <Specimen caption="ComboBox" column>
          <ComboBox
            label="Person"
            description="Type a name."
            options={people}
            value={person}
            onChange={setPerson}
            emptyText="No match"
          />
          <ComboBox
            label="Required"
            error="Choose a person."
            options={people}
            value={null}
            onChange={() => undefined}
            emptyText="No match"
          />
          <ComboBox
            label="Disabled"
            disabled
            options={people}
            value="Aylin Kaya"
            onChange={() => undefined}
            emptyText="No match"
          />
        </Specimen>
        <Specimen caption="DatePicker, DateRangePicker" column>
          <DatePicker label="Day" value={day} onChange={setDay} min="2026-01-01" />
          <DatePicker label="Required" error="Enter a day." value={null} onChange={setDay} />
          <DatePicker label="Disabled" disabled value={day} onChange={setDay} />
          <DateRangePicker label="Period" value={range} onChange={setRange} />
        </Specimen>
        <Specimen caption="TagInput" column>
          <TagInput label="Tags" tags={tags} onChange={setTags} removeLabel={(tag) => `Remove ${tag}`} />
          <TagInput
            label="Read only"
            readOnly
            tags={tags}
            onChange={setTags}
            removeLabel={(tag) => `Remove ${tag}`}
          />
        </Specimen>
      </div>
    </Group>
  )
}
