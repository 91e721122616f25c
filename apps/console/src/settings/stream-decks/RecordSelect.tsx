import { limits } from '@pult/contract'
import { useCall } from '@pult/sdk'
import { isGone } from '@pult/sdk/resource'
import { SelectField, TextField } from '@pult/ui'
import Search from 'lucide-react/icons/search'
import { useState } from 'react'
import { messageOf } from '#platform/api-error.ts'
import { useSearchedList } from '#platform/searched-list/searched-list.ts'
import type { Choice, Choices } from './choices.ts'
import { texts } from './stream-decks.texts.ts'

interface RecordSelectProps {
  label: string
  /** Label of the search, which long lists have. */
  searchLabel: string
  choices: Choices
  /** Id of the chosen record; empty for none. */
  value: string
  /** Label of the option for no record. Without it, only records can be chosen. */
  none?: string
  /** Shown if there are no records. */
  emptyText?: string
  onChange: (choice: Choice | null) => void
}

/** Chooses one record of a list of any length. The chosen record is always an option, even after its deletion. */
export function RecordSelect({
  label,
  searchLabel,
  choices,
  value,
  none,
  emptyText,
  onChange,
}: RecordSelectProps) {
  const [search, setSearch] = useState('')
  const list = useSearchedList(choices, search)
  const { one, idParam, input } = choices
  const chosen = useCall(one, value === '' ? null : { params: { ...input.params, [idParam]: value } })
  const found = list.items ?? []
  const isElsewhere = value !== '' && !found.some(({ _id }) => _id === value)
  const isChosenGone = isGone(chosen.error)
  const error = list.error ?? (isElsewhere && !isChosenGone ? chosen.error : null)
  const isEmpty = search === '' && list.items?.length === 0
  return (
    <div>
      <SelectField
        label={label}
        error={error && messageOf(error)}
        value={value}
        onChange={({ target }) => onChange(found.find(({ _id }) => _id === target.value) ?? null)}
      >
        {none !== undefined && <option value="">{none}</option>}
        {none === undefined && value === '' && (
          <option value="" disabled>
            {isEmpty ? emptyText : ''}
          </option>
        )}
        {isElsewhere && (
          <option value={value}>{isChosenGone ? texts.gone : (chosen.data?.label ?? texts.loading)}</option>
        )}
        {found.map((choice) => (
          <option key={choice._id} value={choice._id}>
            {choice.label}
          </option>
        ))}
      </SelectField>
      {(list.more !== null || search !== '') && (
        <TextField
          type="search"
          label={searchLabel}
          prefix={<Search aria-hidden="true" />}
          maxLength={limits.searchMax}
          value={search}
          onChange={({ target }) => setSearch(target.value)}
        />
      )}
    </div>
  )
}
