import type { EdgeFacets, EdgeRule, FleetState } from '@pult/sdk/api'
import { Button, Popover, SegmentedControl, SelectField } from '@pult/sdk/ui'
import Filter from 'lucide-react/icons/list-filter'
import X from 'lucide-react/icons/x'
import { useId, useRef, useState } from 'react'
import styles from './edges.module.css'
import { useEdgeFacets } from './edges.queries.ts'
import { texts } from './edges.texts.ts'

/** The filters of a fleet, apart from the search, states and groups. */
export interface FleetFilter {
  tags: readonly string[]
  /** Set if one of the tags suffices. */
  isAny: boolean
  place: string | null
  version: string | null
}

/** The server lists at most this number of values of a kind. */
const listedMost = 200

interface FleetFilterProps {
  chosen: FleetFilter
  onChange: (changes: Partial<FleetFilter>) => void
}

/** Button that offers the tags, places and versions of the fleet as filters. */
export function FilterButton({ chosen, onChange }: FleetFilterProps) {
  const anchor = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button ref={anchor} icon={<Filter />} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {texts.filter}
      </Button>
      <Popover
        anchor={anchor}
        open={isOpen}
        label={texts.filter}
        placement="bottom start"
        onClose={() => setOpen(false)}
      >
        <Choices chosen={chosen} onChange={onChange} />
      </Popover>
    </>
  )
}

/** The available filters. Kinds that would not divide the fleet are omitted. */
function Choices({ chosen, onChange }: FleetFilterProps) {
  const { data: facets } = useEdgeFacets()
  const tagsId = useId()
  const { tags = [], places = [], versions = [] } = facets ?? {}
  const countOf = new Map(tags.map(({ value, count }) => [value, count]))
  const listed = [...new Set([...chosen.tags, ...tags.map(({ value }) => value)])]
  const hasPlaces = places.length > 0 || chosen.place !== null
  const hasVersions = versions.length > 1 || chosen.version !== null
  const hasNothing = listed.length === 0 && !hasPlaces && !hasVersions
  return (
    <div className={styles.filterPanel}>
      {facets !== undefined && hasNothing && <p className={styles.quiet}>{texts.noFilters}</p>}
      {listed.length > 0 && (
        <div className={styles.filterTags} role="group" aria-labelledby={tagsId}>
          <b id={tagsId}>{texts.tags}</b>
          <SegmentedControl
            label={texts.tagMatch}
            segments={[
              { value: 'all', label: texts.allOfTags },
              { value: 'any', label: texts.anyOfTags },
            ]}
            value={chosen.isAny ? 'any' : 'all'}
            onChange={(value) => onChange({ isAny: value === 'any' })}
          />
          <div className={styles.filterList}>
            {listed.map((tag) => {
              const isChosen = chosen.tags.includes(tag)
              return (
                <button
                  key={tag}
                  type="button"
                  className={styles.filterTag}
                  aria-pressed={isChosen}
                  onClick={() =>
                    onChange({
                      tags: isChosen ? chosen.tags.filter((one) => one !== tag) : [...chosen.tags, tag],
                    })
                  }
                >
                  {tag} <span className={styles.filterCount}>{countOf.get(tag) ?? 0}</span>
                </button>
              )
            })}
            {tags.length >= listedMost && (
              <span className={styles.quiet}>{texts.onlyMostUsed(listedMost, 'tag')}</span>
            )}
          </div>
        </div>
      )}
      {hasPlaces && (
        <Choice
          label={texts.place}
          searchKey="place"
          all={texts.allPlaces}
          values={places}
          value={chosen.place}
          onChange={(place) => onChange({ place })}
        />
      )}
      {hasVersions && (
        <Choice
          label={texts.agent}
          searchKey="version"
          all={texts.allVersions}
          values={versions}
          value={chosen.version}
          onChange={(version) => onChange({ version })}
        />
      )}
    </div>
  )
}

/** The chosen filters, each with a remove button. */
export function ChosenFilters({ chosen: { tags, isAny, place, version }, onChange }: FleetFilterProps) {
  const isOneOf = isAny && tags.length > 1
  const ends = [
    ...tags.map((tag) => ({
      key: `tag ${tag}`,
      value: tag,
      end: { tags: tags.filter((one) => one !== tag) },
    })),
    ...(place === null ? [] : [{ key: 'place', value: place, end: { place: null } }]),
    ...(version === null ? [] : [{ key: 'version', value: version, end: { version: null } }]),
  ]
  if (ends.length === 0) return null
  return (
    <div className={styles.filterList} role="group" aria-label={texts.chosenFilters}>
      {isOneOf && <span className={styles.quiet}>{texts.anyOfTags}</span>}
      {ends.map(({ key, value, end }) => (
        <button
          key={key}
          type="button"
          className={styles.filterTag}
          aria-pressed="true"
          aria-label={texts.endFilter(value)}
          onClick={() => onChange(end)}
        >
          {value} <X aria-hidden="true" />
        </button>
      ))}
    </div>
  )
}

/** Returns the filters as the rule of a group; null without a filter. */
export function ruleOf(
  { tags, isAny, place, version }: FleetFilter,
  state: FleetState | null,
): EdgeRule | null {
  const rule = {
    ...(tags.length > 0 && (isAny ? { anyTags: [...tags] } : { allTags: [...tags] })),
    ...(place !== null && { places: [place] }),
    ...(version !== null && { versions: [version] }),
    ...(state !== null && { states: [state] }),
  }
  return Object.keys(rule).length === 0 ? null : rule
}

interface ChoiceProps {
  label: string
  /** The key with which the search finds values that are not listed. */
  searchKey: string
  all: string
  values: EdgeFacets['places']
  value: string | null
  onChange: (value: string | null) => void
}

function Choice({ label, searchKey, all, values, value, onChange }: ChoiceProps) {
  const isListed = value === null || values.some((one) => one.value === value)
  return (
    <SelectField
      label={label}
      description={values.length >= listedMost && texts.onlyMostUsed(listedMost, searchKey)}
      value={value ?? ''}
      onChange={({ target }) => onChange(target.value === '' ? null : target.value)}
    >
      <option value="">{all}</option>
      {(isListed ? values : [...values, { value, count: 0 }]).map((one) => (
        <option key={one.value} value={one.value}>
          {texts.valueCount(one.value, one.count)}
        </option>
      ))}
    </SelectField>
  )
}
