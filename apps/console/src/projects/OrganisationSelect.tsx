import { limits } from '@pult/contract'
import { useSettled } from '@pult/sdk/resource'
import { SelectField, TextField } from '@pult/ui'
import Search from 'lucide-react/icons/search'
import { useState } from 'react'
import { messageOf } from '#platform/api-error.ts'
import { useOrganisationChoices } from '../organisations/organisations.queries.ts'
import { texts } from './projects.texts.ts'

export interface ChosenOrganisation {
  _id: string
  label: string
}

interface OrganisationSelectProps {
  value: ChosenOrganisation | null
  onChange: (org: ChosenOrganisation | null) => void
}

/** Chooses one of the user's organisations. A search narrows long lists. */
export function OrganisationSelect({ value, onChange }: OrganisationSelectProps) {
  const [search, setSearch] = useState('')
  const { data, error } = useOrganisationChoices(useSettled(search.trim(), 250))
  const found = data?.items ?? []
  // The chosen organisation stays in the list during a search.
  const isElsewhere = value !== null && !found.some(({ _id }) => _id === value._id)
  const choices = isElsewhere ? [value, ...found] : found
  return (
    <div>
      <SelectField
        label={texts.organization}
        description={texts.organizationText}
        error={error && `${texts.organizationsFailed}: ${messageOf(error)}`}
        name="org"
        value={value?._id ?? ''}
        onChange={({ target }) => onChange(choices.find(({ _id }) => _id === target.value) ?? null)}
      >
        <option value="">{texts.noOrganization}</option>
        {choices.map(({ _id, label }) => (
          <option key={_id} value={_id}>
            {label}
          </option>
        ))}
      </SelectField>
      {(data?.next !== undefined || search !== '') && (
        <TextField
          type="search"
          label={texts.manyOrganizations}
          prefix={<Search aria-hidden="true" />}
          maxLength={limits.searchMax}
          value={search}
          onChange={({ target }) => setSearch(target.value)}
        />
      )}
    </div>
  )
}
