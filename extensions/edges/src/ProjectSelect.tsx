import { limits } from '@pult/sdk/api'
import { useSettled } from '@pult/sdk/resource'
import { SelectField, TextField } from '@pult/sdk/ui'
import { useState } from 'react'
import { useEditableProjects } from './edges.queries.ts'
import { texts } from './edges.texts.ts'

export interface ChosenProject {
  _id: string
  label: string
}

interface ProjectSelectProps {
  label: string
  description?: string
  /** Omitted from the choice. */
  except: string
  value: ChosenProject | null
  onChange: (project: ChosenProject) => void
}

/** Debounce delay of the search in milliseconds. */
const typingPause = 250

/** Chooses a project that the user may edit. A search finds those that a long list does not have. */
export function ProjectSelect({ label, description, except, value, onChange }: ProjectSelectProps) {
  const [search, setSearch] = useState('')
  const { data, error } = useEditableProjects(useSettled(search.trim(), typingPause))
  const found = data?.items.filter(({ _id }) => _id !== except) ?? []
  // The chosen project stays in the list during a search.
  const isElsewhere = value !== null && !found.some(({ _id }) => _id === value._id)
  const choices = isElsewhere ? [value, ...found] : found
  return (
    <>
      <SelectField
        label={label}
        description={description}
        error={error && `${texts.projectsFailed}: ${error.message}`}
        value={value?._id ?? ''}
        onChange={({ target }) => {
          const project = choices.find(({ _id }) => _id === target.value)
          if (project !== undefined) onChange(project)
        }}
      >
        <option value="" disabled>
          {texts.chooseProject}
        </option>
        {choices.map(({ _id, label: name }) => (
          <option key={_id} value={_id}>
            {name}
          </option>
        ))}
      </SelectField>
      {(data?.hasMore === true || search !== '') && (
        <TextField
          type="search"
          label={texts.findProject}
          description={texts.findProjectHint}
          autoComplete="off"
          maxLength={limits.searchMax}
          value={search}
          onChange={({ target }) => setSearch(target.value)}
          // Enter would submit the form, but this field only searches.
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        />
      )}
    </>
  )
}
