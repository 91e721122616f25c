import { limits, type Project } from '@pult/sdk/api'
import { type FormField, useSettled } from '@pult/sdk/resource'
import { SelectField, TextField } from '@pult/sdk/ui'
import { useState } from 'react'
import { useOrganisationChoices } from '../project-details.queries.ts'
import { texts } from '../project-details.texts.ts'

interface OrganisationFieldProps {
  field: FormField<string | null>
  project: Project
}

/** Chooses one of the user's organisations or keeps the current one. A search narrows long lists. */
export function OrganisationField({ field, project: { org, orgLabel } }: OrganisationFieldProps) {
  const [search, setSearch] = useState('')
  const { data, error } = useOrganisationChoices(useSettled(search.trim(), 250))
  const [chosen, setChosen] = useState({ _id: org, label: orgLabel })
  const found = data?.items ?? []
  // The current and the chosen one stay in the list during a search.
  const kept = [{ _id: org, label: orgLabel }, chosen].filter(({ _id }) => _id !== null)
  const choices = new Map([...kept, ...found].map(({ _id, label }) => [_id, label]))

  const choose = (id: string | null) => {
    setChosen({ _id: id, label: choices.get(id) ?? null })
    field.set(id)
  }
  return (
    <div>
      <SelectField
        label={texts.organization}
        description={field.description || texts.organizationText}
        error={error ? `${texts.organizationsFailed}: ${error.message}` : field.error}
        name={field.name}
        value={field.value ?? ''}
        onChange={({ target }) => choose(target.value === '' ? null : target.value)}
      >
        <option value="">{texts.noOrganization}</option>
        {[...choices].map(([id, label]) => (
          <option key={id} value={id ?? ''}>
            {label}
          </option>
        ))}
      </SelectField>
      {(data?.next !== undefined || search !== '') && (
        <TextField
          type="search"
          label={texts.findOrganization}
          maxLength={limits.searchMax}
          value={search}
          onChange={({ target }) => setSearch(target.value)}
        />
      )}
    </div>
  )
}
